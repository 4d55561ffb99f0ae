"""Fits that were interrupted, killed or cut short, and those to which draws are added."""

import json
import random
import re
import signal
import subprocess
import time

import pytest

from conftest import AVERAGED, EXECUTABLE, IMPROVING, MH, NUTS, SGLD, SKEWED, ULISSE, draws_of


@pytest.fixture
def table(signal_table):
    return signal_table


LONG = {
    "mh": ["--sampler", "mh", "--warmup", "2000", "--draws", "6000", "--save-warmup"],
    "nuts": ["--sampler", "nuts", "--warmup", "150", "--draws", "500", "--chains", "2"],
    "ulisse": ["--sampler", "ulisse", "--warmup", "100", "--draws", "1500", "--chains", "2", "--rank", "20", "--step", "1.5"],
    "sgld": ["--sampler", "sgld", "--warmup", "500", "--draws", "3000", "--chains", "2", "--rank", "20", "--save-warmup"],
}


@pytest.mark.parametrize("sampler", LONG)
def test_a_killed_fit_goes_on_bit_for_bit(ulisse, table, tmp_path, sampler):
    common = [EXECUTABLE, "fit", str(table), "--target", "y", "--quiet", *LONG[sampler]]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    start = time.monotonic()
    subprocess.run([*common, "--out", str(whole)], check=True, capture_output=True)
    seconds = time.monotonic() - start
    source = random.Random(sampler)
    kills = 0
    for attempt in range(40):
        command = [*common, "--out", str(broken)]
        if (broken / "fit.json").exists():
            command.append("--resume")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            # Later and later, so that it ends; nothing is promised without a checkpoint in between.
            process.wait(timeout=seconds * (0.1 + 0.1 * attempt) * source.random())
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL if attempt % 2 == 0 else signal.SIGINT)
            kills += 1
            process.wait()
            continue
        assert process.returncode == 0, process.stderr.read()
        break
    assert kills > 0
    assert json.loads((broken / "fit.json").read_text())["status"] == "complete"
    assert draws_of(whole) == draws_of(broken)


def test_a_warm_up_cut_short_is_kept_and_goes_on(ulisse, table, tmp_path):
    whole, out = tmp_path / "whole", tmp_path / "fit"
    common = ["fit", table, "--target", "y", "--sampler", "mh", "--warmup", "20000", "--draws", "20", "--quiet", "--out"]
    assert ulisse.run(*common, out, "--save-warmup", "--time-limit", "0.5s").returncode == 0
    announced = re.search(r"^# num_samples = (\d+) *$", (out / "warmup_1.csv").read_text(), re.MULTILINE)
    assert len(draws_of(out)["warmup_1.csv"]) == 1 + int(announced[1])
    assert 10 < int(announced[1]) < 20000, "the limit fell within warm-up"
    assert ulisse.run(*common, out, "--resume").returncode == 0, "what is being saved goes on being saved"
    assert ulisse.run(*common, whole, "--save-warmup").returncode == 0
    assert draws_of(out) == draws_of(whole)
    assert ulisse.run(*common, out, "--save-warmup", "--resume").returncode == 0, "the first command still fits"


def test_chain_files_that_a_kill_left_empty_are_no_draws(ulisse, table, tmp_path):
    """The files are there before the first draws are."""
    out = tmp_path / "fit"
    assert ulisse.run("fit", table, "--target", "y", "--sampler", "mh", "--draws", "50", "--warmup", "50", "--out", out, "--quiet").returncode == 0
    for chain in out.glob("chain_?.csv"):
        chain.write_text("")
    assert "has no draws, and fit.json says that there are 50" in ulisse.refusal("summary", out)
    assert "has no draws" in ulisse.refusal("predict", out, table, "--out", tmp_path / "p.csv")


def test_resume_and_force_do_not_go_together(ulisse, table, tmp_path):
    refused = ulisse.usage_error("fit", table, "--target", "y", "--out", tmp_path / "fit", "--resume", "--force")
    assert "--force" in refused and "--resume" in refused


