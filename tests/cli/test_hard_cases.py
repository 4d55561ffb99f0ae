"""Data that are hard for the sampler ulisse: its draws agree with those of an exact sampler, or it warns. In up to 300 rows its own
steps are those of nuts, unless --step asks for Langevin's."""

import json
import math
import random

import pytest

from conftest import ROOT, SANITIZED, gamma_priors


def table(path, rows):
    names = [f"x{j}" for j in range(len(rows[0]) - 1)] + ["y"]
    path.write_text("\n".join([",".join(names), *(",".join(f"{v:.10g}" for v in row) for row in rows)]) + "\n")
    return path


def few_rows(source):
    return [(x, math.sin(2 * x) + source.gauss(0, 0.3)) for x in (source.gauss(0, 1) for _ in range(20))]


def duplicate_inputs(source):
    points = [source.gauss(0, 1) for _ in range(40)]
    return [(x, math.sin(2 * x) + source.gauss(0, 0.3)) for x in points for _ in range(3)]


def hardly_any_noise(source):
    points = [(source.gauss(0, 1), source.gauss(0, 1)) for _ in range(100)]
    return [(a, b, math.sin(a) + math.cos(b) + source.gauss(0, 1e-4)) for a, b in points]


def huge_length_scale(source):
    """A linear signal, for which K is nearly of rank two."""
    return [(x, x + source.gauss(0, 0.2)) for x in (source.gauss(0, 1) for _ in range(100))]


def inputs_that_do_not_matter(source):
    """Two of three: the posterior of their tau has a tail down to nothing."""
    points = [[source.gauss(0, 1) for _ in range(3)] for _ in range(320)]
    return [(*x, math.sin(1.5 * x[0]) + source.gauss(0, 0.4)) for x in points]


def noise_alone(source):
    return [(source.gauss(0, 1), source.gauss(0, 1)) for _ in range(100)]


def fit(ulisse, path, out, *options):
    if SANITIZED:
        short = {"--draws": "20", "--warmup": "10"}
        options = [short.get(before, option) for before, option in zip(("", *options), options)]
        options += [] if "--warmup" in options else ["--warmup", "10"]
    given = [option.split("=")[0] for before, option in zip(("", *options), options) if before == "--prior"]
    result = ulisse.run("fit", path, "--target", "y", "--out", out, "--json", "--quiet", *options, *gamma_priors(*given))
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def judge_only_long_runs():
    if SANITIZED:
        pytest.skip("ran, but too short for its numbers to be judged")


def compare(ulisse, path, tmp_path, *options, of_ours=()):
    """Codes of what ulisse finds but that draws are few, and the worst differences to nuts over the
    limits."""
    ours = fit(ulisse, path, tmp_path / "ours", "--sampler", "ulisse", "--draws", "1000", *options, *of_ours)
    truth = fit(ulisse, path, tmp_path / "nuts", "--sampler", "nuts", "--draws", "400", "--warmup", "200", *options)
    judge_only_long_runs()
    return codes(ours) - {"few_effective_draws", "too_few_effective_draws"}, worst_difference(truth, ours)


def codes(fit):
    """Of what is wrong with draws."""
    return {finding["code"] for finding in fit["findings"] if not finding["code"].startswith("prior_")}


def worst_difference(truth, ours):
    worst = 0
    for name, exact in truth["log_parameters"].items():
        seen = ours["log_parameters"][name]
        error = math.sqrt(1 / exact["ess_bulk"] + 1 / seen["ess_bulk"])
        error_of_quantiles = 2.1 * math.sqrt(1 / exact["ess_tail"] + 1 / seen["ess_tail"])
        # A false alarm once in 10,000 for each of the numbers of a case, were all differences as large as the limits.
        worst = max(worst, abs(seen["mean"] - exact["mean"]) / exact["sd"] / (0.1 + 4 * error))
        worst = max(worst, abs(seen["sd"] / exact["sd"] - 1) / (0.1 + 4 * error))
        for q in ["q5", "q95"]:
            worst = max(worst, abs(seen[q] - exact[q]) / exact["sd"] / (0.15 + 4 * error_of_quantiles))
    return worst


@pytest.mark.parametrize("make", [few_rows, duplicate_inputs, huge_length_scale, noise_alone])
def test_langevins_steps_agree_with_mh_in_a_hard_case(ulisse, tmp_path, make):
    """Without --step these few rows would have exact steps, and a comparison would be of nuts with nuts."""
    path = table(tmp_path / "hard.csv", make(random.Random(1)))
    ours = fit(ulisse, path, tmp_path / "ours", "--sampler", "ulisse", "--draws", "1500", "--step", "0.5")
    truth = fit(ulisse, path, tmp_path / "mh", "--sampler", "mh", "--draws", "4000")
    assert not ours["setup"]["exact"] and "posterior_not_gaussian" in codes(ours)
    judge_only_long_runs()
    assert worst_difference(truth, ours) < 1


