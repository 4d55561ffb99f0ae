"""Priors on length scales and standard deviations, their units, and what is said of priors that matter."""

import json
import math
import random

import pytest

MH = ("--sampler", "mh", "--warmup", 200, "--draws", 600, "--quiet")


def write_waves(path, rows, seed=1):
    source = random.Random(seed)
    lines = ["day,height,y"]
    for _ in range(rows):
        day, height = source.uniform(0, 100), source.uniform(0, 2)
        lines.append(f"{day!r},{height!r},{50 + 20 * math.sin(day / 12) + 3 * source.gauss(0, 1)!r}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def waves(tmp_path):
    return write_waves(tmp_path / "waves.csv", 60)


@pytest.fixture
def fit(ulisse, tmp_path):
    def run(table, *options, out="fit"):
        return ulisse.json("fit", table, "--target", "y", *MH, "--out", tmp_path / out, *options)

    return run


def about(folder):
    return json.loads((folder / "fit.json").read_text())


def test_a_prior_on_a_length_scale_is_the_prior_on_tau_that_it_means(fit, waves, tmp_path):
    # log(l) = -log(2)/2 - log(tau)/2, and the variance is the square of the standard deviation.
    by_l = fit(waves, "--prior", "lengthscale=lognormal(0.5,0.4)", "--prior", "noise_sd=lognormal(-1,0.5)", out="a")
    by_tau = fit(waves, "--prior", f"tau=lognormal({-math.log(2) - 1},0.8)", "--prior", "lambda=lognormal(-2,1)", out="b")
    for name in ("sigma", "tau", "lambda"):
        assert by_l["parameters"][name]["q50"] == pytest.approx(by_tau["parameters"][name]["q50"], rel=1e-6)
    assert [p["prior"] for p in about(tmp_path / "a")["parameters"]][1:] == ["lengthscale=lognormal(0.5,0.4)", "noise_sd=lognormal(-1,0.5)"]
    assert by_l["fitted"]["priors"]["tau"] == "lengthscale=lognormal(0.5,0.4)"


def test_words_are_those_of_the_quantity(ulisse, fit, waves, tmp_path):
    fit(waves, "--kernel", "rbf-ard", "--prior", "lengthscale.day=gamma(2,1)", "--prior", "noise_sd=half-normal(1)")
    text = ulisse.output("summary", tmp_path / "fit")
    assert "lengthscale.1 ~ gamma(2,1)" in text and "noise_sd ~ half-normal(1)" in text
    table = ulisse.output("map", waves, "--target", "y", "--prior", "noise_sd=half-normal(1)")
    assert "noise_sd=half-normal(1)" in table


def test_priors_and_fixed_values_in_the_units_of_the_table(ulisse, fit, waves, tmp_path):
    options = ["--kernel", "rbf-ard", "--prior", "lengthscale.day=lognormal(3,0.2)", "--fix", "noise_sd=3", "--prior-units", "data"]
    summary = fit(waves, *options)
    written = about(tmp_path / "fit")
    assert written["settings"]["prior_units"] == "data" and written["settings"]["fixed"] == ["noise_sd=3"]
    by_name = {p["name"]: p for p in written["parameters"]}
    assert by_name["tau.1"]["prior_units"] == "data" and "prior_units" not in by_name["tau.2"]
    assert "lambda" not in by_name
    # The same on standardised values.
    day, y_sd = written["scaling"]["x_sd"][0], written["scaling"]["y_sd"]
    again = fit(waves, "--kernel", "rbf-ard", "--prior", f"lengthscale.day=lognormal({3 - math.log(day)!r},0.2)", "--fix", f"noise_sd={3 / y_sd!r}",
                out="again")
    for name in ("sigma", "tau.1", "tau.2"):
        assert summary["parameters"][name]["q50"] == pytest.approx(again["parameters"][name]["q50"], rel=1e-6)
    said = ulisse.output("summary", tmp_path / "fit")
    assert "fixed noise_sd=3 in the units of the table" in said
    assert "lengthscale.1 ~ lognormal(3,0.2) in the units of the table" in said
    ulisse.output("report", tmp_path / "fit", "--out", tmp_path / "report.html")
    assert '["Fixed","noise_sd=3 in the units of the table"]' in (tmp_path / "report.html").read_text()


def test_one_tau_for_different_units_is_refused(ulisse, waves, tmp_path):
    said = ulisse.refusal("fit", waves, "--target", "y", *MH, "--out", tmp_path / "fit", "--prior", "lengthscale=gamma(2,1)", "--prior-units", "data")
    assert "--prior-units: tau is one for inputs whose standard deviations differ" in said
    said = ulisse.refusal("map", waves, "--target", "y", "--prior", "tau=gamma(2,1)", "--prior", "lengthscale=gamma(2,1)")
    assert "--prior: tau and lengthscale are one parameter, which has two priors" in said


def test_a_fit_goes_on_with_its_priors_and_units(ulisse, fit, waves, tmp_path):
    options = ["--kernel", "rbf-ard", "--prior", "lengthscale.day=lognormal(3,0.2)", "--fix", "noise_sd=3", "--prior-units", "data"]
    fit(waves, *options)
    more = ulisse.run("fit", "--resume", "--out", tmp_path / "fit", "--draws", 650, "--quiet")
    assert more.returncode == 0, more.stderr
    said = ulisse.refusal("fit", "--resume", "--out", tmp_path / "fit", "--draws", 650, "--prior-units", "standardised")
    assert '--prior-units ("data" there, nothing here)' in said


def findings_of(summary):
    return {f["code"]: f["values"] for f in summary["findings"] if f["code"].startswith("prior")}


def test_the_prior_matters_where_rows_are_few(ulisse, fit, tmp_path):
    summary = fit(write_waves(tmp_path / "few.csv", 6), "--prior", "noise_sd=lognormal(-1,0.2)")
    assert summary["prior_sensitivity"]["lambda"]["sensitivity"] > 0.05
    assert "lambda" in {f["values"]["prior_of"] for f in summary["findings"] if f["code"].startswith("prior")}
    assert any("the prior of lambda" in w for w in summary["warnings"])


WIDE = [f"--prior={name}=lognormal(0,3)" for name in ("sigma", "tau", "lambda")]


def test_a_wide_prior_does_not_matter_where_rows_are_many(fit, tmp_path):
    summary = fit(write_waves(tmp_path / "many.csv", 300), *WIDE)
    assert not findings_of(summary)
    assert all(effect["sensitivity"] < 0.05 for effect in summary["prior_sensitivity"].values())


def test_a_prior_that_is_wrong_and_the_data_disagree(ulisse, fit, tmp_path):
    # The noise is 0.2 of the target's sd; the prior is sure that it is 1.
    summary = fit(write_waves(tmp_path / "many.csv", 300), *WIDE[:2], "--prior", "noise_sd=lognormal(0,0.05)")
    conflict = findings_of(summary)["prior_conflict"]
    assert conflict["prior_of"] == "lambda" and conflict["moves"] == "noise_sd"
    assert conflict["likelihood_sensitivity"] > 0.05
    said = next(w for w in summary["warnings"] if "disagree" in w)
    assert said.startswith("the prior of lambda and the data disagree") and said.endswith("state what is known beforehand by --prior")
    # Nothing is wrong with the draws themselves.
    report = tmp_path / "report.html"
    ulisse.output("report", tmp_path / "fit", "--out", report)
    assert "the prior of lambda and the data disagree" in report.read_text()
