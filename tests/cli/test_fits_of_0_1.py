"""Folders that version 0.1.0 wrote are read; a fit there goes on, or is refused in a sentence that says what to do."""

import csv
import json
import pathlib
import shutil

import pytest

from conftest import draws_of

FOLDERS = pathlib.Path(__file__).resolve().parents[1] / "fits_of_0.1"
SAMPLERS = ["ulisse", "sgld", "mh"]
RENAMED = ["ulisse", "sgld"]  # the samplers whose options had other names


@pytest.fixture
def folder(request, tmp_path):
    return pathlib.Path(shutil.copytree(FOLDERS / request.param, tmp_path / request.param))


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def columns_of(folder):
    """Draws of all chains by parameter, read as plain CSV."""
    draws = {}
    for path in sorted(folder.glob("chain_*.csv")):
        rows = csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#"))
        for row in rows:
            for name in ("sigma", "tau", "lambda"):
                draws.setdefault(name, []).append(float(row[name]))
    return draws


@pytest.mark.parametrize("folder", SAMPLERS, indirect=True)
def test_the_summary_is_that_of_its_draws(ulisse, folder):
    summary = ulisse.json("summary", folder)
    assert summary["sampler"] == folder.name and summary["status"] == "complete"
    draws = columns_of(folder)
    assert set(summary["parameters"]) == set(draws)
    for name, values in draws.items():
        assert summary["parameters"][name]["mean"] == pytest.approx(sum(values) / len(values), rel=1e-12)
    # What its files do not have follows from the parameters.
    unit = json.loads((folder / "fit.json").read_text())["scaling"]["y_sd"]
    noise = [unit * value**0.5 for value in draws["lambda"]]
    assert summary["quantities"]["noise_sd"]["mean"] == pytest.approx(sum(noise) / len(noise), rel=1e-12)


@pytest.mark.parametrize("folder", ["ulisse"], indirect=True)
def test_the_summary_of_ulisse_has_its_setup_and_its_bias(ulisse, folder):
    written = json.loads((folder / "fit.json").read_text())
    summary = ulisse.json("summary", folder)
    assert summary["setup"] == written["setup"]
    assert summary["bias"]["discretisation"] > 0
    assert summary["bias"]["solver_tolerance"] == written["setup"]["solver_error"]


@pytest.mark.parametrize("folder", SAMPLERS, indirect=True)
def test_predictions_and_the_report_are_made(ulisse, folder, tmp_path):
    out = tmp_path / "predictions.csv"
    # So few draws cannot be trusted, which is said on standard error.
    made = ulisse.run("predict", folder, folder / "data.csv", "--out", out, "--quiet", "--json")
    assert made.returncode == 0, made.stderr
    found = json.loads(made.stdout)
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert len(rows) == found["points"] == len((folder / "data.csv").read_text().splitlines()) - 1
    # The draws know the table: nine of ten targets are within what holds nine of ten.
    assert 0.75 <= found["scores"]["coverage"] <= 1
    page = tmp_path / "report.html"
    assert ulisse.output("report", folder, "--predictions", out, "--out", page) == f"{page}\n"
    assert page.stat().st_size > 100_000


@pytest.mark.parametrize("more", [[], ["--draws", "400"]])
@pytest.mark.parametrize("folder", RENAMED, indirect=True)
def test_one_that_cannot_go_on_is_refused_with_what_to_do(ulisse, folder, more):
    before = files_of(folder)
    words = ulisse.refusal("fit", "--resume", "--out", folder, *more)
    assert "was begun by ulisse 0.1.0" in words and "--force begins the fit anew" in words, words
    assert "draws stay readable" in words
    assert files_of(folder) == before


@pytest.mark.parametrize("folder", RENAMED, indirect=True)
def test_one_that_cannot_go_on_can_be_begun_anew(ulisse, folder):
    assert ulisse.run("fit", folder / "data.csv", "--target", "y", "--out", folder, "--sampler", "mh", "--draws", "20", "--quiet").returncode == 2
    table = shutil.copy(folder / "data.csv", folder.parent / "table.csv")
    made = ulisse.run("fit", table, "--target", "y", "--out", folder, "--sampler", "mh", "--draws", "20", "--quiet", "--force")
    assert made.returncode == 0, made.stderr
    assert not (folder / "setup").exists()


@pytest.mark.parametrize("folder", SAMPLERS, indirect=True)
def test_priors_are_those_it_was_made_with(ulisse, folder):
    assert ulisse.json("summary", folder)["fitted"]["priors"] == dict.fromkeys(("sigma", "tau", "lambda"), "gamma(1,1)")
    assert "sigma, tau, lambda ~ gamma(1,1)" in ulisse.output("summary", folder)


@pytest.mark.parametrize("folder", ["mh"], indirect=True)
def test_one_whose_settings_are_the_same_goes_on(ulisse, folder):
    before = draws_of(folder)
    gone_on = ulisse.run("fit", "--resume", "--out", folder, "--draws", "80", "--quiet")
    assert gone_on.returncode == 0, gone_on.stderr
    after = draws_of(folder)
    for name, rows in before.items():
        assert after[name][:len(rows)] == rows
        assert len(after[name]) == len(rows) + 30
    about = json.loads((folder / "fit.json").read_text())
    assert {p["prior"] for p in about["parameters"]} == {"gamma(1,1)"} and "default_priors" not in about["settings"]


@pytest.mark.parametrize("folder", ["mh"], indirect=True)
def test_one_that_goes_on_keeps_its_columns(ulisse, folder):
    header = lambda: next(line for line in (folder / "chain_1.csv").read_text().splitlines() if not line.startswith("#"))
    before = header()
    assert ulisse.run("fit", "--resume", "--out", folder, "--draws", "400", "--quiet").returncode == 0
    assert header() == before and before.endswith(",sigma,tau,lambda")
    found = ulisse.json("summary", folder)
    assert found["draws"] == 400 and found["quantities"]["lengthscale.1"]["mean"] > 0
