"""How many hands are followed without a question, by ruleset and by how bad the camera is.

`python -m tests.bench_follow [HANDS [RULESET ...]]`, 200 hands for each line unless told otherwise. A question is one
that play waits for; faces in doubt that nothing hangs on yet are shown to people, not asked, and are counted apart.
"""

from __future__ import annotations

import sys
import time

from rules.registry import names
from tests.evening_sim import Noise
from tests.follow_run import follow_hands

LOOSE = {"missed": 0.05, "jitter": 0.01, "lost": 0.01}
SETTINGS: dict[str, Noise] = {
    "perfect camera": Noise(),
    "discards snatched, looks missed": Noise(snatch=0.1, missed=0.05),
    "an arm in 5 % of looks": Noise(arm=0.05),
    "an arm in 20 %, for 2 s": Noise(arm=0.2, rests=4),
    "2 % misread": Noise(misread=0.02),
    "5 % misread": Noise(misread=0.05),
    "2 % and all of the above": Noise(misread=0.02, arm=0.05, snatch=0.1, **LOOSE),
    "5 % and all of the above": Noise(misread=0.05, arm=0.05, snatch=0.1, **LOOSE),
    "hard: 2 %, lost 3 %, rushed, arm 10 %": Noise(
        misread=0.02, arm=0.1, rests=2, snatch=0.1, rushed=0.15, missed=0.05, jitter=0.01, lost=0.03
    ),
    "0.2 % read wrong and called sure": Noise(misread=0.02, arm=0.05, snatch=0.1, lies=0.002, **LOOSE),
}


def main(hands: int, rulesets: tuple[str, ...]) -> int:
    """Print the table; exit code 1 when a wrong move was committed by a camera whose sure faces are right."""
    failed = False
    print(f"{hands} hands each{'':<35}without question   questions   wrong moves   faces in doubt   moves    ms")
    print(f"{'':<47}{'':>14}{'a hand':>12}{'in all':>14}{'a hand, at end':>17}{'a hand':>8}{'a look':>6}")
    for name in rulesets:
        for setting, noise in SETTINGS.items():
            started = time.process_time()
            tally = follow_hands(name, hands, noise, seed=1)
            per_look = 1000 * (time.process_time() - started) / max(tally.looks, 1)
            failed |= bool(tally.wrong and not noise.lies)
            print(
                f"{name:<13}{setting:<34}{tally.clean / hands:>13.1%}{tally.questions / hands:>13.3f}{tally.wrong:>14}"
                f"{tally.open_faces / hands:>17.2f}{tally.moves / hands:>8.0f}{per_look:>6.1f}",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, tuple(sys.argv[2:]) or names()))
