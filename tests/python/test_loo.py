"""Leave-one-out, and comparisons by it."""

import numpy as np
import pytest

import ulisse
from ulisse.regressor import FitWarning

pytestmark = pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")


@pytest.fixture(scope="module")
def loo(fitted):
    return fitted.loo(draws=400)


def test_sums_are_those_of_the_rows(loo, table):
    rows = loo.pointwise
    np.testing.assert_array_equal(rows["observed"], table[1])
    assert loo.elpd == pytest.approx(rows["elpd"].sum())
    assert loo.elpd_se == pytest.approx(np.sqrt(50 * rows["elpd"].var(ddof=1)))
    assert loo.looic == pytest.approx(-2 * loo.elpd)
    assert loo.log_density.shape == (400, 50) and (loo.draws, loo.chains) == (400, 4)
    assert loo.bad_rows == (rows["pareto_k"] > loo.good_k).sum()
    assert loo.log_evidence is None
    assert "elpd=" in repr(loo)


def test_a_row_is_predicted_as_by_a_fit_without_it(loo, table):
    x, y = table
    for row in 3, 17:
        others = np.arange(50) != row
        model = ulisse.GPRegressor(sampler="mh", draws=1000, warmup=200, random_state=1, predict_draws=1000).fit(x[others], y[others])
        mean, sd = model.predict(x[[row]], return_std=True)
        # Standardising without the row moves priors a little.
        assert loo.pointwise["mean"][row] == pytest.approx(mean[0], abs=0.1 * sd[0])
        assert loo.pointwise["sd"][row] == pytest.approx(sd[0], rel=0.1)


def test_a_model_without_the_signal_comes_last(fitted, table, loo):
    x, y = table
    worse = ulisse.GPRegressor(sampler="mh", draws=200, warmup=100, random_state=3).fit(x[:, [1]], y)
    found = ulisse.compare(worse=worse, better=loo)
    rows = found.to_dict(orient="index") if hasattr(found, "to_dict") else found
    assert list(rows) == ["better", "worse"]
    assert rows["better"]["elpd_diff"] == 0 and rows["better"]["se_diff"] == 0
    assert rows["worse"]["elpd_diff"] == pytest.approx(rows["worse"]["elpd"] - rows["better"]["elpd"])
    assert rows["worse"]["elpd_diff"] < -5 * rows["worse"]["se_diff"]


def test_other_rows_are_refused(loo, table):
    x, y = table
    fewer = ulisse.GPRegressor(sampler="mh", draws=50, warmup=50).fit(x[:40], y[:40])
    with pytest.raises(ulisse.InputError, match="other rows"):
        ulisse.compare(all=loo, fewer=fewer)
    with pytest.raises(ValueError, match="two or more"):
        ulisse.compare(one=loo)


def test_the_evidence_comes_with_its_error(fitted):
    value, error, k = fitted.loo(draws=40, evidence=500).log_evidence
    other = fitted.loo(draws=40, evidence=500, random_state=9).log_evidence
    assert 0 < error < 0.3 and k < 0.7
    assert value == pytest.approx(other[0], abs=5 * np.hypot(error, other[1]))  # false alarm 6e-7
