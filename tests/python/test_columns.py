"""Data frames as people have them, and known measurement errors."""

import numpy as np
import pandas
import pytest

import ulisse

pytestmark = pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")
FIT = dict(sampler="mh", warmup=100, draws=200, progress=False)


@pytest.fixture
def sites():
    """A wave at two sites, one of them higher by 3."""
    rng = np.random.default_rng(1)
    site = np.where(rng.random(60) < 0.5, "elm", "oak")
    x = rng.uniform(0, 6, 60)
    error = rng.choice([0.1, 0.8], 60)
    day = pandas.Timestamp("2001-01-01") + pandas.to_timedelta(np.arange(60), unit="D")
    y = np.sin(x) + 3 * (site == "oak") + error * rng.normal(size=60)
    return pandas.DataFrame({"site": site, "x": x, "day": day}), y, error


@pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")
def test_texts_are_categories(sites):
    X, y, _ = sites
    model = ulisse.GPRegressor("rbf-ard", **FIT).fit(X[["site", "x"]], y)
    new = pandas.DataFrame({"site": ["elm", "oak"], "x": [2.0, 2.0]})
    low, high = model.predict(new)
    assert high - low == pytest.approx(3, abs=1)
    other = new.assign(site="ash")
    with pytest.raises(ValueError, match="has the level 'ash', which the fit has not seen; it knows"):
        model.predict(other)
    _, sd = model.predict(other, return_std=True, new_levels=True)
    assert (sd > 1.5 * model.predict(new, return_std=True)[1]).all()


@pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")
def test_dates_count_from_the_first(sites):
    X, y, _ = sites
    model = ulisse.GPRegressor(**FIT).fit(X[["day"]], y)
    plain = ulisse.GPRegressor(**FIT).fit(pandas.DataFrame({"day": np.arange(60.0)}), y)
    assert np.array_equal(model.draws_["tau"], plain.draws_["tau"])
    assert np.array_equal(model.predict(X[["day"]][:5]), plain.predict(pandas.DataFrame({"day": np.arange(5.0)})))


@pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")
def test_numbers_are_categories_where_they_are_said_to_be():
    rng = np.random.default_rng(2)
    X = np.column_stack([rng.integers(0, 3, 60), rng.normal(size=60)])
    y = np.array([0, 5, 1])[X[:, 0].astype(int)] + 0.1 * rng.normal(size=60)
    model = ulisse.GPRegressor("rbf-ard", categories=[0], **FIT).fit(X, y)
    assert model.predict([[0, 0.0], [1, 0.0], [2, 0.0]]) == pytest.approx([0, 5, 1], abs=0.3)
    with pytest.raises(ValueError, match="categories names 'site', which is no column of X"):
        ulisse.GPRegressor(categories=["site"], **FIT).fit(X, y)


@pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")
def test_known_errors_are_added(sites, tmp_path):
    X, y, error = sites
    model = ulisse.GPRegressor(**FIT).fit(X[["x"]], y, noise_sd=error)
    new = X[["x"]][:3]
    _, none = model.predict(new, return_std=True)
    _, some = model.predict(new, return_std=True, noise_sd=[0, 0.5, 2])
    assert some**2 == pytest.approx(none**2 + np.array([0, 0.25, 4]), rel=1e-9)
    _, covariance = model.predict(new, return_cov=True, noise_sd=[0, 0.5, 2])
    assert np.sqrt(np.diag(covariance)) == pytest.approx(some, rel=1e-6)
    model.save(tmp_path / "fit")
    again = ulisse.GPRegressor.load(tmp_path / "fit")
    assert again.n_features_in_ == 1
    assert np.array_equal(again.predict(new, noise_sd=1), model.predict(new, noise_sd=1))


def test_known_errors_that_cannot_be_are_refused(sites):
    X, y, error = sites
    model = ulisse.GPRegressor(**FIT)
    for wrong, words in [(error[:-1], "a value for each of the 60 rows"), (-error, "finite and not negative")]:
        with pytest.raises(ValueError, match=words):
            model.fit(X[["x"]], y, noise_sd=wrong)


@pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")
def test_a_fit_of_the_command_line_is_loaded_with_its_levels(sites, tmp_path):
    X, y, error = sites
    model = ulisse.GPRegressor(**FIT).fit(X, y, noise_sd=error)
    model.save(tmp_path / "fit")
    again = ulisse.GPRegressor.load(tmp_path / "fit")
    assert list(again.feature_names_in_) == ["site", "x", "day"]
    assert np.array_equal(again.predict(X[:7]), model.predict(X[:7]))


@pytest.mark.parametrize("levels", [["02134", "00501", "99999"], ["none", "EU", "AS"], ["1.0", "x", "1"], [" a", "b", "c"]])
def test_levels_survive_saving(levels, tmp_path):
    rng = np.random.default_rng(3)
    X = pandas.DataFrame({"g": rng.choice(levels, 40), "x": rng.normal(size=40)})
    model = ulisse.GPRegressor(**FIT).fit(X, rng.normal(size=40))
    model.save(tmp_path / "fit")
    assert np.array_equal(ulisse.GPRegressor.load(tmp_path / "fit").predict(X), model.predict(X))


@pytest.mark.parametrize("unit", ["ns", "us", "s", "D"])
def test_arrays_of_dates(sites, unit):
    X, y, _ = sites
    days = X[["day"]].to_numpy().astype(f"datetime64[{unit}]")
    model = ulisse.GPRegressor(**FIT).fit(days, y)
    assert np.array_equal(model.predict(days), ulisse.GPRegressor(**FIT).fit(X[["day"]], y).predict(X[["day"]]))