def test_steps_are_exact_where_the_posterior_is_far_from_gaussian(ulisse, tmp_path):
    path = table(tmp_path / "hard.csv", huge_length_scale(random.Random(1)))
    ours = fit(ulisse, path, tmp_path / "ours", "--sampler", "ulisse", "--draws", "400")
    assert ours["setup"]["bend"] > 0.5 and ours["setup"]["exact"] and not ours["setup"]["swaps"]
    assert all(0.5 < c["acceptance"] <= 1 and c["gradients_per_iteration"] >= 1 for c in ours["chain_details"])
    assert "those of nuts, since the posterior is far from Gaussian" in ulisse.output("summary", tmp_path / "ours")
    asked = fit(ulisse, path, tmp_path / "asked", "--sampler", "ulisse", "--draws", "50", "--step", "0.5")
    assert not asked["setup"]["exact"] and "posterior_not_gaussian" in codes(asked)
    judge_only_long_runs()
    assert codes(ours) <= {"few_effective_draws", "chains_nearly_agree"}


def test_steps_are_exact_where_short_ones_would_not_do(ulisse, tmp_path):
    """Sooner in up to 1,000 rows: 0.4 is the limit elsewhere."""
    path = table(tmp_path / "hard.csv", inputs_that_do_not_matter(random.Random(1)))
    ours = fit(ulisse, path, tmp_path / "ours", "--sampler", "ulisse", "--kernel", "rbf-ard", "--draws", "20", "--warmup", "10")
    assert ours["setup"]["exact"] and 0.25 < ours["setup"]["bend"] < 0.4


def test_steps_are_exact_in_few_rows(ulisse, tmp_path):
    path = table(tmp_path / "few.csv", smooth_waves(random.Random(3))[:200])
    ours = fit(ulisse, path, tmp_path / "ours", "--sampler", "ulisse", "--draws", "100")
    assert ours["setup"]["exact"] and ours["setup"]["bend"] < 0.5
    assert "since there are few rows" in ulisse.output("summary", tmp_path / "ours")


def test_inputs_that_do_not_matter_agree_with_nuts(ulisse, tmp_path):
    path = table(tmp_path / "hard.csv", inputs_that_do_not_matter(random.Random(1)))
    _, worst = compare(ulisse, path, tmp_path, "--kernel", "rbf-ard", of_ours=["--step", "1.5"])
    assert worst < 1
    setup = json.loads((tmp_path / "ours" / "fit.json").read_text())["setup"]
    assert setup["fresh_probes"] and not setup["exact"]
    assert setup["bend"] < 0.6 * setup["bend_of_logarithms"]


def test_hardly_any_noise_agrees_with_nuts(ulisse, tmp_path):
    """With exact steps, as few rows have them, and with Langevin's, whose solves must be tight then."""
    path = table(tmp_path / "hard.csv", hardly_any_noise(random.Random(1)))
    _, worst = compare(ulisse, path, tmp_path)
    assert worst < 1
    truth = json.loads(ulisse.output("summary", tmp_path / "nuts", "--json"))
    asked = fit(ulisse, path, tmp_path / "asked", "--sampler", "ulisse", "--draws", "800", "--step", "2")
    assert not asked["setup"]["exact"] and worst_difference(truth, asked) < 1


def smooth_waves(source):
    points = [(source.gauss(0, 1), source.gauss(0, 1)) for _ in range(320)]
    return [(a, b, math.sin(2 * a) + 0.5 * b + source.gauss(0, 0.2)) for a, b in points]


def test_no_step_goes_astray(ulisse, tmp_path):
    """A preconditioner that is nearly exact at the mode, and coordinates that stretch: where solves may be cut too early, a
    rare gradient throws the chain out by many standard deviations. tau is 0.3, and its standard deviation 0.06."""
    path = table(tmp_path / "waves.csv", smooth_waves(random.Random(3)))
    for seed in ["8", "11", "13", "18"]:
        ours = fit(ulisse, path, tmp_path / seed, "--sampler", "ulisse", "--no-surrogate", "--seed", seed)
        assert not ours["setup"]["exact"]
        assert "instead of 2.5, since the posterior is not quite Gaussian" in ulisse.output("summary", tmp_path / seed)
        if not SANITIZED:
            assert ours["parameters"]["tau"]["sd"] < 0.1
            assert all(p["rhat"] < 1.02 for p in ours["parameters"].values())


TWO_MODES = ROOT / "tests" / "support" / "two_modes.csv"


