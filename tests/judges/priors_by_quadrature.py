"""Which priors hold the truth, by quadrature in place of draws: script/judge-priors --quadrature.

The tables of priors.py. For one length scale the eigenvalues of the correlation matrix give the likelihood of every signal and
noise, so that the posterior of all three is summed on a grid around its mass, and a prior is a weight on its nodes: a candidate
costs next to nothing, and no sampler has a part in the result.
"""

import argparse

import numpy
import priors
from scipy import linalg, spatial, special

LEAST = -25  # log likelihood, from the largest, of nodes that count
SCALE_OF_CONSTANT = 10  # the prior sd of --trend constant


def lognormal(mu, sd):
    return lambda x: -((numpy.log(x) - mu) ** 2) / (2 * sd**2)


def inverse_gamma(shape, scale):
    return lambda x: -shape * numpy.log(x) - scale / x


def half_t(df, scale):
    return lambda x: -(df + 1) / 2 * numpy.log1p((x / scale) ** 2 / df) + numpy.log(x)


# Densities of the logarithms, up to constants: of signal_sd, lengthscale and noise_sd; and whether there is --trend constant.
LENGTH, WALL = lognormal(0, 1.8), inverse_gamma(0.75, 0.025)
CANDIDATES = {
    "`signal_sd=lognormal(0.5,1.2)`": (lognormal(0.5, 1.2), LENGTH, WALL, False),
    "`signal_sd=lognormal(0.5,1.2)`, `--trend constant`": (lognormal(0.5, 1.2), LENGTH, WALL, True),
    "`signal_sd=half-student-t(4,10)`": (half_t(4, 10), LENGTH, WALL, False),
    "`signal_sd=half-student-t(4,25)`": (half_t(4, 25), LENGTH, WALL, False),
    "**`signal_sd=half-student-t(4,50)`: the default**": (half_t(4, 50), LENGTH, WALL, False),
    "the same, `--trend constant`": (half_t(4, 50), LENGTH, WALL, True),
    "`signal_sd=half-student-t(4,50)`, `lengthscale=lognormal(1,2)`": (half_t(4, 50), lognormal(1, 2), WALL, False),
}


class Likelihood:
    """Of a standardised table, on a grid: logarithms of the length scale and of noise_sd / signal_sd."""

    def __init__(self, table):
        rows, shape = table["rows"], table["shape"]
        x, y = table["x"][:rows], table["y"][:rows]
        self.rows, self.y = rows, (y - y.mean()) / y.std(ddof=1)
        self.correlation = lambda length: priors.correlation(shape, spatial.distance.cdist(x, x) / length)
        lengths, ratios = numpy.linspace(numpy.log(0.01), numpy.log(1000), 36), numpy.linspace(numpy.log(1e-5), numpy.log(300), 45)
        log_determinant, square, of_one, with_one = self.parts(lengths, ratios)
        alone = -0.5 * log_determinant - 0.5 * rows * numpy.log(square)
        rest = square - with_one**2 / of_one
        beside_constant = -0.5 * (log_determinant + numpy.log(of_one)) - 0.5 * (rows - 1) * numpy.log(rest)
        there = (alone > alone.max() - 14) | (beside_constant > beside_constant.max() - 14)
        self.lengths = self.around(lengths, there.any(axis=1), 56)
        self.ratios = self.around(ratios, there.any(axis=0), 90)
        self.found = self.parts(self.lengths, self.ratios)

    @staticmethod
    def around(grid, there, count):
        places, step = numpy.flatnonzero(there), grid[1] - grid[0]
        low, high = grid[places[0]] - step, grid[places[-1]] + step
        return numpy.linspace(low, high, max(count, int((high - low) / 0.06)))

    def parts(self, lengths, ratios):
        """log|M|, y'M^-1 y, 1'M^-1 1 and 1'M^-1 y of M = correlation + ratio^2, (lengths, ratios) each."""
        found = []
        for length in numpy.exp(lengths):
            values, vectors = linalg.eigh(self.correlation(length), check_finite=False)
            y, one = vectors.T @ self.y, vectors.sum(axis=0)
            w = 1 / (numpy.maximum(values, 0) + numpy.exp(2 * ratios)[:, None])
            found.append((-numpy.log(w).sum(axis=1), w @ y**2, w @ one**2, w @ (one * y)))
        return [numpy.array(part) for part in zip(*found)]

    def nodes(self, constant):
        """Length scale, signal and noise sd, and the log likelihood, of the nodes that count."""
        log_determinant, square, of_one, with_one = (part[..., None] for part in self.found)
        around = square - with_one**2 / of_one if constant else square
        log_signal = numpy.log(around / self.rows) + numpy.linspace(-6, 6, 25) * numpy.sqrt(2 / self.rows)  # of the variance
        variance = numpy.exp(log_signal)
        log_likelihood = -0.5 * (self.rows * log_signal + log_determinant + square / variance)
        if constant:
            of_prior = SCALE_OF_CONSTANT**2 * of_one / variance
            log_likelihood += -0.5 * numpy.log1p(of_prior) + 0.5 * (with_one / variance) ** 2 / (1 / SCALE_OF_CONSTANT**2 + of_one / variance)
        log_likelihood -= log_likelihood.max()
        kept = log_likelihood > LEAST
        signal = numpy.sqrt(variance)
        length = numpy.exp(self.lengths)[:, None, None] + 0 * signal
        return length[kept], signal[kept], (signal * numpy.exp(self.ratios)[:, None])[kept], log_likelihood[kept]


