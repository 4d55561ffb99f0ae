"""Fits that go on until there are enough effective samples."""

import json
import signal
import subprocess

import pytest

from conftest import EXECUTABLE, draws_of, gamma_priors

MH = ["--sampler", "mh", "--warmup", 60, "--chains", 2]
# Langevin's steps, on tables of few rows.
LANGEVIN = ["--sampler", "ulisse", "--step", 1.5, "--warmup", 40, "--chains", 2, "--rank", 20, *gamma_priors()]


@pytest.fixture
def fit(ulisse, signal_table, tmp_path):
    def run(name, *options):
        ulisse.output("fit", signal_table, "--target", "y", "--out", tmp_path / name, "--quiet", *options)
        return tmp_path / name

    return run


def about(folder):
    return json.loads((folder / "fit.json").read_text())


def test_exact_steps_go_on_by_default(ulisse, fit):
    folder = fit("fit", *MH, "--max-draws", 4000, "--ess", 900, "--draws", 100)
    summary = ulisse.json("summary", folder)
    assert summary["goal"]["reached"] and summary["goal"]["ess"] == 900
    assert 100 < summary["draws"] < 4000
    for row in summary["parameters"].values():
        assert min(row["ess_bulk"], row["ess_tail"]) >= 900 and row["rhat"] < 1.01
    assert f"chains ended at {summary['draws']} draws: 900 effective samples" in ulisse.output("summary", folder)
    goal = about(fit("default", *MH))["goal"]
    assert (goal["ess"], goal["max_draws"], goal["reached"]) == (1000, 20000, True)


def test_a_number_of_draws_is_that_number(ulisse, fit):
    folder = fit("fit", *MH, "--draws", 70)
    assert about(folder)["draws"] == 70 and "goal" not in about(folder)
    assert ulisse.json("summary", folder)["goal"] is None


def test_the_first_draws_are_those_of_a_number_of_draws(fit):
    more, few = draws_of(fit("more", *MH, "--draws", 50, "--ess", 300)), draws_of(fit("few", *MH, "--draws", 50))
    assert len(more["chain_1.csv"]) > len(few["chain_1.csv"])
    for name, rows in few.items():
        assert more[name][: len(rows)] == rows


@pytest.mark.parametrize("sampler", [MH, ["--sampler", "ulisse", "--warmup", 40, "--chains", 2], LANGEVIN], ids=["mh", "exact", "langevin"])
def test_chains_end_at_the_same_draw_on_any_number_of_threads(fit, sampler):
    options = [*sampler, "--draws", 60, "--ess", 150]
    assert draws_of(fit("one", *options, "--threads", 1)) == draws_of(fit("two", *options, "--threads", 2))


@pytest.mark.parametrize("sampler", [[*MH, "--draws", 400, "--ess", 2500], [*LANGEVIN, "--draws", 200, "--ess", 500]], ids=["mh", "langevin"])
def test_a_killed_fit_ends_where_one_that_was_not_killed_does(fit, signal_table, tmp_path, sampler):
    whole, broken = fit("whole", *sampler), tmp_path / "broken"
    command = [EXECUTABLE, "fit", str(signal_table), "--target", "y", "--quiet", "--out", str(broken), *map(str, sampler)]
    for attempt in range(60):
        process = subprocess.Popen(command + ["--resume"] * (broken / "fit.json").exists(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(timeout=0.15 * (1 + attempt) if attempt else 0.1)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL if attempt % 2 else signal.SIGINT)
            process.wait()
            continue
        assert process.returncode == 0, process.stderr.read()
        break
    assert about(broken)["status"] == "complete"
    assert draws_of(broken) == draws_of(whole)
    assert about(broken)["goal"] == about(whole)["goal"]


def test_the_most_draws_are_a_finding_and_resume_goes_on(ulisse, fit):
    options = [*MH, "--draws", 50, "--ess", 500]
    folder = fit("fit", *options, "--max-draws", 80)
    summary = ulisse.json("summary", folder)
    assert summary["draws"] == 80 and not summary["goal"]["reached"]
    finding = next(each for each in summary["findings"] if each["code"] == "goal_not_reached")
    assert finding["remedies"][0] == {"option": "max_draws", "change": "increase"}
    ulisse.output("fit", "--resume", "--out", folder, "--max-draws", 5000, "--quiet")
    assert about(folder)["goal"]["reached"]
    assert draws_of(folder) == draws_of(fit("at-once", *options, "--max-draws", 5000))


def test_more_effective_samples_are_added_to_a_number_of_draws(ulisse, fit):
    folder = fit("fit", *MH, "--draws", 50)
    ulisse.output("fit", "--resume", "--out", folder, "--ess", 300, "--quiet")
    assert draws_of(folder) == draws_of(fit("at-once", *MH, "--draws", 50, "--ess", 300))
    ulisse.output("fit", "--resume", "--out", folder, "--draws", 1500, "--quiet")
    assert about(folder)["draws"] == 1500
    assert draws_of(folder) == draws_of(fit("number", *MH, "--draws", 1500))


def test_no_draws_are_taken_away(ulisse, fit):
    folder = fit("fit", *MH, "--draws", 50, "--ess", 600)
    refusal = ulisse.refusal("fit", "--resume", "--out", folder, "--draws", 60, "--quiet")
    assert "takes none away" in refusal
    assert "--max-draws 60 must be at least --draws 80" in ulisse.refusal("fit", "--resume", "--out", fit("other", *MH, "--draws", 80), "--max-draws", 60)


def test_langevins_steps_have_no_goal_of_their_own(fit):
    assert "goal" not in about(fit("fit", *LANGEVIN, "--max-draws", 100))
