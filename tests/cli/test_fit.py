"""ulisse fit and ulisse summary from outside: files, threads, seeds, refusals."""

import json
import re

import pytest

from conftest import AVERAGED, MH, NUTS, SGLD, SKEWED, ULISSE, draws_of, gamma_priors


@pytest.fixture
def table(signal_table):
    return signal_table


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
    assert "--save-warmup (false there, true here)" in refused
    assert ulisse.run(*common, saved, "--force").returncode == 0
    assert not list(saved.glob("warmup_*"))


# It once was complete, with no draws, and went on beyond its iterations.
@pytest.mark.parametrize("warmup, batch, iterations, most", [("40", "10", "40", 40), ("41", "10", "50", 50), ("30", "100", "60", 100)])
def test_iterations_that_leave_no_draws_are_refused(ulisse, table, tmp_path, warmup, batch, iterations, most):
    fit = ["fit", table, "--target", "y", "--sampler", "sgld", "--out", tmp_path / "fit", "--warmup", warmup, "--batch", batch]
    assert f"--iterations: warm-up takes up to {most} iterations, and leaves no draws" in ulisse.refusal(*fit, "--iterations", iterations)
    assert not (tmp_path / "fit").exists()


@pytest.mark.parametrize("sampler", ["mh", "nuts"])
def test_exact_samplers_keep_to_the_memory_that_they_may_use(ulisse, table, tmp_path, sampler):
    fit = ["fit", table, "--target", "y", "--sampler", sampler, "--out", tmp_path / "fit", "--memory", "1kB"]
    assert "--memory: the exact likelihood of" in ulisse.refusal(*fit)


def test_an_option_of_a_sampler_that_was_not_chosen_says_what_to_do(ulisse, table, tmp_path):
    refused = ulisse.refusal("fit", table, "--target", "y", "--out", tmp_path / "fit", "--step", "0.5")
    assert "not for mh, which was chosen here; name the sampler, as by --sampler ulisse" in refused


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
    assert not (out / ".new").exists()


def test_a_forced_fit_that_is_refused_leaves_the_old_one_as_it_was(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    assert ulisse.run("fit", table, "--target", "y", "--out", out, *MH).returncode == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    huge = tmp_path / "huge.csv"
    huge.write_text("a,y\n" + "".join(f"{i % 7},{i % 3}e200\n" for i in range(40)))
    refused = ulisse.run("fit", huge, "--target", "y", "--no-standardise", "--out", out, "--force", *MH)
    assert refused.returncode == 2, refused.stderr
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    # Nor is the table itself replaced by what the fit keeps of it.
    own = ulisse.refusal("fit", out / "data.csv", "--target", "y", "--features", "a", "--out", out, "--force", *MH)
    assert "is the table itself" in own
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    # What a kill has left of a fit that was to replace it does no harm.
    (out / ".new").mkdir()
    (out / ".new" / "fit.json").write_text("half")
    assert ulisse.run("fit", table, "--target", "y", "--out", out, "--resume", *MH).returncode == 0
    assert ulisse.run("fit", table, "--target", "y", "--out", out, "--force", *NUTS).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == ["chain_1.csv", "chain_2.csv", "checkpoint", "data.csv", "fit.json"]


@pytest.mark.parametrize(
    "options, words",
    [
        (["--sampler", "gibbs"], "gibbs"),
        (["--sampler", "nuts", "--preset", "paper"], "sgld and mh have it, not nuts"),
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
    assert "--chains: '0' is not a whole number of 1 or more" in ulisse.usage_error(*fit, "--chains", "0")
    assert "--chains: '100000000' is too large; at most 1000" in ulisse.usage_error(*fit, "--chains", "100000000")
    assert "--draws: '0' is not a whole number of 1 or more" in ulisse.usage_error(*fit, "--draws", "0")
    assert not (tmp_path / "fit").exists()


def test_a_fit_that_is_refused_leaves_nothing_behind(ulisse, tmp_path):
    """Data without noise: the message names a prior, and the same folder can be used with it."""
    data = tmp_path / "smooth.csv"
    data.write_text("\n".join(["x,y", *(f"{i / 7!r},{(i / 7) ** 2!r}" for i in range(30))]) + "\n")
    fit = ["fit", data, "--target", "y", "--out", tmp_path / "fit", "--quiet", "--draws", "20"]
    for sampler in ["mh", "nuts", "ulisse"]:
        assert "lambda=lognormal(-14,0.2)" in ulisse.refusal(*fit, "--sampler", sampler, *gamma_priors())
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
    assert done.returncode == 0 and "\nlengthscale.2 " in done.stdout
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
    for stem in ("tau.", "lengthscale."):
        rows = [line.split() for line in result.stdout.splitlines() if line.startswith(stem)]
        assert [row[-1] for row in rows] == names
    found = ulisse.json("summary", tmp_path / "fit")["parameters"]
    assert [found[f"tau.{i + 1}"]["input"] for i in range(len(names))] == names
    assert "input" not in found["sigma"]


def test_a_preset_that_there_is_not_is_refused_before_a_sampler_is_chosen(ulisse, table, tmp_path):
    assert "--preset: there is none called 'papr'" in ulisse.refusal("fit", table, "--target", "y", "--preset", "papr", "--out", tmp_path / "fit")
