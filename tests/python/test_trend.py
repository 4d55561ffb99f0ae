"""Trends, kernels as expressions, and what comes out in the data's own units."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import ulisse

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXECUTABLE = os.environ.get("ULISSE", str(ROOT / "build" / "ulisse"))
QUICK = {"sampler": "mh", "draws": 150, "warmup": 100, "random_state": 3}

pytestmark = pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")


@pytest.fixture(scope="module")
def sloped():
    """A slope of 0.8 along lat and a wiggle along lon."""
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.uniform(40, 50, 80), rng.uniform(0, 30, 80)])
    return x, 5 + 0.8 * x[:, 0] + np.sin(x[:, 1] / 4) + 0.3 * rng.normal(size=80)


@pytest.fixture(scope="module")
def fitted(sloped):
    return ulisse.GPRegressor(kernel="matern32", trend="x1", **QUICK).fit(*sloped)


def test_the_slope_is_found(fitted):
    draws = fitted.quantities_
    assert list(draws) == ["signal_sd", "noise_sd", "lengthscale.1", "lengthscale.2", "trend.intercept", "trend.x1"]
    assert draws["trend.x1"].shape == (4, 150)
    low, high = np.quantile(draws["trend.x1"], [0.05, 0.95])
    # The kernel's own slopes are as wide as the default prior of its sd lets them be.
    assert low < 0.8 < high and high - low < 2
    summary = fitted.summary_quantities_
    rows = summary.to_dict("index") if hasattr(summary, "to_dict") else summary
    assert rows["trend.x1"]["mean"] == pytest.approx(draws["trend.x1"].mean())
    assert "sigma" not in rows and list(fitted.draws_) == ["sigma", "tau", "lambda"]


def test_draws_are_the_command_lines(sloped, fitted, tmp_path):
    lines = ["x1,x2,y", *(f"{float(a)!r},{float(b)!r},{float(c)!r}" for (a, b), c in zip(*sloped))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    subprocess.run([EXECUTABLE, "fit", tmp_path / "t.csv", "--target", "y", "--kernel", "matern32", "--trend", "x1", "--sampler", "mh", "--draws", "150",
                    "--warmup", "100", "--seed", "3", "--quiet", "--out", tmp_path / "fit"], check=True, capture_output=True)
    again = ulisse.GPRegressor.load(tmp_path / "fit")
    assert again.trend == ["x1"] and again.trend_scale == 10
    for name, values in fitted.quantities_.items():
        np.testing.assert_array_equal(values, again.quantities_[name])


def test_predictions_follow_the_trend(fitted):
    far = np.array([[1000.0, 15.0]])
    mean, sd = fitted.predict(far, return_std=True, latent=True)
    line = fitted.quantities_["trend.intercept"] + 1000 * fitted.quantities_["trend.x1"]
    assert mean[0] == pytest.approx(line.mean(), abs=line.std())
    assert sd[0] > 0.7 * line.std()


def test_components_add_up(fitted, sloped):
    x = sloped[0][:7]
    parts = fitted.predict_components(x)
    assert list(parts) == ["trend", "term.1"]
    np.testing.assert_allclose(parts["trend"][0] + parts["term.1"][0], fitted.predict(x), rtol=1e-9)
    assert all((sd > 0).all() and sd.shape == (7,) for _, sd in parts.values())


def test_names_of_a_data_frame_stand_in_expressions_and_trends(sloped):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"lat": sloped[0][:, 0], "lon": sloped[0][:, 1]})
    model = ulisse.GPRegressor(kernel="rbf(lon) + matern32(lat,lon)", trend=["lat"], trend_scale=5, **QUICK).fit(frame, sloped[1])
    assert list(model.draws_) == ["sigma.1", "tau.1", "sigma.2", "tau.2", "lambda"]
    assert {"signal_sd.2", "lengthscale.1.lon", "lengthscale.2.lat", "trend.lat"} <= set(model.quantities_)
    assert model.summary_json_["fitted"]["terms"] == ["rbf(lon)", "matern32(lat,lon)"]
    assert list(model.predict_components(frame[:3])) == ["trend", "term.1", "term.2"]
    assert model.summary_.loc["tau.2", "term"] == "matern32(lat,lon)"


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"trend": 3}, TypeError, 'trend must be None, "constant", "linear" or names of inputs, and is 3'),
        ({"trend": "x7"}, ValueError, "there is no input 'x7'"),
        ({"trend": "linear", "trend_scale": 0}, ValueError, "trend_scale must be a number above 0"),
        ({"kernel": "rbf(x1"}, ValueError, ""),
    ],
)
def test_what_cannot_be_is_refused(sloped, options, error, words):
    with pytest.raises(error) as refused:
        ulisse.GPRegressor(**options).fit(*sloped)
    assert words in str(refused.value)
