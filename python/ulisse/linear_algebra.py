"""Products, solves and likelihoods of covariance matrices that are never stored.

Parameters are given on their natural scale: ``sigma`` (signal variance), ``tau`` (inverse squared length scale; with an
``-ard`` kernel one for each input) and ``lambda_`` (noise variance). Arrays of doubles in Fortran order are not copied.
"""

from __future__ import annotations

import typing
import warnings

import numpy as np

from . import _core, arguments


def _psi(kernel: str, d: int, sigma: float, tau, lambda_: float) -> np.ndarray:
    """Logarithms of the parameters, in the order of the library."""
    tau = np.atleast_1d(np.asarray(tau, dtype=float))
    wanted = d if kernel.endswith("-ard") else 1
    if tau.shape != (wanted,):
        raise ValueError(f"the kernel {kernel} on {d} inputs takes {wanted} tau, not {tau.size}")
    theta = np.concatenate([[sigma], tau, [lambda_]])
    if not (np.isfinite(theta).all() and (theta > 0).all()):
        raise ValueError("sigma, tau and lambda_ must be positive and finite")
    return np.log(theta)


def _matrix(name: str, values) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, not {values.ndim}")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} has a value that is not finite")
    return np.asfortranarray(values)


def _right_hand_sides(name: str, values, n: int) -> tuple[np.ndarray, bool]:
    values = np.asarray(values, dtype=float)
    single = values.ndim == 1
    block = _matrix(name, values[:, None] if single else values)
    if block.shape[0] != n:
        raise ValueError(f"{name} has {block.shape[0]} rows, but there are {n} points")
    return block, single


def covariance_product(x, v, *, sigma: float, tau, lambda_: float, kernel: str = "rbf", backend: str = "dense", product_tolerance: float = 1e-10,
                       threads: int = 0) -> np.ndarray:
    """``K v`` for the covariance matrix K of the rows of x, noise included.

    v is a vector or a block of columns. ``backend`` is "dense", "dense-float", "cached", "kdtree", "anchors",
    "reference" or "auto" (the fastest of a trial, which takes longer than one product); with "kdtree" and "anchors" each value of K may be off by ``product_tolerance * (sigma + K)``.

    >>> import numpy as np, ulisse
    >>> x = np.array([[0.0], [1.0]])
    >>> ulisse.covariance_product(x, np.eye(2), sigma=2.0, tau=1.0, lambda_=0.5).round(4)
    array([[2.5   , 0.7358],
           [0.7358, 2.5   ]])
    """
    arguments.check(kernel=kernel, backend=backend, product_tolerance=product_tolerance, threads=threads)
    x = _matrix("x", x)
    block, single = _right_hand_sides("v", v, x.shape[0])
    product = _core.covariance_product(x, block, _psi(kernel, x.shape[1], sigma, tau, lambda_), kernel, backend, product_tolerance, threads)
    return product[:, 0] if single else product


class SolveInfo(typing.NamedTuple):
    """How a solve ended: "converged", "iteration limit", "stagnation" or "breakdown"."""

    stop: str
    iterations: int
    products: int
    inner_products: int
    residual: float
    message: str


def solve(x, b, *, sigma: float, tau, lambda_: float, kernel: str = "rbf", backend: str = "auto", tolerance: float = 1e-8,
          absolute_tolerance: float = 0.0, max_iterations: int = 0, product_tolerance: float = 1e-10, rank: int = 0, shift: float = 0.0,
          shift_in_float: bool = False, seed: int = 1, threads: int = 0) -> tuple[np.ndarray, SolveInfo]:
    """``K^-1 b`` by conjugate gradients, and how that ended.

    Columns of b are solved until each residual is below ``absolute_tolerance`` plus ``tolerance`` times the column's norm.
    ``rank`` above 0 takes a preconditioner of that rank (randomly pivoted Cholesky), which pays where n is large; ``shift``
    above 0 takes ``K + shift I``, inverted by an inner solve, in single precision with ``shift_in_float``.

    >>> import numpy as np, ulisse
    >>> x = np.linspace(0, 1, 50)[:, None]
    >>> b = np.sin(x[:, 0])
    >>> s, info = ulisse.solve(x, b, sigma=1.0, tau=4.0, lambda_=0.1)
    >>> info.stop
    'converged'
    >>> bool(np.abs(ulisse.covariance_product(x, s, sigma=1.0, tau=4.0, lambda_=0.1) - b).max() < 1e-6)
    True
    """
    arguments.check(kernel=kernel, backend=backend, tolerance=tolerance, absolute_tolerance=absolute_tolerance, max_iterations=max_iterations,
                    product_tolerance=product_tolerance, rank=rank, shift=shift, shift_in_float=shift_in_float, seed=seed, threads=threads)
    x = _matrix("x", x)
    block, single = _right_hand_sides("b", b, x.shape[0])
    psi = _psi(kernel, x.shape[1], sigma, tau, lambda_)
    if rank > 0 and shift > 0:
        raise ValueError("a preconditioner has a rank or a shift, not both")
    solution, about = _core.solve(x, block, psi, kernel, backend, tolerance, absolute_tolerance, max_iterations, product_tolerance,
                                  min(rank, x.shape[0]), shift, shift_in_float, seed, threads)
    info = SolveInfo(**about)
    if info.stop != "converged":
        warnings.warn(f"the solve did not converge: {info.stop}, residual {info.residual:.2g}; a higher rank may help", RuntimeWarning, stacklevel=2)
    return (solution[:, 0] if single else solution), info


def log_marginal_likelihood(x, y, *, sigma: float, tau, lambda_: float, kernel: str = "rbf", threads: int = 0) -> float:
    """``log p(y | theta)`` by Cholesky: exact, O(n^3). -inf where the matrix is not positive definite in floating point.

    >>> import numpy as np, ulisse
    >>> x, y = np.array([[0.0], [1.0]]), np.array([0.3, -0.2])
    >>> round(ulisse.log_marginal_likelihood(x, y, sigma=2.0, tau=1.0, lambda_=0.5), 6)
    -2.745068
    """
    arguments.check(kernel=kernel, threads=threads)
    x = _matrix("x", x)
    y, _ = _right_hand_sides("y", np.ravel(np.asarray(y, dtype=float)), x.shape[0])
    return _core.log_marginal_likelihood(x, y[:, 0], _psi(kernel, x.shape[1], sigma, tau, lambda_), kernel, threads)
