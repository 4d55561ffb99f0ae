"""Solves that stop early and stay unbiased, and the gradients made of them: what the samplers are built on, on arrays."""

from __future__ import annotations

import typing

import numpy as np

from . import _core, arguments
from .linear_algebra import _matrix, _psi, _right_hand_sides


class UnbiasedInfo(typing.NamedTuple):
    """What unbiased estimates cost: updates until the early stop, further ones of each estimate, products of the one run they share.

    ``warning`` says in words when the expectation rests on draws that no run of realistic length sees.
    """

    early_stop: int
    terms: np.ndarray
    products: int
    warning: str


def unbiased_solve(x, b, *, sigma: float, tau, lambda_: float, kernel: str = "rbf", backend: str = "auto", q: float = 1.0,
                   truncation: str = "exp(1)", estimates: int = 2, rank: int = 0, seed: int = 1,
                   threads: int = 0) -> tuple[np.ndarray, UnbiasedInfo]:
    """Independent estimates of ``K^-1 b``, (estimates, n), each with the right expectation, from one run of conjugate gradients.

    All updates until the residual is below ``q sqrt(n)``, then a random number of weighted ones: ``truncation`` is "exp(b)" (the
    weights exp(b j)), "matched" or "matched(power)".

    >>> import numpy as np, ulisse
    >>> x = np.linspace(0, 1, 50)[:, None]
    >>> b = np.sin(9 * x[:, 0])
    >>> found, info = ulisse.unbiased_solve(x, b, sigma=1.0, tau=4.0, lambda_=0.1, q=0.1, estimates=1000)
    >>> exact, _ = ulisse.solve(x, b, sigma=1.0, tau=4.0, lambda_=0.1)
    >>> error = found.std(axis=0) / 1000**0.5
    >>> bool((np.abs(found.mean(axis=0) - exact) < 6 * error + 1e-6).all())
    True
    """
    arguments.check(kernel=kernel, backend=backend, q=q, truncation=truncation, estimates=estimates, rank=rank, seed=seed, threads=threads)
    x = _matrix("x", x)
    block, single = _right_hand_sides("b", b, x.shape[0])
    if not single:
        raise ValueError("b must be a vector")
    psi = _psi(kernel, x.shape[1], sigma, tau, lambda_)
    found, about = _core.unbiased_solve(x, block[:, 0], psi, kernel, backend, q, truncation, estimates, min(rank, x.shape[0]), seed, threads)
    return found.T, UnbiasedInfo(about["early_stop"], np.array(about["terms"]), about["products"], about["warning"])


def gradient_estimates(x, y, *, sigma: float, tau, lambda_: float, kernel: str = "rbf", backend: str = "auto", repeats: int = 1, probes: int = 4,
                       probe_kind: str = "rademacher", q: float = 1.0, truncation: str = "exp(1)", tolerance: float = 1e-8, rank: int = 0,
                       seed: int = 1, threads: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Estimates of the gradient of ``log p(y | theta)`` in the log parameters, (repeats, parameters), and the products of each.

    The trace is estimated with ``probes`` random vectors, "rademacher" or "preconditioned" (which needs ``rank``); solves are cut as by
    ``unbiased_solve``, or run until ``tolerance`` with ``truncation="none"``. Each estimate has its own probes and starts from zero.

    >>> import numpy as np, ulisse
    >>> x = np.linspace(0, 1, 50)[:, None]
    >>> y = np.sin(9 * x[:, 0])
    >>> theta = dict(sigma=1.0, tau=4.0, lambda_=0.1)
    >>> found, products = ulisse.gradient_estimates(x, y, repeats=500, truncation="none", **theta)
    >>> _, exact = ulisse.likelihood_gradient(x, y, **theta)
    >>> error = found.std(axis=0) / 500**0.5
    >>> bool((np.abs(found.mean(axis=0) - exact) < 6 * error).all())
    True
    """
    arguments.check(kernel=kernel, backend=backend, repeats=repeats, probes=probes, probe_kind=probe_kind, q=q, truncation=truncation,
                    tolerance=tolerance, rank=rank, seed=seed, threads=threads)
    x = _matrix("x", x)
    y, _ = _right_hand_sides("y", np.ravel(np.asarray(y, dtype=float)), x.shape[0])
    if probe_kind == "preconditioned" and rank < 1:
        raise ValueError("preconditioned probes need a rank")
    psi = _psi(kernel, x.shape[1], sigma, tau, lambda_)
    found, products = _core.gradient_estimates(x, y[:, 0], psi, kernel, backend, repeats, probes, probe_kind, q, truncation, tolerance,
                                               min(rank, x.shape[0]), seed, threads)
    return found.T, np.array(products)


def likelihood_gradient(x, y, *, sigma: float, tau, lambda_: float, kernel: str = "rbf", threads: int = 0) -> tuple[float, np.ndarray]:
    """``log p(y | theta)`` and its gradient in the log parameters (sigma, tau, lambda), by Cholesky.

    >>> import numpy as np, ulisse
    >>> value, gradient = ulisse.likelihood_gradient(np.array([[0.0], [1.0]]), [0.3, -0.2], sigma=2.0, tau=1.0, lambda_=0.5)
    >>> round(value, 6), gradient.shape
    (-2.745068, (3,))
    """
    arguments.check(kernel=kernel, threads=threads)
    x = _matrix("x", x)
    y, _ = _right_hand_sides("y", np.ravel(np.asarray(y, dtype=float)), x.shape[0])
    return _core.likelihood_gradient(x, y[:, 0], _psi(kernel, x.shape[1], sigma, tau, lambda_), kernel, threads)
