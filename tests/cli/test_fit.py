"""ulisse fit and ulisse summary from outside: files, interrupts, resuming, refusals."""

import json
import random
import re
import signal
import subprocess
import time

import pytest

from conftest import EXECUTABLE, draws_of


@pytest.fixture
def table(signal_table):
    return signal_table


MH = ["--sampler", "mh", "--warmup", "100", "--draws", "200"]
NUTS = ["--sampler", "nuts", "--warmup", "40", "--draws", "60", "--chains", "2"]
SGLD = ["--sampler", "sgld", "--warmup", "200", "--draws", "300", "--chains", "2", "--rank", "20"]
ULISSE = ["--sampler", "ulisse", "--warmup", "40", "--draws", "60", "--chains", "2", "--rank", "20", "--step", "1.5"]
AVERAGED = [*ULISSE, "--trace", "probes", "--trace-error", "0.02"]  # no exact gradient at the mode
SKEWED = [*ULISSE, "--kernel", "rbf-ard"]  # with fresh probes, in coordinates of its own


@pytest.mark.parametrize("sampler", [MH, NUTS, SGLD], ids=["mh", "nuts", "sgld"])
def test_a_fit_writes_its_folder_and_a_summary(ulisse, table, tmp_path, sampler):
    out = tmp_path / "fit"
    result = ulisse.run("fit", table, "--target", "y", "--out", out, "--json", *sampler)
    assert result.returncode == 0, result.stderr
    summary = json.loads(result.stdout)
    assert list(summary["parameters"]) == ["sigma", "tau", "lambda"]
    for parameter in summary["parameters"].values():
        assert set(parameter) == {"mean", "sd", "mcse", "q5", "q50", "q95", "ess_bulk", "ess_tail", "rhat"}
        assert parameter["q5"] < parameter["q50"] < parameter["q95"]
    for key in ["seconds_sampling", "seconds_warmup", "seconds_per_independent_sample", "warnings"]:
        assert key in summary
    fit = json.loads((out / "fit.json").read_text())
    assert fit["status"] == "complete"
    assert fit["data"]["features"] == ["a", "b"]
    assert json.loads(ulisse.run("summary", out, "--json").stdout) == summary
    assert "R-hat" in ulisse.run("summary", out).stdout


@pytest.mark.parametrize("sampler", [MH, NUTS, SGLD, ULISSE, AVERAGED, SKEWED], ids=["mh", "nuts", "sgld", "ulisse", "averaged", "skewed"])
def test_threads_do_not_change_a_draw(ulisse, table, tmp_path, sampler):
    found = []
    for threads in [1, 2, 3]:
        out = tmp_path / f"fit{threads}"
        ulisse.run("fit", table, "--target", "y", "--out", out, "--threads", threads, *sampler)
        found.append(draws_of(out))
    assert found[0] == found[1] == found[2]
    assert len(found[0]) > 1


def test_another_seed_gives_other_draws(ulisse, table, tmp_path):
    for seed in [1, 2]:
        ulisse.run("fit", table, "--target", "y", "--out", tmp_path / str(seed), "--seed", seed, *MH)
    assert draws_of(tmp_path / "1") != draws_of(tmp_path / "2")


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


def test_warm_up_is_saved_beside_the_draws_and_changes_none(ulisse, table, tmp_path):
    common = ["fit", table, "--target", "y", "--sampler", "mh", "--warmup", "40", "--draws", "30", "--quiet", "--out"]
    without, saved = tmp_path / "without", tmp_path / "saved"
    assert ulisse.run(*common, without).returncode == 0
    assert not list(without.glob("warmup_*"))
    assert ulisse.run(*common, saved, "--save-warmup").returncode == 0
    found = draws_of(saved)
    for chain in range(1, 5):
        rows = found.pop(f"warmup_{chain}.csv")
        assert len(rows) == 1 + 40 and len(set(rows)) > 10
        assert re.search(r"^# num_samples = 40 *$", (saved / f"warmup_{chain}.csv").read_text(), re.MULTILINE)
    assert found == draws_of(without)
    refused = ulisse.refusal(*common, without, "--save-warmup", "--resume")
    assert "save_warmup (false there, true here)" in refused
    assert ulisse.run(*common, saved, "--force").returncode == 0
    assert not list(saved.glob("warmup_*"))


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
    assert "no draws" in ulisse.run("summary", out).stdout
    assert "no draws yet" in ulisse.refusal("predict", out, table, "--out", tmp_path / "p.csv")


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
    assert "interrupted" in stdout and "--resume" in stdout
    assert len(draws_of(out)["chain_1.csv"]) > 1
    assert (out / "checkpoint").exists()


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
    assert refused.returncode == 2 and "draws (1000000 there, 20 here)" in refused.stderr


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


