"""Priors on length scales and standard deviations, fixed values, and their units, from Python."""

import json

import numpy as np
import pytest

import ulisse

pytestmark = pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")


@pytest.fixture(scope="module")
def waves():
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.uniform(0, 100, 50), rng.uniform(0, 2, 50)])
    return x, 50 + 20 * np.sin(x[:, 0] / 12) + 3 * rng.normal(size=50)


def regressor(draws=100, **options):
    return ulisse.GPRegressor(sampler="mh", draws=draws, warmup=100, kernel="rbf-ard", **options)


def test_priors_and_fixed_values_in_the_units_of_the_data(waves, tmp_path):
    x, y = waves
    model = regressor(priors={"lengthscale.x1": "lognormal(3,0.2)"}, fixed={"noise_sd": np.float64(3)}, prior_units="data").fit(x, y)
    assert sorted(model.draws_) == ["sigma", "tau.1", "tau.2"]
    settings = json.loads(model.files_["fit.json"])["settings"]
    assert settings["fixed"] == ["noise_sd=3.0"] and settings["prior_units"] == "data"
    # The same on standardised values.
    of_x, of_y = np.std(x[:, 0], ddof=1), np.std(y, ddof=1)
    plain = regressor(priors={"lengthscale.x1": f"lognormal({3 - np.log(of_x)!r},0.2)"}, fixed={"noise_sd": 3 / of_y}).fit(x, y)
    np.testing.assert_allclose(model.draws_["tau.1"], plain.draws_["tau.1"], rtol=1e-6)
    model.save(tmp_path / "fit")
    loaded = ulisse.GPRegressor.load(tmp_path / "fit")
    assert (loaded.fixed, loaded.prior_units) == ({"noise_sd": "3.0"}, "data")
    np.testing.assert_array_equal(loaded.fit(x, y).draws_["tau.1"], model.draws_["tau.1"])


def test_a_prior_that_matters_is_among_the_findings(waves):
    x, y = waves
    options = {name: "lognormal(0,3)" for name in ("sigma", "tau")}
    model = regressor(draws=800, priors={**options, "noise_sd": "lognormal(0,0.1)"}).fit(np.tile(x, (3, 1)) + 1e-3, np.tile(y, 3))
    assert any("the prior of lambda" in text for text in model.warnings_)
    found = [f for f in model.findings_ if f["code"].startswith("prior_") and f["values"]["prior_of"] == "lambda"]
    assert len(found) == 1 and found[0]["values"]["sensitivity"] > 0.05


@pytest.mark.parametrize("options, words", [
    ({"fixed": "noise_sd"}, "fixed must be a dict"),
    ({"prior_units": 3}, "prior_units must be a text"),
    ({"prior_units": "metres"}, "prior_units: 'metres' is neither standardised nor data"),
    ({"priors": {"tau": "gamma(1,1)", "lengthscale": "gamma(1,1)"}}, "tau and lengthscale are one parameter"),
])
def test_what_cannot_be_is_refused(waves, options, words):
    with pytest.raises((TypeError, ValueError), match=words):
        regressor(**options).fit(*waves)
