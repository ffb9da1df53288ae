"""Makes the data of the ten examples: values of known models with random errors, and no measurements.

    pip install numpy==2.4.6
    python make_data.py
"""

from pathlib import Path

import numpy as np

draw = np.random.default_rng(7)


def write(name, header, columns, digits):
    rows = zip(*(np.char.mod(f"%.{n}f", column) for column, n in zip(columns, digits)))
    lines = [header, *(",".join(row) for row in rows)]
    Path(__file__).with_name(name).write_text("\n".join(lines) + "\n")


c = np.linspace(0.1, 1, 8)
write("line.csv", "c (mmol/L),u_c,A,u_A", [
    c + draw.normal(0, 0.01, 8), np.full(8, 0.01),
    0.02 + 0.85 * c + draw.normal(0, 0.008, 8), 0.006 + 0.004 * c], [3, 3, 4, 4])

t = np.arange(0, 300, 15.0)
write("decay.csv", "t (s),N", [t, draw.poisson(900 * np.exp(-t / 62) + 41)], [0, 0])

f = np.linspace(40, 60, 81)
gauss = np.exp(-((f - 46.2) ** 2) / 2 / 1.1**2), np.exp(-((f - 51.7) ** 2) / 2 / 1.6**2)
write("peaks.csv", "E (keV),I (counts/s)", [
    f, 24 * gauss[0] + 15 * gauss[1] + 3 + 0.05 * f + draw.normal(0, 0.5, 81)], [2, 2])

t = np.linspace(0, 12, 97)
write("oscillation.csv", "t (s),x (cm)", [
    t, 2.1 * np.exp(-0.2 * t) * np.cos(5.466 * t + 2.6) + 0.3 + draw.normal(0, 0.05, 97)], [3, 3])

T = np.array([283.2, 293.1, 303.4, 313.0, 323.3, 333.1, 343.2])
k = 3.2e8 * np.exp(-61500 / 8.314462618 / T)
write("arrhenius.csv", "T (K),k (1/s)", [T, k * (1 + draw.normal(0, 0.04, 7))], [1, 7])

S = np.array([0.25, 0.5, 1, 1.5, 2.5, 4, 6, 10, 15])
write("michaelis.csv", "S (mmol/L),v (µmol/min)", [
    S, 12.4 * S / (1.8 + S) + draw.normal(0, 0.15, 9)], [2, 3])

write("pendulum.csv", "T (s)", [2.0045 + draw.normal(0, 0.006, 10)], [4])

c = np.array([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1])
Ka = 10**-4.757
h = (-Ka + np.sqrt(Ka**2 + 4 * Ka * c)) / 2
write("acid.csv", "c (mol/L),pH", [c, -np.log10(h) + draw.normal(0, 0.02, 7)], [3, 2])

c = np.array([0.0, 5, 10, 15, 20])
write("addition.csv", "c (µg/L),A", [c, 0.171 + 0.0206 * c + draw.normal(0, 0.003, 5)], [0, 4])

t = np.arange(0, 20.0)
write("global.csv", "t (ms),U1 (V),U2 (V)", [
    t, 5 * np.exp(-0.25 * t) + 0.4 + draw.normal(0, 0.04, 20),
    3 * np.exp(-0.25 * t) + 0.9 + draw.normal(0, 0.04, 20)], [0, 3, 3])