def test_two_modes_are_both_found(ulisse, tmp_path):
    """A signal with little noise, or noise alone: nuts goes from one to the other, ulisse swaps, sgld does neither."""
    nuts = fit(ulisse, TWO_MODES, tmp_path / "nuts", "--sampler", "nuts", "--draws", "4000")
    ours = fit(ulisse, TWO_MODES, tmp_path / "ulisse", "--sampler", "ulisse", "--draws", "4000")
    sgld = fit(ulisse, TWO_MODES, tmp_path / "sgld", "--sampler", "sgld", "--draws", "100")
    (missed,) = [f for f in sgld["findings"] if f["code"] == "mode_missed"]
    assert {"option": "sampler", "change": "set", "value": "mh"} in missed["remedies"]
    assert ours["setup"]["exact"] and ours["setup"]["swaps"]
    judge_only_long_runs()
    assert nuts["log_parameters"]["sigma"]["q5"] < -1.65 < 0.43 < nuts["log_parameters"]["sigma"]["q95"]
    for name, truth in nuts["log_parameters"].items():
        seen = ours["log_parameters"][name]
        error = math.sqrt(1 / truth["ess_bulk"] + 1 / seen["ess_bulk"])
        # Four errors, and for standard deviations five or more: two humps have light tails.
        assert abs(seen["mean"] - truth["mean"]) < 4 * error * truth["sd"]
        assert abs(seen["sd"] / truth["sd"] - 1) < 4 * error
    for found in [nuts, ours]:
        assert "mode_missed" not in codes(found)


def test_map_tells_of_another_mode(ulisse):
    found = ulisse.json("map", TWO_MODES, "--target", "y", *gamma_priors())
    assert 0.2 < found["other_mode"]["share"] < 0.6
    assert "another mode" in ulisse.output("map", TWO_MODES, "--target", "y", *gamma_priors())


def test_a_mode_that_few_starts_miss_is_found(ulisse):
    """40 rows of sin(x) and a square wave of half its height: the wave is signal, or it is noise. Five starts found the lower mode
    alone, whose log posterior is -35.58."""
    found = ulisse.json("map", ROOT / "tests" / "support" / "wave_or_noise.csv", "--target", "y", *gamma_priors())
    assert abs(found["log_posterior"] + 34.603) < 0.01
    assert 0.4 < found["other_mode"]["share"] < 0.55


def test_map_of_one_mode_tells_of_no_other(ulisse, signal_table):
    assert ulisse.json("map", signal_table, "--target", "y")["other_mode"] is None
    assert "another mode" not in ulisse.output("map", signal_table, "--target", "y")


TWO_SCALES = ROOT / "tests" / "support" / "two_scales.csv"


def test_ulisse_swaps_with_a_mode_that_holds_little(ulisse, tmp_path):
    """The same waves, with a prior that leaves the second mode 3 %: tau's standard deviation is 3.6 times that around the
    first, and no step of ulisse crosses what lies between."""
    prior = ["--prior", "lambda=lognormal(-5,0.7)"]
    mh = fit(ulisse, TWO_SCALES, tmp_path / "mh", "--sampler", "mh", "--draws", "3000", *prior)
    ours = fit(ulisse, TWO_SCALES, tmp_path / "ulisse", "--sampler", "ulisse", "--draws", "3000", *prior)
    assert ours["setup"]["swaps"] and ours["setup"]["exact"]
    assert all(c["swaps"]["tried"] > c["swaps"]["done"] for c in ours["chain_details"])
    judge_only_long_runs()
    assert ours["other_modes"]["share_of_draws"] == pytest.approx(mh["other_modes"]["share_of_draws"], rel=0.4)
    for name, truth in mh["log_parameters"].items():
        assert ours["log_parameters"][name]["mean"] == pytest.approx(truth["mean"], abs=0.1 * truth["sd"])
        assert ours["log_parameters"][name]["sd"] == pytest.approx(truth["sd"], rel=0.15)
    assert "mode_missed" not in codes(ours)


def test_two_modes_far_apart_are_no_secret_of_the_exact_samplers(ulisse, tmp_path):
    """60 rows of sin(1.5 x) + 0.139 sin(12 x + 1) + 0.1 noise: the fast wave is signal, or it is noise. The modes are 24
    standard deviations apart: mh jumps between them, nuts does not and must say so."""
    mh = fit(ulisse, TWO_SCALES, tmp_path / "mh", "--sampler", "mh", "--draws", "3000")
    judge_only_long_runs()
    assert all(p["rhat"] < 1.02 for p in mh["parameters"].values())
    # Laplace's method is not exact, either.
    assert abs(mh["other_modes"]["share"] - mh["other_modes"]["share_of_draws"]) < 0.15
    assert "mode_missed" not in codes(mh)
    for seed in ["1", "2"]:
        nuts = fit(ulisse, TWO_SCALES, tmp_path / f"nuts{seed}", "--sampler", "nuts", "--draws", "100", "--seed", seed)
        assert "mode_missed" in codes(nuts)
