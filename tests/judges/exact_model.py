"""The log density of log parameters in plain numpy, written from docs/method/model.md: sums of single factors, a trend, gamma(1,1) or the default priors."""

import math
from dataclasses import dataclass

import numpy
from scipy.linalg import lapack, solve_triangular

ROOT_OF_SQUARES = {"matern12": 1, "matern32": 3, "matern52": 5}
SCALE_OF_COEFFICIENTS = 10


def shape_of(name, squares):
    """Overwrites the squared distances."""
    if name == "rbf":
        return numpy.exp(-squares, out=squares)
    a = numpy.sqrt(ROOT_OF_SQUARES[name] * squares)
    first = {"matern12": 1, "matern32": 1 + a, "matern52": 1 + a + a * a / 3}[name]
    return first * numpy.exp(-a)


@dataclass
class Term:
    shape: str
    columns: list  # of x
    ard: bool = False

    @property
    def taus(self):
        return len(self.columns) if self.ard else 1


def half_student_t(q, df, scale):
    return -(df + 1) / 2 * numpy.log1p((q / scale) ** 2 / df)


class ExactModel:
    """psi is, for each term, log sigma and log tau, and last log lambda; densities lack a constant."""

    def __init__(self, x, y, terms, trend=None, gamma_priors=False):
        self.x = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
        self.y = (y - y.mean()) / y.std(ddof=1)
        self.terms, self.gamma_priors = terms, gamma_priors
        basis = numpy.column_stack([numpy.ones(len(y)), self.x[:, list(trend)]]) if trend is not None else None
        self.of_trend = SCALE_OF_COEFFICIENTS**2 * basis @ basis.T if basis is not None else 0

    def squares(self, columns, tau):
        z = self.x[:, columns] * numpy.sqrt(tau)
        lengths = (z * z).sum(axis=1)
        return numpy.maximum(lengths[:, None] + lengths - 2 * z @ z.T, 0)

    def log_prior(self, psi):
        if self.gamma_priors:
            return (psi - numpy.exp(psi)).sum()
        of_noise = -0.75 * psi[-1] / 2 - 0.025 * math.exp(-psi[-1] / 2)
        place, total = 0, of_noise
        for term in self.terms:
            total += half_student_t(math.exp(psi[place] / 2), 4, 50) + psi[place] / 2
            taus = psi[place + 1 : place + 1 + term.taus]
            # The length scale is constant tau^(-1/2).
            log_constant = -0.5 * math.log(2) if term.shape == "rbf" else 0
            total += -0.5 * (((log_constant - taus / 2) / 1.8) ** 2).sum()
            place += 1 + term.taus
        return total

    def __call__(self, psi):
        k, place = numpy.array(self.of_trend) + numpy.zeros((len(self.y),) * 2), 0
        for term in self.terms:
            taus = numpy.exp(psi[place + 1 : place + 1 + term.taus])
            k += math.exp(psi[place]) * shape_of(term.shape, self.squares(term.columns, taus))
            place += 1 + term.taus
        k[numpy.diag_indices_from(k)] += math.exp(psi[-1])
        factor, failed = lapack.dpotrf(k.T, lower=1, overwrite_a=1)
        if failed:
            return -math.inf
        a = solve_triangular(factor, self.y, lower=True, check_finite=False)
        return self.log_prior(psi) - numpy.log(numpy.diag(factor)).sum() - 0.5 * a @ a
