"""Writes pytorch.txt: what PyTorch's optimizers make of a small classifier, for tests/rates.rs.

    python3 tests/reference/pytorch.py        needs torch; recorded with 2.15

Each line has the optimizer as `:step` spells it, the losses before each step and after the last, and the weights then.
"""

from pathlib import Path

import torch

XS = [[1.0, 2.0, -1.0], [0.5, -1.0, 2.0], [-2.0, 0.25, 1.0], [0.75, 1.5, 0.5]]
CLASSES = [1, 3, 2, 3]
WEIGHTS = [[0.5, -1.0, 0.25], [0.1, 0.3, -0.7], [-0.2, 0.9, 0.4]]
STEPS = 40


def trained(optimizer, rate):
    weights = torch.tensor(WEIGHTS, dtype=torch.float64, requires_grad=True)
    xs, classes = torch.tensor(XS, dtype=torch.float64), torch.tensor(CLASSES) - 1
    optimizer = optimizer([weights])
    losses = []
    for k in range(1, STEPS + 2):
        loss = torch.nn.functional.cross_entropy(xs @ weights.T, classes)
        losses.append(loss.item())
        if k <= STEPS:
            optimizer.zero_grad()
            loss.backward()
            for group in optimizer.param_groups:
                group["lr"] = rate(k)
            optimizer.step()
    return losses + weights.flatten().tolist()


def main():
    runs = {
        "0.5 40": trained(lambda all: torch.optim.SGD(all, lr=0.5), lambda k: 0.5),
        "0.1 40 momentum 0.9": trained(lambda all: torch.optim.SGD(all, lr=0.1, momentum=0.9), lambda k: 0.1),
        "0.05 40 adam": trained(lambda all: torch.optim.Adam(all, lr=0.05), lambda k: 0.05),
        "(0.5/k) k=1..40 momentum 0.5": trained(lambda all: torch.optim.SGD(all, lr=0.5, momentum=0.5), lambda k: 0.5 / k),
        "(0.1 - 0.002k) k=1..40 adam": trained(lambda all: torch.optim.Adam(all, lr=0.1), lambda k: 0.1 - 0.002 * k),
    }
    rows = [f"{typed}\t{' '.join(repr(number) for number in numbers)}\n" for typed, numbers in runs.items()]
    Path(__file__).with_name("pytorch.txt").write_text("".join(rows))


main()
