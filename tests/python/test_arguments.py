"""Arguments that cannot be: one sentence, and never the data."""

import json
import pickle
import warnings

import numpy as np
import pytest

import ulisse
from ulisse.regressor import FitWarning

pytestmark = pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")
THETA = {"sigma": 1.7, "tau": 0.6, "lambda_": 0.2}


class RBF:
    """Somebody else's kernel."""

    def __repr__(self):
        return "RBF(length_scale=1)"


def sentence(call):
    """One line, short, without the numbers of a table."""
    with pytest.raises((TypeError, ValueError)) as found:
        call()
    text = str(found.value)
    assert "\n" not in text and len(text) < 200 and "array" not in text
    return text


@pytest.mark.parametrize("options, words", [
    ({"kernel": RBF()}, "kernel must be a text, and is RBF(length_scale=1)"),
    ({"kernel": None}, "kernel must be a text, and is None"),
    ({"sampler": 3}, "sampler must be a text, and is 3"),
    ({"standardise": "yes"}, "standardise must be True or False, and is 'yes'"),
    ({"chains": 2.5}, "chains must be a whole number of at least 1, and is 2.5"),
    ({"chains": 10**6}, "chains must be at most 1000"),
    ({"draws": 0}, "draws must be a whole number of at least 1"),
    ({"draws": 10**30}, "draws must be at most"),
    ({"warmup": -3}, "warmup must be a whole number of at least 0, and is -3"),
    ({"threads": 10**5}, "threads must be at most"),
    ({"threads": 2**40}, "threads must be at most"),
    ({"memory": -1}, "memory must be a whole number, in bytes, of at least 0"),
    ({"memory": 2**70}, "memory must be at most"),
    ({"time_limit": float("nan")}, "time_limit must be a number of 0 or more, and is nan"),
    ({"time_limit": float("inf")}, "time_limit must be a number of 0 or more, and is inf"),
    ({"time_limit": "1h"}, "time_limit must be a number of 0 or more, and is '1h'"),
    ({"time_limit": 1e9}, "time_limit must be at most"),
    ({"random_state": -1}, "random_state must be a whole number of at least 0, and is -1"),
    ({"random_state": 1.5}, "random_state must be a whole number"),
    ({"random_state": 2**70}, "random_state must be at most"),
    ({"predict_draws": 0}, "predict_draws must be a whole number of at least 1"),
    ({"priors": "tau"}, "priors must be a dict"),
    ({"priors": {"tau.x1": "gamma(1,1)", "tau.1": "gamma(2,1)"}, "kernel": "rbf-ard"}, "tau.1 has two priors"),
    ({"settings": 3}, "settings must be a dict"),
    ({"settings": {"warmup": -3}}, "warmup must be at least 0"),
    ({"settings": {"warmup": "many"}}, "warmup must be a whole number, and is many"),
    ({"settings": {"warmup": None}}, "warmup: must be a number, a text, true or false, is null"),
    ({"settings": {"warmup": 1.5}}, "warmup must be a whole number, and is 1.5"),
    ({"settings": {"seed": -1}}, "seed must be at least 0"),
    ({"settings": {"product_tolerance": float("nan")}}, "settings must hold finite numbers"),
    ({"settings": {"backend": "foo"}}, "backend: 'foo' is none of auto"),
    ({"settings": {"kernel": "rbf"}}, "kernel is no setting, but a parameter of its own"),
    ({"settings": {"sgld": 3}, "sampler": "sgld"}, "sgld: must be an object of settings, is 3"),
    ({"settings": {"sgld": {"early_stop": 0.3}}, "sampler": "ulisse"}, "these are settings of sgld, and the sampler is ulisse"),
    ({"settings": {"bank": 16, "anchor_probes": 20}, "sampler": "ulisse"}, "anchor_probes and bank are the same option"),
    ({"settings": {"sgld": {"batch": 9 * 10**15}}, "sampler": "sgld"}, "batch must be at most 1000000"),
    ({"settings": {"ulisse": {"bank": 10**9}}, "sampler": "ulisse"}, "anchor_probes must be at most 10000"),
])
def test_of_a_regressor(table, options, words):
    text = sentence(lambda: ulisse.GPRegressor(**{"sampler": "mh", "draws": 20, **options}).fit(*table))
    assert words in text and "--" not in text


def test_of_predictions(fitted, table):
    x = table[0]
    assert "latent must be True or False" in sentence(lambda: fitted.predict(x, latent="yes"))
    assert "n_samples must be a whole number" in sentence(lambda: fitted.sample_y(x, n_samples=-1))
    assert "n_samples must be at most" in sentence(lambda: fitted.sample_y(x, n_samples=10**9))
    assert "random_state must be a whole number" in sentence(lambda: fitted.sample_y(x, random_state=-1))


