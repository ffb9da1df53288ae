"""Writes `lab.txt`: what scipy, lmfit and uncertainties say about the data of `examples/lab`.

    pip install numpy==2.4.6 scipy==1.17.1 lmfit==1.3.4 uncertainties==3.2.3
    python tests/reference/lab.py

`tests/lab.rs` compares them with the tables that the scripts there write with `--csv`. A line has the name of a script, a
row and a column of its tables, and the number.
"""

from pathlib import Path

import numpy as np
from lmfit import Model, Parameters, minimize
from lmfit.models import GaussianModel, LinearModel
from scipy import odr, optimize, stats
from uncertainties import correlated_values, ufloat, unumpy
from uncertainties.umath import exp, log

HERE = Path(__file__).parent
TIGHT = dict(ftol=1e-15, xtol=1e-15, gtol=1e-15)
lines = []


def read(job):
    path = HERE / "../../examples/lab" / f"{job}.csv"
    return np.loadtxt(path, delimiter=",", skiprows=1, unpack=True)


def record(job, row, **columns):
    for column, value in columns.items():
        lines.append(f"{job}\t{row}\t{column}\t{float(value)!r}")


def record_value(job, name, value):
    record(job, name, value=value.n, sigma=value.s)


def record_fit(job, names, values, errors):
    for name, value, error in zip(names, values, errors):
        record(job, name, after=value, sigma=error)


def record_chi2(job, residuals, parameters):
    """For residuals in units of the uncertainties. The AIC of lmfit is another one if these are known."""
    chi2, freedom = np.sum(residuals**2), len(residuals) - parameters
    record(job, "chi2", value=chi2)
    record(job, "p", value=stats.chi2.sf(chi2, freedom))
    return chi2 + 2 * parameters


def record_scatter(job, result):
    """For a fit of lmfit without uncertainties. The scatter counts as one more parameter in AICc."""
    n, k = result.ndata, result.nvarys + 1
    record(job, "rms", value=np.sqrt(result.chisqr / n))
    record(job, "aicc", value=result.aic + 2 + 2 * k * (k + 1) / (n - k - 1))
    names = [name for name in result.var_names]
    values = [result.params[name] for name in names]
    return names, [it.value for it in values], [it.stderr for it in values]


def line():
    c, u_c, A, u_A = read("line")
    data = odr.RealData(c, A, sx=u_c, sy=u_A)
    fit = odr.ODR(data, odr.unilinear, beta0=[1, 0], sstol=1e-15, partol=1e-15, maxit=500)
    found = fit.run()
    b, a = found.beta
    covariance = found.cov_beta
    record_fit("line", ["b", "a"], found.beta, np.sqrt(np.diag(covariance)))
    record("line", "a", b=covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]))
    variance = u_A**2 + (b * u_c) ** 2
    aic = record_chi2("line", (A - a - b * c) / np.sqrt(variance), 2)
    record("line", "aic", value=aic + np.sum(np.log(variance)))
    b, a = correlated_values(found.beta, covariance)
    record_value("line", "c0", (ufloat(0.412, 0.005) - a) / b)


def decay():
    t, N = read("decay")
    model = lambda t, N0, tau, B: N0 * np.exp(-t / tau) + B
    values, covariance = optimize.curve_fit(
        model, t, N, [900, 60, 40], np.sqrt(N), absolute_sigma=True, **TIGHT)
    record_fit("decay", ["N0", "tau", "B"], values, np.sqrt(np.diag(covariance)))
    record("decay", "aic", value=record_chi2("decay", (N - model(t, *values)) / np.sqrt(N), 3))
    record_value("decay", "half", np.log(2) * correlated_values(values, covariance)[1])


def peaks():
    E, I = read("peaks")
    peak = lambda x, h, m, w: h * np.exp(-((x - m) ** 2) / (2 * w**2))
    one, other = (Model(peak, prefix=prefix) for prefix in ("p1_", "p2_"))
    model = one + other + LinearModel()
    start = dict(p1_h=20, p1_m=46, p1_w=1, p2_h=15, p2_m=52, p2_w=1.5, slope=0, intercept=3)
    result = model.fit(I, x=E, fit_kws=TIGHT, **start)
    names, values, errors = record_scatter("peaks", result)
    new = dict(p1_h="h1", p1_m="m1", p1_w="w1", p2_h="h2", p2_m="m2", p2_w="w2",
               intercept="c", slope="d")
    record_fit("peaks", [new[name] for name in names], values, errors)
    of = dict(zip(names, correlated_values(values, result.covar)))
    record_value("peaks", "ratio", of["p1_h"] * of["p1_w"] / (of["p2_h"] * of["p2_w"]))


