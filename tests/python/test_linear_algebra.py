"""Products, solves and likelihoods against numpy's dense ones; the examples in docstrings."""

import doctest
import warnings

import numpy as np
import pytest

import ulisse
import ulisse.linear_algebra
import ulisse.regressor
import ulisse.unbiased

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


@pytest.mark.parametrize("backend", ["kdtree", "anchors"])
def test_trees(points, backend):
    v = np.random.default_rng(2).normal(size=(73, 4))
    exact = dense(points, **THETA) @ v
    found = ulisse.covariance_product(points, v, backend=backend, product_tolerance=1e-3, **THETA)
    bound = 1e-3 * (THETA["sigma"] * np.abs(v).sum(axis=0) + dense(points, **THETA) @ np.abs(v))
    assert (np.abs(found - exact) <= bound).all()
    np.testing.assert_allclose(ulisse.covariance_product(points, v, backend=backend, **THETA), exact, atol=1e-8)


@pytest.mark.parametrize("in_float", [False, True])
def test_solves_with_an_inner_solve(points, in_float):
    b = np.random.default_rng(3).normal(size=73)
    found, info = ulisse.solve(points, b, shift=0.5, shift_in_float=in_float, **THETA)
    np.testing.assert_allclose(found, np.linalg.solve(dense(points, **THETA), b), rtol=1e-6, atol=1e-6)
    assert info.inner_products > info.iterations
    with pytest.raises(ValueError, match="not both"):
        ulisse.solve(points, b, shift=0.5, rank=3, **THETA)


def test_tolerances_are_relative_and_absolute(points):
    b = 1e6 * np.random.default_rng(3).normal(size=73)
    _, relative = ulisse.solve(points, b, tolerance=1e-3, **THETA)
    _, absolute = ulisse.solve(points, b, tolerance=0, absolute_tolerance=1e-3, **THETA)
    assert relative.residual > 1 > 1e-3 >= absolute.residual and relative.iterations < absolute.iterations


# False alarms of the z-scores below: 6 sd, less than 1e-8 each.
# exp(1) is unbiased, too, but its expectation rests on draws that 4,000 estimates do not see.
@pytest.mark.parametrize("truncation", ["exp(0.1)", "matched"])
def test_unbiased_solves(points, truncation):
    b = np.random.default_rng(3).normal(size=73)
    found, info = ulisse.unbiased_solve(points, b, q=0.05, truncation=truncation, estimates=4000, **THETA)
    assert found.shape == (4000, 73) and info.terms.shape == (4000,) and info.terms.min() >= 0
    error = found.std(axis=0, ddof=1) / np.sqrt(4000)
    assert (np.abs(found.mean(axis=0) - np.linalg.solve(dense(points, **THETA), b)) < 6 * error + 1e-6).all()
    assert error.max() > 0, "nothing was cut"


@pytest.mark.parametrize("probes", [{}, {"rank": 30, "probe_kind": "preconditioned"}])
def test_gradients(points, probes):
    y = np.random.default_rng(4).normal(size=73)
    value, exact = ulisse.likelihood_gradient(points, y, **THETA)
    assert value == pytest.approx(ulisse.log_marginal_likelihood(points, y, **THETA), rel=1e-12)
    for i, name in enumerate(THETA):
        ends = [ulisse.log_marginal_likelihood(points, y, **{**THETA, name: THETA[name] * np.exp(h)}) for h in (1e-5, -1e-5)]
        assert exact[i] == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-5)
    found, products = ulisse.gradient_estimates(points, y, repeats=2000, q=0.05, **probes, **THETA)
    assert found.shape == (2000, 3) and products.shape == (2000,)
    assert (np.abs(found.mean(axis=0) - exact) < 6 * found.std(axis=0, ddof=1) / np.sqrt(2000)).all()
    with pytest.raises(ValueError, match="need a rank"):
        ulisse.gradient_estimates(points, y, probe_kind="preconditioned", **THETA)
    with pytest.raises(ValueError, match="truncation rule"):
        ulisse.gradient_estimates(points, y, truncation="never", **THETA)


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


@pytest.mark.parametrize("module", [ulisse, ulisse.linear_algebra, ulisse.regressor, ulisse.unbiased], ids=lambda m: m.__name__)
def test_examples(module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0 and result.failed == 0