@pytest.mark.parametrize("call, words", [
    (lambda x, b: ulisse.covariance_product(x, b, kernel=RBF(), **THETA), "kernel must be a text"),
    (lambda x, b: ulisse.covariance_product(x, b, threads="2", **THETA), "threads must be a whole number"),
    (lambda x, b: ulisse.covariance_product(x, b, product_tolerance=float("nan"), **THETA), "product_tolerance must be a number"),
    (lambda x, b: ulisse.solve(x, b, backend=3, **THETA), "backend must be a text"),
    (lambda x, b: ulisse.solve(x, b, rank=-5, **THETA), "rank must be a whole number of at least 0"),
    (lambda x, b: ulisse.solve(x, b, tolerance=-1, **THETA), "tolerance must be a number of 0 or more"),
    (lambda x, b: ulisse.unbiased_solve(x, b, q=float("nan"), **THETA), "q must be a number above 0"),
    (lambda x, b: ulisse.unbiased_solve(x, b, estimates=10**9, **THETA), "estimates must be at most"),
    (lambda x, b: ulisse.gradient_estimates(x, b, probes=0, **THETA), "probes must be a whole number of at least 1"),
    (lambda x, b: ulisse.likelihood_gradient(x, b, kernel=3, **THETA), "kernel must be a text"),
    (lambda x, b: ulisse.log_marginal_likelihood(x, b, threads=10**5, **THETA), "threads must be at most"),
])
def test_of_functions(table, call, words):
    assert words in sentence(lambda: call(*table))


def test_numbers_of_numpy_are_numbers(table):
    model = ulisse.GPRegressor(sampler="mh", draws=np.int64(20), warmup=np.int32(10), chains=np.int64(2), standardise=np.True_,
                               time_limit=np.float64(60), settings={"seed": np.int64(5)}).fit(*table)
    assert json.loads(model.files_["fit.json"])["settings"]["seed"] == 5


@pytest.mark.parametrize("kind", [str, bytes, object, "datetime64[s]"])
def test_a_target_that_is_no_numbers_is_refused_without_the_table(kind):
    X = np.arange(600.0).reshape(300, 2)
    y = np.full(300, 7, dtype=kind) if kind is not object else np.array(["a"] * 300, dtype=object)
    with pytest.raises((TypeError, ValueError)) as refusal:
        ulisse.GPRegressor().fit(X, y)
    assert len(str(refusal.value)) < 200


def test_a_constant_column_is_left_out_with_a_warning(table, tmp_path):
    x, y = table
    wide = np.column_stack([x[:, 0], np.ones(50), x[:, 1]])
    options = {"sampler": "mh", "draws": 50, "warmup": 50, "kernel": "rbf-ard", "priors": {"tau.x3": "gamma(2,1)"}}
    with pytest.warns(FitWarning, match=r"^column 'x2' is constant \(1\), and was left out$"):
        model = ulisse.GPRegressor(**options).fit(wide, y)
    about = json.loads(model.files_["fit.json"])
    assert about["data"]["features"] == ["x1", "x3"] and model.n_features_in_ == 3
    assert about["parameters"][2]["prior"] == "gamma(2,1)" and about["parameters"][2]["input"] == "x3"
    expected = ulisse.GPRegressor(**{**options, "priors": {"tau.2": "gamma(2,1)"}}).fit(x, y).predict(x[:5])
    model.save(tmp_path / "fit")
    for each in [model, pickle.loads(pickle.dumps(model)), ulisse.GPRegressor.load(tmp_path / "fit")]:
        np.testing.assert_array_equal(each.predict(wide[:5]), expected)
        with pytest.raises(ValueError, match="3 features"):
            each.predict(x[:5])


def test_a_target_of_two_values_is_warned_of(table):
    x, y = table
    with pytest.warns(FitWarning, match="the target is 0 or 1 in every row"):
        model = ulisse.GPRegressor(sampler="mh", draws=50, warmup=50).fit(x, (y > 10).astype(float))
    assert model.warnings_[0].startswith("the target is 0 or 1")


def test_tables_without_notes_are_not_warned_of(table):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        ulisse.GPRegressor(sampler="mh", draws=50, warmup=50).fit(*table)
    assert not any("constant" in str(each.message) or "in every row" in str(each.message) for each in found)


@pytest.mark.parametrize("argument, key, value", [("draws", "draws", 30), ("chains", "chains", 2), ("warmup", "warmup", 20), ("random_state", "seed", 4)])
def test_what_is_said_twice_is_refused(table, argument, key, value):
    with pytest.raises(ValueError, match=f'^{argument} is an argument, and settings has "{key}" too: give one of them$'):
        ulisse.GPRegressor(sampler="mh", settings={key: value + 1}, **{argument: value}).fit(*table)
    with pytest.raises(ValueError, match=r"there is no setting save_warmpu \(did you mean 'save_warmup'\?\)"):
        ulisse.GPRegressor(sampler="mh", settings={"save_warmpu": True}).fit(*table)


def test_a_preset_is_kept(table, tmp_path):
    model = ulisse.GPRegressor(sampler="mh", preset="paper", draws=30, warmup=20, chains=2).fit(*table)
    about = json.loads(model.files_["fit.json"])["settings"]
    assert about["preset"] == "paper" and "tau=gamma(1,0.1)" in about["priors"]
    model.save(tmp_path / "fit")
    again = ulisse.GPRegressor.load(tmp_path / "fit")
    assert again.preset == "paper"
    np.testing.assert_array_equal(again.fit(*table).draws_["tau"], model.draws_["tau"])


def test_a_folder_without_draws_says_how_to_go_on(table, tmp_path):
    ulisse.GPRegressor(sampler="mh", draws=30, warmup=20, chains=2).fit(*table).save(tmp_path / "fit")
    for chain in (1, 2):
        path = tmp_path / "fit" / f"chain_{chain}.csv"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line[0].isdigit() and line[0] != "-"))
    with pytest.raises(RuntimeError, match="ulisse fit --resume --out"):
        ulisse.GPRegressor.load(tmp_path / "fit")
