"""Products, solves and likelihoods against numpy's dense ones; the examples in docstrings."""

import doctest
import warnings

import numpy as np
import pytest

import ulisse
import ulisse.linear_algebra
import ulisse.regressor

THETA = {"sigma": 1.7, "tau": 0.6, "lambda_": 0.2}


@pytest.fixture
def points():
    return np.random.default_rng(1).normal(size=(73, 3))


def dense(x, sigma, tau, lambda_):
    distance = ((x[:, None, :] - x[None, :, :]) ** 2 * tau).sum(axis=2)
    return sigma * np.exp(-distance) + lambda_ * np.eye(len(x))


@pytest.mark.parametrize("order", ["C", "F"])
def test_products(points, order):
    v = np.random.default_rng(2).normal(size=(73, 4))
    found = ulisse.covariance_product(np.asarray(points, order=order), np.asarray(v, order=order), **THETA)
    np.testing.assert_allclose(found, dense(points, **THETA) @ v, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(ulisse.covariance_product(points, v[:, 0], **THETA), found[:, 0], rtol=1e-14)
    ard = {**THETA, "tau": np.array([0.1, 0.5, 2.0])}
    np.testing.assert_allclose(ulisse.covariance_product(points, v, kernel="rbf-ard", **ard), dense(points, **ard) @ v, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("rank", [0, 20])
def test_solves(points, rank):
    b = np.random.default_rng(3).normal(size=(73, 2))
    found, info = ulisse.solve(points, b, rank=rank, tolerance=1e-10, **THETA)
    np.testing.assert_allclose(found, np.linalg.solve(dense(points, **THETA), b), rtol=1e-7, atol=1e-7)
    assert info.stop == "converged" and info.products >= info.iterations > 0


def test_likelihood(points):
    y = np.random.default_rng(4).normal(size=73)
    k = dense(points, **THETA)
    expected = -0.5 * (y @ np.linalg.solve(k, y) + np.linalg.slogdet(k)[1] + 73 * np.log(2 * np.pi))
    assert ulisse.log_marginal_likelihood(points, y, **THETA) == pytest.approx(expected, rel=1e-10)


def test_refusals(points):
    with pytest.raises(ValueError, match="rows"):
        ulisse.covariance_product(points, np.ones(5), **THETA)
    with pytest.raises(ValueError, match="positive"):
        ulisse.covariance_product(points, np.ones(73), sigma=-1, tau=1, lambda_=1)
    with pytest.raises(ValueError, match="takes 3 tau"):
        ulisse.covariance_product(points, np.ones(73), kernel="rbf-ard", **THETA)
    with pytest.raises(ValueError, match="backend"):
        ulisse.covariance_product(points, np.ones(73), backend="gpu", **THETA)
    with pytest.raises(ValueError, match="not finite"):
        ulisse.solve(points, np.full(73, np.nan), **THETA)


@pytest.mark.parametrize("module", [ulisse, ulisse.linear_algebra, ulisse.regressor], ids=lambda m: m.__name__)
def test_examples(module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0 and result.failed == 0
