"""Writes `random.txt`: numbers of Python's `random`, which `uniform` and `normal` must give to the bit.

`python3 tests/reference/python_random.py` (the formulas of `uniform` and `gauss` have not changed since Python 3.0; the last
bits of `gauss` are those of the C library).
"""

import random
import struct
import sys
from pathlib import Path

SEEDS = [0, 1, 1337, 2**32 - 1, 2**32, 123456789012345, 2**53]
DRAWS = 600
FAR = 50_000


def bits(x):
    return struct.pack(">d", x).hex()


def draws(count):
    """Different draws by turns, so that normal numbers come in pairs that uniform ones divide."""
    for at in range(count):
        match at % 5:
            case 0:
                yield random.uniform(-1, 1)
            case 1:
                yield random.gauss(0, 1)
            case 2:
                yield random.uniform(3, -0.25)
            case 3:
                yield random.gauss(2.5, 0.1)
            case _:
                yield random.gauss(-1e10, 1e-3)


lines = []
for seed in SEEDS:
    random.seed(seed)
    lines.append(f"seed {seed}")
    lines.extend(bits(x) for x in draws(DRAWS))
random.seed(7)
for _ in draws(FAR):
    pass
lines.append(f"far {FAR}")
lines.append(bits(random.uniform(0, 1)))
lines.append(bits(random.gauss(0, 1)))
(Path(__file__).parent / "random.txt").write_text("\n".join(lines) + "\n")
print(len(lines), "lines", sys.version, file=sys.stderr)