def test_an_option_of_a_sampler_that_was_not_chosen_says_what_to_do(ulisse, table, tmp_path):
    refused = ulisse.refusal("fit", table, "--target", "y", "--out", tmp_path / "fit", "--step", "0.5")
    assert "not for mh, which was chosen here; name the sampler, as by --sampler ulisse" in refused


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


def test_no_draws_can_be_added_without_the_checkpoint(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    ulisse.run("fit", table, "--target", "y", "--out", out, *MH)
    (out / "checkpoint").unlink()
    refused = ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", *MH[:-1], "500")
    assert refused.returncode == 2 and "no draws can be added" in refused.stderr
    assert json.loads((out / "fit.json").read_text())["status"] == "complete"


@pytest.mark.parametrize("sampler", [SGLD, ULISSE], ids=["sgld", "ulisse"])
@pytest.mark.parametrize("backend", ["kdtree", "anchors"])
def test_products_by_trees_change_draws_by_rounding_alone(ulisse, table, tmp_path, sampler, backend):
    """Chains are contractions: what a tree leaves out of a value, at most 1e-10, does not grow."""
    short = [*sampler[:sampler.index("--draws")], "--draws", "30", *sampler[sampler.index("--draws") + 2:]]
    found = []
    for name in ["dense", backend]:
        out = tmp_path / name
        result = ulisse.run("fit", table, "--target", "y", "--out", out, "--backend", name, *short)
        assert result.returncode == 0, result.stderr
        assert json.loads((out / "fit.json").read_text())["backend"] == name
        found.append([[float(value) for value in row.split(",")[7:]] for rows in draws_of(out).values() for row in rows[1:]])
    for one, other in zip(*found):
        assert one == pytest.approx(other, rel=1e-4)


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


def test_an_existing_folder_is_not_overwritten_without_force(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    ulisse.run("fit", table, "--target", "y", "--out", out, *MH)
    (out / "mine.txt").write_text("keep")
    refused = ulisse.run("fit", table, "--target", "y", "--out", out, *MH)
    assert refused.returncode == 2 and "--force" in refused.stderr
    forced = ulisse.run("fit", table, "--target", "y", "--out", out, "--force", *NUTS)
    assert forced.returncode == 0
    assert (out / "mine.txt").read_text() == "keep"
    assert sorted(p.name for p in out.glob("chain_*")) == ["chain_1.csv", "chain_2.csv"]


@pytest.mark.parametrize(
    "options, words",
    [
        (["--sampler", "gibbs"], "gibbs"),
        (["--sampler", "nuts", "--preset", "paper"], "the paper has sgld and mh"),
        (["--sampler", "sgld", "--truncation", "exp(x)"], "not a truncation rule"),
        (["--sampler", "sgld", "--rank", "0"], "--rank above 0"),
        (["--time-limit", "soon"], "'soon' is no time"),
    ],
)
def test_what_does_not_go_together_is_said_and_nothing_is_written(ulisse, table, tmp_path, options, words):
    out = tmp_path / "fit"
    result = ulisse.run("fit", table, "--target", "y", "--out", out, *options)
    assert result.returncode == 2
    assert words in result.stderr
    assert not out.exists()


def test_few_draws_are_warned_about(ulisse, table, tmp_path):
    result = ulisse.run("fit", table, "--target", "y", "--out", tmp_path / "fit", "--sampler", "mh",
                    "--warmup", "20", "--draws", "30")
    assert "few effective samples" in result.stdout


def test_a_folder_without_a_fit_is_said_so(ulisse, tmp_path):
    result = ulisse.run("summary", tmp_path)
    assert result.returncode == 2 and "there is no fit" in result.stderr


def test_options_of_another_sampler_are_refused(ulisse, signal_table, tmp_path):
    fit = ["fit", signal_table, "--target", "y", "--out", tmp_path / "fit", "--sampler", "mh"]
    assert "--bank is for the sampler ulisse, not for mh" in ulisse.refusal(*fit, "--bank", "64")
    assert "--q is for the sampler ulisse or sgld, not for mh" in ulisse.refusal(*fit, "--q", "0.5")
    assert "--iterations is for the sampler sgld, not for mh" in ulisse.refusal(*fit, "--iterations", "100")
    assert "--chains must be at least 1" in ulisse.refusal(*fit, "--chains", "0")
    assert "--draws must be at least 1" in ulisse.refusal(*fit, "--draws", "0")
    assert not (tmp_path / "fit").exists()


def test_a_fit_that_is_refused_leaves_nothing_behind(ulisse, tmp_path):
    """Data without noise: the message names a prior, and the same folder can be used with it."""
    data = tmp_path / "smooth.csv"
    data.write_text("\n".join(["x,y", *(f"{i / 7!r},{(i / 7) ** 2!r}" for i in range(30))]) + "\n")
    fit = ["fit", data, "--target", "y", "--out", tmp_path / "fit", "--quiet", "--draws", "20"]
    for sampler in ["mh", "nuts", "ulisse"]:
        assert "lambda=lognormal(-14,0.2)" in ulisse.refusal(*fit, "--sampler", sampler)
        assert not (tmp_path / "fit").exists()
    assert ulisse.run(*fit, "--sampler", "mh", "--prior", "lambda=lognormal(-14,0.2)").returncode == 0


def test_a_table_from_standard_input_has_a_folder_with_a_name(ulisse, signal_table, tmp_path):
    with open(signal_table) as file:
        result = ulisse.run("fit", "-", "--target", "y", "--sampler", "mh", "--draws", "20", "--quiet", stdin=file, cwd=tmp_path)
    assert result.returncode == 0 and (tmp_path / "stdin-fit" / "fit.json").exists()


def test_length_scales_are_in_the_inputs_own_units(ulisse, signal_table, tmp_path):
    out = tmp_path / "fit"
    done = ulisse.run("fit", signal_table, "--target", "y", "--kernel", "rbf-ard", "--sampler", "mh", "--draws", "50", "--warmup", "50", "--quiet",
                      "--out", out)
    assert done.returncode == 0 and "length scale of" in done.stdout
    found = json.loads(ulisse.run("summary", out, "--json").stdout)
    units = json.loads((out / "fit.json").read_text())["scaling"]["x_sd"]
    scales = list(found["length_scales"].values())
    assert len(scales) == len(units)
    for k, (scale, unit) in enumerate(zip(scales, units)):
        tau = found["parameters"][f"tau.{k + 1}"]
        assert scale["q50"] == pytest.approx(unit / (2 * tau["q50"]) ** 0.5)
        assert scale["q5"] == pytest.approx(unit / (2 * tau["q95"]) ** 0.5)
        assert scale["q5"] < scale["q50"] < scale["q95"]


def test_each_tau_names_its_input(ulisse, signal_table, tmp_path):
    result = ulisse.run("fit", signal_table, "--target", "y", "--kernel", "rbf-ard", "--sampler", "mh", "--draws", "20", "--quiet", "--out",
                        tmp_path / "fit")
    assert result.returncode == 0
    with open(signal_table) as file:
        names = [name for name in file.readline().strip().split(",") if name != "y"]
    rows = [line.split() for line in result.stdout.splitlines() if line.startswith("tau.")]
    assert [row[-1] for row in rows] == names
    found = ulisse.json("summary", tmp_path / "fit")["parameters"]
    assert [found[f"tau.{i + 1}"]["input"] for i in range(len(names))] == names
    assert "input" not in found["sigma"]
