"""GPRegressor: scikit-learn's conventions, and the same results as the command line."""

import csv
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import ulisse
from ulisse.regressor import FitWarning

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXECUTABLE = os.environ.get("ULISSE", str(ROOT / "build" / "ulisse"))

pytestmark = pytest.mark.filterwarnings("ignore::ulisse.regressor.FitWarning")


def write_table(path, x, y):
    names = [f"x{i + 1}" for i in range(x.shape[1])] + ["y"]
    rows = [",".join(map(repr, map(float, [*a, b]))) for a, b in zip(x, y)]
    path.write_text("\n".join([",".join(names), *rows]) + "\n")
    return path


def run(*arguments):
    result = subprocess.run([EXECUTABLE, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_same_seed_gives_the_command_lines_draws(table, fitted, tmp_path):
    data = write_table(tmp_path / "t.csv", *table)
    run("fit", data, "--target", "y", "--sampler", "mh", "--draws", 200, "--warmup", 100, "--seed", 3, "--quiet", "--out", tmp_path / "fit")
    again = ulisse.GPRegressor.load(tmp_path / "fit")
    for name, values in fitted.draws_.items():
        assert values.shape == (4, 200)
        np.testing.assert_array_equal(values, again.draws_[name])


def test_a_saved_folder_is_the_command_lines(fitted, table, tmp_path):
    fitted.save(tmp_path / "fit")
    summary = json.loads(run("summary", tmp_path / "fit", "--json"))
    assert summary["parameters"]["tau"]["mean"] == pytest.approx(fitted.draws_["tau"].mean())
    data = write_table(tmp_path / "new.csv", *table)
    run("predict", tmp_path / "fit", data, "--out", tmp_path / "p.csv", "--quiet")
    with open(tmp_path / "p.csv") as file:
        rows = list(csv.DictReader(file))
    mean, sd = fitted.predict(table[0], return_std=True)
    np.testing.assert_allclose([float(r["mean"]) for r in rows], mean, rtol=1e-9)
    np.testing.assert_allclose([float(r["sd"]) for r in rows], sd, rtol=1e-9)
    quantiles = fitted.predict(table[0], quantiles=[0.95, 0.05])
    np.testing.assert_allclose([[float(r["q95"]), float(r["q5"])] for r in rows], quantiles, rtol=1e-9)
    with pytest.raises(FileExistsError):
        fitted.save(tmp_path / "fit")


def test_a_damaged_folder_is_refused_in_one_sentence(fitted, tmp_path):
    """It ended in a KeyError, in a JSON exception without a file's name, or in a crash."""
    fitted.save(tmp_path / "fit")
    good = json.loads((tmp_path / "fit" / "fit.json").read_text())

    def message(**settings):
        (tmp_path / "fit" / "fit.json").write_text(json.dumps({**good, "settings": {**good["settings"], **settings}}))
        with pytest.raises(ValueError) as refusal:
            ulisse.GPRegressor.load(tmp_path / "fit")
        return str(refusal.value)

    assert "fit.json: settings.chains: must be a whole number from 1 to 1000, is -3" in message(chains=-3)
    assert "fit.json: settings.draws: must be a whole number" in message(draws="many")
    assert "fit.json: settings.priors: must be a list" in message(priors=["tau"])
    (tmp_path / "fit" / "fit.json").write_text("{")
    with pytest.raises(ValueError, match="fit.json: is damaged"):
        ulisse.GPRegressor.load(tmp_path / "fit")
    (tmp_path / "fit" / "fit.json").write_text(json.dumps(good))
    assert ulisse.GPRegressor.load(tmp_path / "fit").summary_json_["fitted"]["kernel"] == fitted.kernel
    (tmp_path / "fit" / "chain_1.csv").write_text("lp__,n_leapfrog__,divergent__,sigma,tau,lambda\n-1,1,0,-2,1,1\n")
    with pytest.raises(ValueError, match="chain_1.csv:2: column 'sigma' must be a positive number, is '-2'"):
        ulisse.GPRegressor.load(tmp_path / "fit")


def test_loaded_and_pickled_ones_predict_the_same(fitted, table, tmp_path):
    expected = fitted.predict(table[0])
    fitted.save(tmp_path / "fit")
    for other in [ulisse.GPRegressor.load(tmp_path / "fit"), pickle.loads(pickle.dumps(fitted))]:
        np.testing.assert_array_equal(other.predict(table[0]), expected)
        assert other.draws_["tau"].shape == (4, 200)
    with pytest.raises(FileNotFoundError, match="no fit's folder"):
        ulisse.GPRegressor.load(tmp_path)


def test_what_came_out(fitted):
    pandas = pytest.importorskip("pandas")
    assert isinstance(fitted.summary_, pandas.DataFrame)
    assert list(fitted.summary_.index) == ["sigma", "tau", "lambda"]
    assert {"mean", "sd", "rhat", "ess_bulk"} <= set(fitted.summary_.columns)
    copy = fitted.to_dict()
    copy["tau"][:] = 0
    assert fitted.draws_["tau"].min() > 0
    assert fitted.sampler_ == "mh"


def test_warnings_of_a_fit_are_pythons(table):
    with pytest.warns(FitWarning, match="effective samples"):
        model = ulisse.GPRegressor(sampler="mh", draws=20, warmup=20).fit(*table)
    assert any("effective samples" in text and "more draws" in text for text in model.warnings_)
    assert not any("--" in text for text in model.warnings_)
    assert "draws" in [remedy["option"] for finding in model.findings_ for remedy in finding["remedies"]]


def test_settings_reach_the_sampler(table):
    model = ulisse.GPRegressor(sampler="sgld", draws=20, warmup=20, kernel="matern32-ard", priors={"tau": "gamma(2,1)"}, chains=2,
                               settings={"sgld": {"q": 0.05}}).fit(*table)
    about = json.loads(model.files_["fit.json"])
    assert about["settings"]["sgld"]["early_stop"] == 0.05 and about["settings"]["warmup"] == 20
    assert {p["name"]: p["prior"] for p in about["parameters"]}["tau.2"] == "gamma(2,1)"
    assert model.draws_["tau.1"].shape == (2, 20)


@pytest.mark.parametrize("options, words", [
    ({"kernel": "cubic"}, "cubic"),
    ({"sampler": "gibbs"}, "gibbs"),
    ({"priors": {"tau": "cauchy(1)"}}, "cauchy"),
    ({"settings": {"sgld": {"q": 1}}}, "these are settings of sgld, and the sampler is mh"),
])
def test_refusals_are_value_errors(table, options, words):
    with pytest.raises(ValueError, match=words):
        ulisse.GPRegressor(**{"sampler": "mh", "draws": 20, **options}).fit(*table)


def test_constant_columns_alone_are_refused(table):
    with pytest.raises(ValueError, match="x1.*constant"):
        ulisse.GPRegressor(sampler="mh", draws=20).fit(np.ones((50, 1)), table[1])


def test_data_without_noise_want_a_prior_that_keeps_it_up():
    """As the default one does."""
    x = np.linspace(0, 3, 20)[:, None]
    y = np.sin(x[:, 0])
    gamma = dict.fromkeys(["sigma", "tau", "lambda"], "gamma(1,1)")
    with pytest.raises(ValueError, match=r"free of noise.*lambda=lognormal\(-14,0.2\)"):
        ulisse.GPRegressor(sampler="mh", draws=20, warmup=20, priors=gamma).fit(x, y)
    for priors in [{"lambda": "lognormal(-14,0.2)"}, None]:
        model = ulisse.GPRegressor(sampler="mh", draws=50, warmup=100, priors=priors).fit(x, y)
        mean, sd = model.predict([[1.55]], return_std=True)
        assert abs(mean[0] - np.sin(1.55)) < 0.01 and sd[0] < 0.01


def test_predictions_that_cannot_be(fitted, table):
    with pytest.raises(RuntimeError):
        fitted.predict(table[0], return_std=True, return_cov=True)
    with pytest.raises(RuntimeError):
        fitted.predict(table[0], return_std=True, quantiles=[0.5])
    with pytest.raises(ValueError, match="between 0 and 1"):
        fitted.predict(table[0], quantiles=[0, 0.5])
    with pytest.raises(ValueError):
        fitted.predict(table[0][:, :1])


@pytest.fixture
def with_ctrl_c():
    """A shell's background jobs ignore it, and Python then does, too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_fit_soon(table, with_ctrl_c):
    model = ulisse.GPRegressor(sampler="mh", draws=50_000_000, warmup=100)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.fit(*table)
    assert time.monotonic() - start < 20
    # What there is stays.
    assert model.draws_["tau"].shape[0] == 4 and 0 < model.draws_["tau"].shape[1] < 50_000_000
    assert model.predict(table[0][:2]).shape == (2,)
    assert json.loads(model.files_["fit.json"])["status"] == "interrupted"


def test_other_threads_run_while_it_samples(table):
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    ulisse.GPRegressor(sampler="nuts", draws=200, warmup=100).fit(*table)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_progress_is_shown_where_it_is_asked_for(table, capsys):
    ulisse.GPRegressor(sampler="mh", draws=20, warmup=20, progress=False).fit(*table)
    assert capsys.readouterr().err == ""
    ulisse.GPRegressor(sampler="mh", draws=10_000_000, warmup=100, time_limit=3, progress=True).fit(*table)
    assert "of 10000000 draws a chain" in capsys.readouterr().err


def test_without_scikit_learn(table, tmp_path):
    """The package in an interpreter that finds no scikit-learn."""
    (tmp_path / "sklearn.py").write_text("raise ImportError('not here')\n")
    code = """
import numpy as np, pickle, ulisse, warnings
warnings.simplefilter("ignore")
x = np.linspace(0, 3, 20)[:, None]
y = np.sin(x[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=20)
m = ulisse.GPRegressor(sampler="mh", draws=20, warmup=20)
try:
    m.predict(x)
except ValueError as error:
    assert "fit first" in str(error)
m.set_params(draws=30).fit(x, y)
assert m.draws_["tau"].shape == (4, 30) and m.get_params()["draws"] == 30
assert m.score(x, y) > 0.9
assert (pickle.loads(pickle.dumps(m)).predict(x) == m.predict(x)).all()
"""
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    result = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


class TestScikitLearn:
    sklearn = pytest.importorskip("sklearn")

    def test_check_estimator(self):
        from sklearn.utils.estimator_checks import check_estimator

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_estimator(ulisse.GPRegressor(sampler="mh", chains=2, draws=20, warmup=20, predict_draws=20))

    def test_pipelines_and_searches(self, table):
        from sklearn.base import clone
        from sklearn.model_selection import GridSearchCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        regressor = ulisse.GPRegressor(sampler="mh", chains=2, draws=20, warmup=20, predict_draws=20)
        assert clone(regressor).get_params() == regressor.get_params()
        pipeline = make_pipeline(StandardScaler(), regressor).fit(*table)
        assert pipeline.score(*table) > 0.9
        search = GridSearchCV(regressor, {"kernel": ["rbf", "matern32"]}, cv=2).fit(*table)
        assert search.best_params_["kernel"] in {"rbf", "matern32"}

    def test_names_of_a_data_frame(self, table):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(table[0], columns=["depth", "width"])
        model = ulisse.GPRegressor(sampler="mh", chains=2, draws=20, warmup=20).fit(frame, table[1])
        assert list(model.feature_names_in_) == ["depth", "width"]
        assert json.loads(model.files_["fit.json"])["data"]["features"] == ["depth", "width"]

    @pytest.mark.parametrize(("name", "kept"), [("flow", "flow"), ("depth", "y"), (None, "y"), (7, "y")])
    def test_name_of_a_series(self, table, name, kept):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(table[0], columns=["depth", "width"])
        model = ulisse.GPRegressor(sampler="mh", chains=2, draws=20, warmup=20).fit(frame, pandas.Series(table[1], name=name))
        assert json.loads(model.files_["fit.json"])["data"]["target"] == kept


def test_draws_go_on_until_there_are_enough(table, tmp_path, capsys):
    options = {"sampler": "mh", "warmup": 100, "chains": 2, "random_state": 1}
    more = ulisse.GPRegressor(draws=40, ess=300, max_draws=3000, progress=True, **options).fit(*table)
    count = more.draws_["tau"].shape[1]
    assert 40 < count < 3000
    assert more.summary_json_["goal"]["reached"]
    few = ulisse.GPRegressor(draws=40, **options).fit(*table)
    assert few.draws_["tau"].shape == (2, 40)
    np.testing.assert_array_equal(more.draws_["tau"][:, :40], few.draws_["tau"])
    more.save(tmp_path / "fit")
    again = ulisse.GPRegressor.load(tmp_path / "fit")
    assert (again.draws, again.ess, again.max_draws) == (40, 300, 3000)
    np.testing.assert_array_equal(again.fit(*table).draws_["tau"], more.draws_["tau"])
    by_default = ulisse.GPRegressor(**options).fit(*table)
    assert by_default.summary_json_["goal"]["ess"] == 1000
    assert by_default.draws_["tau"].shape[1] >= 1000
    with pytest.raises(ValueError, match="ess must be a whole number"):
        ulisse.GPRegressor(ess=1.5, **options).fit(*table)


def test_draws_of_a_surrogate_have_a_certificate(fitted):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(330, 2))
    y = np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] + 0.3 * rng.normal(size=330)
    model = ulisse.GPRegressor(sampler="ulisse", draws=100, random_state=1).fit(x, y)
    assert 0 < model.certificate_["limit"] <= 0.05
    without = ulisse.GPRegressor(sampler="ulisse", draws=20, warmup=20, random_state=1, settings={"ulisse": {"no_surrogate": True}}).fit(x, y)
    assert without.certificate_ is None and fitted.certificate_ is None
