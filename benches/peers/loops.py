"""Runs the loops of `benches/loops.rs` with micrograd, or with PyTorch on one thread. Its arguments are the library and the
loop. It reads the data, which are lines of Python, and prints the milliseconds of a round: the least mean of several."""

import sys
import time

library, loop = sys.argv[1:]
# A chain of 300 sums is deeper than micrograd's recursion may be.
sys.setrecursionlimit(100_000)
data = {}
exec(sys.stdin.read(), data)

if library == "torch":
    import torch

    torch.set_num_threads(1)

    def leaf(number):
        return torch.tensor(float(number), requires_grad=True)

    def constant(number):
        return torch.tensor(float(number))

    def forget(leaves):
        for p in leaves:
            p.grad = None

    def move(leaves, rate):
        with torch.no_grad():
            for p in leaves:
                p -= rate * p.grad

else:
    from micrograd.engine import Value

    leaf = constant = Value

    def forget(leaves):
        for p in leaves:
            p.grad = 0

    def move(leaves, rate):
        for p in leaves:
            p.data -= rate * p.grad


def plain():
    w = [leaf(number) for number in data["w"]]
    xs = [[constant(number) for number in row] for row in data["xs"]]

    def step():
        loss = constant(0)
        for x in xs:
            act = constant(0)
            for wi, xi in zip(w, x):
                act = act + wi * xi
            loss = loss + (act - 1) ** 2
        forget(w)
        loss.backward()
        move(w, 0.0001)

    return step


def chain():
    a = leaf(0.5)

    def step():
        y = constant(1)
        for i in range(300):
            y = y * 0.999 + a * 0.01
        forget([a])
        y.backward()
        move([a], 0.1)

    return step


def demo():
    if library == "torch":
        sizes = [2, 16, 16, 1]
        layers = []
        for wide, high in zip(sizes, sizes[1:]):
            layers += [torch.nn.Linear(wide, high), torch.nn.ReLU()]
        network = torch.nn.Sequential(*layers[:-1])
        points = [torch.tensor(point) for point in data["xs"]]
    else:
        from micrograd.nn import MLP

        network = MLP(2, [16, 16, 1])
        points = data["xs"]
    leaves = list(network.parameters())

    def step():
        ypred = [network(x) for x in points]
        loss = sum((yout - ygt) ** 2 for ygt, yout in zip(data["ys"], ypred))
        forget(leaves)
        loss.backward()
        move(leaves, 0.0001)

    return step


step = {"plain": plain, "chain": chain, "demo": demo}[loop]()
step()
least = float("inf")
for _ in range(3):
    # Collecting garbage belongs to a loop, so many rounds are measured together.
    rounds, start = 0, time.process_time()
    while time.process_time() - start < 2:
        step()
        rounds += 1
    least = min(least, (time.process_time() - start) / rounds)
print(1000 * least)