def judge(table):
    """Whether each candidate's 90 % intervals hold the truth: 0, or -1 and 1 where that is below and above."""
    likelihood, power = Likelihood(table), 1 if table["shape"] == "rbf" else 1.5
    unit = table["y"][: table["rows"]].std(ddof=1)
    truth = {"length": table["truth"]["lengthscale"], "signal": table["truth"]["signal_sd"] / unit, "noise": table["truth"]["noise_sd"] / unit}
    truth["slope"] = truth["signal"] / truth["length"] ** power
    results, nodes = {}, {constant: likelihood.nodes(constant) for constant in (False, True)}
    orders = {}
    for name, (of_signal, of_length, of_noise, constant) in CANDIDATES.items():
        length, signal, noise, log_likelihood = nodes[constant]
        log_weights = log_likelihood + of_signal(signal) + of_length(length) + of_noise(noise)
        weights = numpy.exp(log_weights - special.logsumexp(log_weights))
        held = {}
        for what, values in {"length": length, "signal": signal, "noise": noise, "slope": signal / length**power}.items():
            order = orders.setdefault((constant, what), numpy.argsort(values))
            low, high = values[order][numpy.searchsorted(numpy.cumsum(weights[order]), [0.05, 0.95])]
            held[what] = int(truth[what] > high) - int(truth[what] < low)
        results[name] = held
    return results


def share(values):
    """Held, and in brackets how often the truth lies below and above."""
    values = numpy.array(values)
    return " ".join([f"{100 * (values == 0).mean():.0f}", f"({100 * (values < 0).mean():.0f}, {100 * (values > 0).mean():.0f})"]) if len(values) else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=360)
    parser.add_argument("--rows", type=int, nargs="+", default=[50, 150])
    options = parser.parse_args()
    judged = []
    for seed in range(1, options.tables + 1):
        table = priors.draw_table(seed, options.rows)
        judged.append((table["truth"]["lengthscale"], judge(table)))
    bands = [f"length scale {band}" for band in priors.BANDS]
    print("| priors | noise | signal | signal/length | " + " | ".join(bands) + " |\n| --- |" + " ---: |" * (3 + len(bands)))
    for name in CANDIDATES:
        row = [share([held[name][what] for _, held in judged]) for what in ("noise", "signal", "slope")]
        row += [share([held[name]["length"] for length, held in judged if low <= length < high]) for low, high in priors.BANDS.values()]
        print(f"| {name} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
