"""Run every benchmark after another: `make bench`, or `python -m tests.bench rules vision` for some of them.

Each `tests/bench_<topic>.py` prints its own table: speed and memory beside a named peer or a stated goal, and how often
following, sorting a table and surviving a kill went right. What an environment lacks for is left out and named.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main(topics: list[str]) -> int:
    """Run the named topics, or all; exit code 1 when one of them failed."""
    scripts = sorted(Path(__file__).parent.glob("bench_*.py"))
    known = {script.stem.removeprefix("bench_"): script for script in scripts}
    unknown = [topic for topic in topics if topic not in known]
    if unknown:
        sys.stderr.write(f"no benchmark named {', '.join(unknown)}; there are: {', '.join(known)}\n")
        return 2
    failed = []
    for topic in topics or known:
        sys.stdout.write(f"\n== {topic} ==\n")
        sys.stdout.flush()
        if subprocess.run([sys.executable, "-m", f"tests.bench_{topic}"], check=False).returncode:
            failed.append(topic)
    if failed:
        sys.stderr.write(f"failed: {', '.join(failed)}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
