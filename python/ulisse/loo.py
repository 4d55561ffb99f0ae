"""Leave-one-out cross-validation of fitted regressors, and comparisons by it."""

from __future__ import annotations

from . import _core

POINTWISE = ("observed", "mean", "sd", "below", "elpd", "elpd_mcse", "p_loo", "pareto_k", "relative_ess")


class Loo:
    """How well a model predicts each row of its table from all others.

    Attributes
    ----------
    elpd, elpd_se : the log predictive densities of all rows, summed, in the target's own units, and the standard error of that.
    p_loo, p_loo_se : the effective number of parameters. looic, looic_se : -2 elpd.
    bad_rows : how many rows have a Pareto k-hat above ``good_k``: their elpd is not reliable.
    pointwise : dict of arrays, one element for each row: observed, mean, sd, below (the probability of less than what was observed),
        elpd, elpd_mcse (its Monte Carlo error), p_loo, pareto_k and relative_ess.
    log_density : (draws, rows) of log p(y_i | y_-i, parameters), what R's ``loo()`` and ArviZ take; chain after chain.
    log_evidence : (value, standard error, k-hat) where it was asked for, else None.
    method, elpd_error : how it was computed; where that is by neighbours, how far elpd may be off by that.
    """

    def __init__(self, core: _core.Loo, log_evidence: tuple[float, float, float] | None = None):
        self._core = core
        self.elpd, self.elpd_se = core.total_elpd()
        self.p_loo, self.p_loo_se = core.total_p_loo()
        self.looic, self.looic_se = core.looic()
        self.bad_rows, self.good_k = core.bad_rows, core.good_k
        self.pointwise = {name: getattr(core, name) for name in POINTWISE}
        self.draws, self.chains = core.draws, core.chains
        self.method, self.elpd_error = core.method, core.elpd_error
        self.log_evidence = log_evidence

    @classmethod
    def of(cls, fit: _core.Fit, draws: int, method: str, evidence: int, memory: int, seed: int, threads: int) -> Loo:
        found = _core.loo(fit, int(draws), method, int(memory), int(seed), int(threads))
        log_evidence = _core.evidence(fit, int(evidence), int(memory), int(seed), int(threads)) if evidence else None
        return cls(found, log_evidence)

    @property
    def log_density(self):
        return self._core.log_density

    def __repr__(self) -> str:
        return f"Loo(elpd={self.elpd:.2f}, se={self.elpd_se:.2f}, p_loo={self.p_loo:.2f}, bad_rows={self.bad_rows})"


def compare(**fits):
    """Compares fitted regressors, or what their ``loo()`` returned, by leave-one-out: ``compare(rbf=one, ard=other)``.

    A row for each, the best first: by how much its elpd is less than the best one's (``elpd_diff``, ``se_diff``), and its own. A DataFrame
    where pandas is there, else a dict of dicts. Fits of other rows or targets raise InputError.
    """
    if len(fits) < 2:
        raise ValueError("compare() takes two or more fits by names of their own: compare(rbf=one, ard=other)")
    found = {name: fit if isinstance(fit, Loo) else fit.loo() for name, fit in fits.items()}
    names = list(found)
    rows = {}
    for which, difference, error in _core.compare([loo._core for loo in found.values()]):
        loo = found[names[which]]
        rows[names[which]] = {"elpd_diff": difference, "se_diff": error, "elpd": loo.elpd, "se": loo.elpd_se, "p_loo": loo.p_loo,
                              "looic": loo.looic, "bad_rows": loo.bad_rows}
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame.from_dict(rows, orient="index")
