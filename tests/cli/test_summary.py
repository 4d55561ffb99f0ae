"""What summaries say of a fit, and of a folder in which something is wrong."""

import json

import pytest
from conftest import MH, ULISSE


@pytest.fixture
def fit(ulisse, signal_table, tmp_path):
    out = tmp_path / "fit"
    ulisse.output("fit", signal_table, "--target", "y", *MH, "--prior", "tau=gamma(2,1)", "--seed", "7", "--out", out, "--quiet")
    return out


def test_what_was_fitted_is_said(ulisse, fit, signal_table):
    head = ulisse.output("summary", fit).splitlines()[:3]
    assert head == [
        f"{signal_table}: y from 2 inputs (a, b), 60 rows",
        "kernel rbf, inputs and target standardised; priors signal_sd ~ half-student-t(4,50); tau ~ gamma(2,1); noise_sd ~ inverse-gamma(0.75,0.025)",
        "4 chains of 200 draws after 100 of warm-up, sampler mh, preset default, seed 7, complete",
    ]
    fitted = ulisse.json("summary", fit)["fitted"]
    assert fitted["file"] == str(signal_table) and fitted["target"] == "y" and fitted["inputs"] == ["a", "b"]
    assert fitted["rows"] == 60 and fitted["kernel"] == "rbf" and fitted["preset"] == "default" and fitted["seed"] == 7
    assert fitted["priors"] == {"sigma": "signal_sd=half-student-t(4,50)", "tau": "gamma(2,1)", "lambda": "noise_sd=inverse-gamma(0.75,0.025)"}


def test_a_damaged_folder_is_refused_in_one_sentence(ulisse, fit, signal_table):
    good = json.loads((fit / "fit.json").read_text())
    for value in [0, -3, "4", [4]]:
        (fit / "fit.json").write_text(json.dumps({**good, "settings": {**good["settings"], "chains": value}}))
        for command in [("summary", fit), ("report", fit), ("predict", fit, signal_table)]:
            assert "fit.json: settings.chains: must be a whole number from 1 to 1000" in ulisse.refusal(*command)


def test_a_chain_that_was_cut_short_is_said(ulisse, fit):
    rows = (fit / "chain_3.csv").read_text().splitlines(keepends=True)
    (fit / "chain_3.csv").write_text("".join(rows[:-30]))
    summary = ulisse.json("summary", fit)
    assert "chain_3.csv has 175 draws where there were 200: it has been cut short" in summary["warnings"][0]
    assert summary["findings"][0]["code"] == "chain_cut_short"
    again = ulisse.run("fit", "--resume", "--out", fit)
    assert "cut short" in again.stdout and "complete already" not in again.stderr
    assert summary["findings"][0]["values"] == {"file": "chain_3.csv", "draws": 175, "expected": 200}
    assert len(summary["findings"]) == len(summary["warnings"])


def columns(fit, name):
    lines = [line.split(",") for line in (fit / "chain_1.csv").read_text().splitlines() if not line.startswith("#")]
    return [float(line[lines[0].index(name)]) for line in lines[1:]]


def test_the_density_of_steps_without_one_is_the_gaussians(ulisse, larger_table, tmp_path):
    """It was 0 in every row, with R-hat nan in rstan, which called the sampler NUTS."""
    out = tmp_path / "fit"
    ulisse.output("fit", larger_table, "--target", "y", *ULISSE, "--out", out, "--quiet")
    density = columns(out, "lp__")
    assert len(set(density)) > 50 and columns(out, "energy__") == [-value for value in density]
    # Half of a chi-squared variable of three degrees of freedom: 1.5 on average, sd 1.2, some 20 independent ones.
    assert 0.3 < -sum(density) / len(density) < 4
    header = (out / "chain_1.csv").read_text()
    assert "# sampler_t = Langevin\n" in header and "nuts" not in header


def test_an_error_that_was_asked_for_and_not_reached_is_warned_of(ulisse, larger_table, tmp_path):
    for goal, warned in [("1e-4", True), ("0.09", False)]:
        out = tmp_path / goal
        ulisse.output("fit", larger_table, "--target", "y", *ULISSE, "--trace", "probes", "--trace-error", goal, "--out", out, "--quiet")
        found = ulisse.json("summary", out)["findings"]
        goals = [f["values"]["goal"] for f in found if f["code"] == "mode_gradient_error_above_goal"]
        assert goals == ([float(goal)] if warned else []), found
