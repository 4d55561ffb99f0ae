"""Joint predictions: covariances, and samples of functions."""

import warnings

import numpy as np
import pytest

import ulisse
from ulisse.regressor import FitWarning

pytestmark = pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")


def test_spread_comes_from_within_draws_and_between_them(fitted, table):
    x = table[0][:6]
    mean, cov = fitted.predict(x, return_cov=True)
    same, sd = fitted.predict(x, return_std=True)
    np.testing.assert_array_equal(mean, same)
    np.testing.assert_allclose(np.sqrt(np.diag(cov)), sd, rtol=1e-8)
    np.testing.assert_allclose(cov, cov.T)
    assert np.linalg.eigvalsh(cov).min() > 0
    latent = fitted.predict(x, return_std=True, latent=True)[1]
    assert (latent < sd).all()


def test_samples_have_the_functions_moments(fitted, table):
    x = table[0][:4]
    samples = fitted.sample_y(x, n_samples=2000, random_state=1)
    assert samples.shape == (4, 2000)
    mean, sd = fitted.predict(x, return_std=True, latent=True)
    # Five standard errors, of a mean and of a standard deviation: a false alarm once in 200,000.
    assert (np.abs(samples.mean(axis=1) - mean) < 5 * sd / np.sqrt(2000)).all()
    assert (np.abs(samples.std(axis=1) / sd - 1) < 5 / np.sqrt(4000) + 0.05).all()
    np.testing.assert_array_equal(samples, fitted.sample_y(x, n_samples=2000, random_state=1))
    assert not np.array_equal(samples, fitted.sample_y(x, n_samples=2000, random_state=2))


@pytest.mark.parametrize("kind", [np.random.default_rng, np.random.RandomState])
def test_samples_take_any_random_state_that_fit_takes(fitted, table, kind):
    x = table[0][:4]
    np.testing.assert_array_equal(fitted.sample_y(x, random_state=kind(1)), fitted.sample_y(x, random_state=kind(1)))


def test_samples_of_a_smooth_function_are_as_wide_as_their_covariance_says():
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 6, size=(60, 1))
    model = ulisse.GPRegressor(sampler="mh", draws=100, predict_draws=20, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitWarning)
        model.fit(x, np.sin(x[:, 0]) + 0.1 * rng.normal(size=60))
    # A fine grid, a point of it twice, and one of the table.
    grid = np.vstack([np.linspace(-1.5, 7.5, 181)[:, None], [[-1.5]], x[:1]])
    samples = model.sample_y(grid, n_samples=4000, random_state=3)
    mean, covariance = model.predict(grid, return_cov=True, latent=True)
    _, sd = model.predict(grid, return_std=True, latent=True)
    np.testing.assert_array_equal(covariance, covariance.T)
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), sd, rtol=1e-6)
    assert np.linalg.eigvalsh(covariance)[0] > -1e-10 * sd.max() ** 2
    # Of 4,000 samples a standard deviation has an error of 1.1 %, and more where the 20 draws differ. Eight of
    # them: a false alarm less than once in a million, were the samples normal.
    assert (np.abs(samples.mean(axis=1) - mean) < 8 * sd / np.sqrt(4000)).all()
    assert (np.abs(samples.std(axis=1) / sd - 1) < 0.09).all()
    correlation = (covariance / np.outer(sd, sd))[:181:20, :181:20]
    assert np.abs(np.corrcoef(samples[:181:20]) - correlation).max() < 0.09
    # Differences between neighbours: a rough sample would have ones that are far too large.
    steps = np.diff(samples[:181], axis=0).std(axis=1)
    d = np.diff(np.eye(181), axis=0)
    np.testing.assert_allclose(steps, np.sqrt(np.diag(d @ covariance[:181, :181] @ d.T)), rtol=0.09)
    assert np.abs(samples[0] - samples[181]).max() < 1e-6
    noisy = model.predict(grid, return_cov=True)[1]
    np.testing.assert_allclose(noisy - np.diag(np.diag(noisy)), covariance - np.diag(np.diag(covariance)), atol=1e-9)


def test_numbers_of_samples_that_cannot_be_are_refused(fitted, table):
    for count in [-1, 10**9]:
        with pytest.raises(ValueError, match="at (least|most)"):
            fitted.sample_y(table[0][:2], n_samples=count)
