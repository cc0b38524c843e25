"""Print the functional signature, and what it is made of; exit code 1 if a second run differs from the first.

python bench/signature.py [--only]
"""

from __future__ import annotations

import sys

from serai.search.signature import parts, signature


def main(arguments: list[str]) -> int:
    first = signature()
    if "--only" in arguments:
        print(first)
    else:
        for name, number in parts().items():
            print(f"{name:36} {number:016x}")
        print(f"{'signature':36} {first}")
    if signature() != first:
        print("a second run in the same process gives another signature", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