def test_an_interrupt_keeps_everything_and_exits_with_130(table, tmp_path):
    out = tmp_path / "fit"
    process = subprocess.Popen(
        [EXECUTABLE, "fit", str(table), "--target", "y", "--out", str(out), "--sampler", "mh",
         "--warmup", "10", "--draws", "1000000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (out / "chain_1.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    # A fast machine has so many draws that their summary would take long.
    assert ("interrupted" in stdout and "--resume" in stdout) or ("interrupted; ulisse summary" in stderr and stdout == "")
    assert len(draws_of(out)["chain_1.csv"]) > 1
    assert (out / "checkpoint").exists()


def test_an_interrupt_before_a_fit_can_replace_another_leaves_that(ulisse, table, concrete, tmp_path):
    out = tmp_path / "fit"
    assert ulisse.run("fit", table, "--target", "y", "--out", out, "--draws", "50").returncode == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    command = [EXECUTABLE, "fit", concrete, "--target", "strength", "--out", str(out), "--force", "--sampler", "ulisse"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (out / ".new" / "fit.json").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130 and stdout == "", stderr
    assert stderr.endswith(f"{out}: the fit that was to be replaced is as it was\n")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_a_time_limit_stops_and_can_be_resumed(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    common = ["fit", table, "--target", "y", "--out", out, "--sampler", "mh", "--warmup", "10"]
    result = ulisse.run(*common, "--draws", "1000000", "--time-limit", "1s")
    assert result.returncode == 0
    assert "not complete" in result.stdout
    for name, rows in draws_of(out).items():
        announced = re.search(r"^# num_samples = (\d+) *$", (out / name).read_text(), re.MULTILINE)
        assert int(announced[1]) == len(rows) - 1, "readers of CmdStan's files count"
    refused = ulisse.run(*common, "--draws", "20", "--resume")
    assert refused.returncode == 2 and "begun with 1000000 draws of each chain, and --resume takes none away" in refused.stderr


def test_resuming_with_other_settings_or_data_says_which_differ(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    ulisse.run("fit", table, "--target", "y", "--out", out, *MH)
    other = ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", "--seed", "7", *MH)
    assert other.returncode == 2 and "seed (1 there, 7 here)" in other.stderr
    table.write_text(table.read_text() + "0,0,1\n")
    changed = ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", *MH)
    assert changed.returncode == 2 and "fingerprint" in changed.stderr


def test_a_fit_that_goes_on_has_the_draws_it_was_to_have(ulisse, table, tmp_path):
    common = ["fit", table, "--target", "y", "--out", tmp_path / "fit", "--sampler", "mh", "--warmup", "20", "--chains", "2"]
    assert ulisse.run(*common, "--draws", "30").returncode == 0
    before = draws_of(tmp_path / "fit")
    assert ulisse.run(*common, "--resume").returncode == 0
    assert draws_of(tmp_path / "fit") == before


def test_a_complete_fit_has_nothing_to_resume(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    ulisse.run("fit", table, "--target", "y", "--out", out, *MH)
    before = draws_of(out)
    again = ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", *MH)
    assert again.returncode == 0 and "complete already" in again.stderr
    assert draws_of(out) == before


@pytest.mark.parametrize("sampler", [MH, NUTS, SGLD, ULISSE, AVERAGED, SKEWED], ids=["mh", "nuts", "sgld", "ulisse", "averaged", "skewed"])
def test_draws_added_later_are_those_of_a_longer_fit(ulisse, table, tmp_path, sampler):
    longer = [*sampler[:sampler.index("--draws")], "--draws", "321", *sampler[sampler.index("--draws") + 2:]]
    ulisse.run("fit", table, "--target", "y", "--out", tmp_path / "at once", *longer)
    out = tmp_path / "in two"
    ulisse.run("fit", table, "--target", "y", "--out", out, *sampler)
    added = ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", *longer)
    assert added.returncode == 0, added.stderr
    assert draws_of(out) == draws_of(tmp_path / "at once")
    fit = json.loads((out / "fit.json").read_text())
    assert fit["status"] == "complete" and fit["settings"]["draws"] == fit["draws"] == 321
    for name in draws_of(out):
        assert re.search(r"^# num_samples = 321 *$", (out / name).read_text(), re.MULTILINE)


def test_a_gradient_at_the_mode_that_improves_goes_on_improving(ulisse, larger_table, tmp_path):
    """By blocks of probes, for which the time comes when a chain has made enough products."""
    common = ["fit", larger_table, "--target", "y", *IMPROVING, "--rank", "20", "--out"]
    ulisse.run(*common, tmp_path / "at once", "--draws", "200")
    ulisse.run(*common, tmp_path / "in two", "--draws", "1")  # before the first block
    assert ulisse.run(*common, tmp_path / "in two", "--resume", "--draws", "200").returncode == 0
    assert draws_of(tmp_path / "in two") == draws_of(tmp_path / "at once")
    at_once, in_two = [json.loads((tmp_path / name / "fit.json").read_text())["chains"] for name in ("at once", "in two")]
    assert not json.loads((tmp_path / "in two" / "fit.json").read_text())["setup"]["fresh_probes"]
    for one, other in zip(at_once, in_two):
        assert one["trace_probes"] == other["trace_probes"] >= 48
        assert one["trace_error"] == other["trace_error"]


def test_no_draws_can_be_added_without_the_checkpoint(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    ulisse.run("fit", table, "--target", "y", "--out", out, *MH)
    (out / "checkpoint").unlink()
    refused = ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", *MH[:-1], "500")
    assert refused.returncode == 2 and "no draws can be added" in refused.stderr
    assert json.loads((out / "fit.json").read_text())["status"] == "complete"


@pytest.mark.parametrize("sampler", [SGLD, ULISSE], ids=["sgld", "ulisse"])
def test_what_auto_has_chosen_is_kept_when_resuming(ulisse, table, tmp_path, sampler):
    out = tmp_path / "fit"
    ulisse.run("fit", table, "--target", "y", "--out", out, *sampler)
    fit = json.loads((out / "fit.json").read_text())
    assert fit["settings"]["backend"] == "auto" and fit["backend"] in ["dense", "cached"]
    fit["backend"] = "anchors"  # as if the trial had found that
    (out / "fit.json").write_text(json.dumps(fit))
    longer = [*sampler[:sampler.index("--draws")], "--draws", "310", *sampler[sampler.index("--draws") + 2:]]
    ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", *longer)
    assert json.loads((out / "fit.json").read_text())["backend"] == "anchors"


def test_the_folder_is_enough_to_go_on(ulisse, table, tmp_path):
    """Table, target, columns, separator and all settings are in fit.json."""
    semicolons = tmp_path / "table with ;.csv"
    semicolons.write_text("unused;" + "\n0;".join(table.read_text().replace(",", ";").splitlines()))
    options = ["--target", "y", "--features", "b,a", "--separator", ";", "--kernel", "matern52-ard", "--prior", "tau.a=gamma(2,1)", "--seed", "9", "--no-standardise",
               "--sampler", "mh", "--warmup", "30", "--chains", "3", "--save-warmup"]
    whole, out = tmp_path / "whole", tmp_path / "fit"
    assert ulisse.run("fit", semicolons, *options, "--draws", "50", "--out", whole, "--quiet").returncode == 0
    for no_data in [[], ["--no-data"]]:
        assert ulisse.run("fit", semicolons, *options, *no_data, "--draws", "20", "--out", out, "--quiet", "--force").returncode == 0
        assert ulisse.run("fit", "--resume", "--out", out, "--quiet").returncode == 0
        added = ulisse.run("fit", "--resume", "--out", out, "--draws", "50", "--quiet")
        assert added.returncode == 0, added.stderr
        assert draws_of(out) == draws_of(whole)
        assert (out / "data.csv").exists() == (no_data == [])
        assert json.loads((out / "fit.json").read_text())["data"]["path"] == str(semicolons)
    refused = ulisse.refusal("fit", "--resume", "--out", out, "--kernel", "rbf", "--seed", "3")
    assert '--kernel ("matern52-ard" there, "rbf" here)' in refused and "--seed (9 there, 3 here)" in refused
    assert "which are y and b,a" in ulisse.refusal("fit", "--resume", "--out", out, "--target", "a")
    assert "which are y and b,a" in ulisse.refusal("fit", "--resume", "--out", out, "--features", "a,b")
    assert ulisse.run("fit", "--resume", "--out", out, "--features", "b,a", "--target", "y").returncode == 0
    semicolons.write_text("secret words\n")
    refused = ulisse.refusal("fit", "--resume", "--out", out, "--draws", "60")
    assert "is not the table that the fit" in refused and "secret" not in refused


def test_a_changed_copy_of_the_table_is_not_gone_on_with(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    assert ulisse.run("fit", table, "--target", "y", "--out", out, *MH).returncode == 0
    (out / "data.csv").write_text((out / "data.csv").read_text() + "0,0,1\n")
    assert "data.csv: is not the table that the fit" in ulisse.refusal("fit", "--resume", "--out", out, "--draws", "300")


def test_resume_without_a_folder_or_a_table_says_what_is_missing(ulisse, tmp_path):
    assert "--resume: name the folder of the fit as --out" in ulisse.refusal("fit", "--resume")
    assert "there is no fit" in ulisse.refusal("fit", "--resume", "--out", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    assert "--target is required" in ulisse.usage_error("fit", "table.csv", "--out", tmp_path / "none")


def test_an_empty_folder_name_is_refused(ulisse, table, tmp_path):
    assert "--out: the value is empty" in ulisse.usage_error("fit", table, "--target", "y", "--out", "")


def test_a_fit_stopped_in_its_set_up_is_not_said_to_have_been_in_warm_up(ulisse, concrete, tmp_path):
    out = tmp_path / "fit"
    for how, word in [(signal.SIGINT, "interrupted"), (signal.SIGKILL, "killed")]:
        process = subprocess.Popen([EXECUTABLE, "fit", concrete, "--target", "strength", "--out", str(out), "--force", "--sampler", "ulisse"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not (out / "data.csv").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(how)
        process.wait(timeout=60)
        summary = ulisse.run("summary", out)
        assert f"was {word} in its set-up; go on with --resume" in summary.stdout, summary.stdout
        for path in out.iterdir():
            path.unlink()


def test_draws_that_were_being_added_when_a_kill_came_are_not_called_complete(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    assert ulisse.run("fit", table, "--target", "y", "--out", out, *MH).returncode == 0
    process = subprocess.Popen([EXECUTABLE, "fit", "--resume", "--out", str(out), "--draws", "5000000", "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while "5000000" not in (out / "chain_1.csv").read_text()[:2000] and time.monotonic() < deadline:
        time.sleep(0.05)
    process.kill()
    process.wait()
    summary = ulisse.json("summary", out)
    assert summary["status"] == "killed" and summary["draws"] >= 200
