"""Fully Bayesian Gaussian-process regression at scale.

>>> import numpy as np, ulisse
>>> x = np.linspace(0, 6, 40)[:, None]
>>> y = np.sin(x[:, 0]) + 0.1 * np.random.default_rng(1).normal(size=40)
>>> model = ulisse.GPRegressor(draws=100, random_state=1).fit(x, y)
>>> mean, sd = model.predict([[1.5], [3.0]], return_std=True)
>>> bool(abs(mean[0] - np.sin(1.5)) < 0.3)
True
"""

from ._core import InputError, OutputError, __version__
from .linear_algebra import covariance_product, log_marginal_likelihood, solve
from .loo import Loo, compare
from .regressor import FitWarning, GPRegressor
from .unbiased import gradient_estimates, likelihood_gradient, unbiased_solve

__all__ = [
    "FitWarning",
    "GPRegressor",
    "InputError",
    "Loo",
    "OutputError",
    "__version__",
    "compare",
    "covariance_product",
    "gradient_estimates",
    "likelihood_gradient",
    "log_marginal_likelihood",
    "solve",
    "unbiased_solve",
]