def oscillation():
    t, x = read("oscillation")
    model = Model(lambda t, A, g, f, phi, c: A * np.exp(-g * t) * np.cos(2 * np.pi * f * t + phi) + c)
    result = model.fit(x, t=t, A=2, g=0.2, f=0.87, phi=2.5, c=0.3, fit_kws=TIGHT)
    names, values, errors = record_scatter("oscillation", result)
    record_fit("oscillation", names, values, errors)
    A, g, f, phi, c = correlated_values(values, result.covar)
    record_value("oscillation", "Q", np.pi * f / g)


def arrhenius():
    T, k = read("arrhenius")
    R = 8.314462618e-3
    # In lmfit's and scipy's hands, ln A is a better parameter than A.
    model = lambda T, lnA, Ea: np.exp(lnA - Ea / (R * T))
    values, covariance = optimize.curve_fit(
        model, T, k, [19, 60], 0.04 * k, absolute_sigma=True, **TIGHT)
    lnA, Ea = correlated_values(values, covariance)
    for name, value in (("A", exp(lnA)), ("Ea", Ea)):
        record_fit("arrhenius", [name], [value.n], [value.s])
    record("arrhenius", "aic", value=record_chi2("arrhenius", (k - model(T, *values)) / (0.04 * k), 2))
    record_value("arrhenius", "k25", exp(lnA - Ea / (R * 298.15)))


def michaelis():
    S, v = read("michaelis")
    result = Model(lambda S, Vmax, Km: Vmax * S / (Km + S)).fit(v, S=S, Vmax=12, Km=2, fit_kws=TIGHT)
    names, values, errors = record_scatter("michaelis", result)
    record_fit("michaelis", names, values, errors)
    for name, error in zip(names, errors):
        record("michaelis", name, half_width=stats.t.ppf(0.975, len(S) - 2) * error)
    Vmax, Km = correlated_values(values, result.covar)
    record_value("michaelis", "efficiency", Vmax / Km)


def pendulum():
    readings = read("pendulum")
    T = unumpy.uarray(readings, 0.006)
    length, angle = ufloat(0.9985, 0.0005), ufloat(0.12, 0.02)
    g = 4 * np.pi**2 * length / np.mean(T) ** 2 * (1 + angle**2 / 16) ** 2
    record_value("pendulum", "g", g)
    parts = g.error_components()
    record("pendulum", "l", share=(parts[length] / g.s) ** 2)
    record("pendulum", "angle", share=(parts[angle] / g.s) ** 2)
    record("pendulum", "T[0]", share=(parts[T[0]] / g.s) ** 2)


def acid():
    c, pH = read("acid")
    h = lambda c, pKa: (-(10**-pKa) + np.sqrt(10 ** (-2 * pKa) + 4 * 10**-pKa * c)) / 2
    model = lambda c, pKa: -np.log10(h(c, pKa))
    values, covariance = optimize.curve_fit(
        model, c, pH, [4.7], np.full(len(c), 0.02), absolute_sigma=True, **TIGHT)
    record_fit("acid", ["pKa"], values, np.sqrt(np.diag(covariance)))
    record("acid", "aic", value=record_chi2("acid", (pH - model(c, *values)) / 0.02, 1))
    # h = 1e-3 in Ka = h^2/(c - h)
    pKa = ufloat(values[0], np.sqrt(covariance[0, 0]))
    c3 = 1e-3 + 1e-6 * exp(log(10) * pKa)
    record_fit("acid", ["c3"], [c3.n], [c3.s])


def addition():
    c, A = read("addition")
    result = Model(lambda c, a, b: a + b * c).fit(A, c=c, a=0, b=1, fit_kws=TIGHT)
    names, values, errors = record_scatter("addition", result)
    record_fit("addition", names, values, errors)
    t = stats.t.ppf(0.975, len(c) - 2)
    for name, error in zip(names, errors):
        record("addition", name, half_width=t * error)
    a, b = correlated_values(values, result.covar)
    record_value("addition", "c0", a / b)
    record("addition", "half_width", value=t * (a / b).s)


def both():
    t, U1, U2 = read("global")

    def residuals(p):
        rate = np.exp(-p["k"] * t)
        return np.concatenate([p["A1"] * rate + p["c1"] - U1, p["A2"] * rate + p["c2"] - U2])

    start = Parameters()
    start.add_many(("A1", 5), ("k", 0.2), ("c1", 0.5), ("A2", 3), ("c2", 1))
    result = minimize(residuals, start, **TIGHT)
    names, values, errors = record_scatter("global", result)
    record_fit("global", names, values, errors)
    record_value("global", "tau", 1 / correlated_values(values, result.covar)[1])


for job in (line, decay, peaks, oscillation, arrhenius, michaelis, pendulum, acid, addition, both):
    job()
with open(HERE / "lab.txt", "w") as file:
    print("# script <tab> row <tab> column <tab> number. Made by lab.py.", file=file)
    print("\n".join(lines), file=file)
