"""Write the golden files anew that a program makes: `make golden`. Look at the difference before committing it."""

from __future__ import annotations

import importlib.util
import sys

from tests import gb_oracle, golden_evenings, golden_rulings


def main() -> int:
    """Pin the rulings, play the evenings again, ask the calculator about golden 國標 hands; people write the rest."""
    golden_rulings.main()
    sys.stdout.write(f"{golden_rulings.FILE.name} written: what the worked cases of each version pay\n")
    golden_evenings.main()
    sys.stdout.write("evenings/ written: a recording and a ledger each\n")
    if importlib.util.find_spec("MahjongGB") is None:
        sys.stderr.write("tests/golden/gb_oracle.txt needs PyMahjongGB: pip install PyMahjongGB==1.4.0\n")
        return 1
    gb_oracle.main()
    sys.stdout.write(f"{gb_oracle.GOLDEN.name} written: {gb_oracle.HANDS} hands\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
