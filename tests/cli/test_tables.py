"""Tables as people have them: categories, dates, known noise, missing cells, and fits and predictions of them."""

import csv
import json
import math
import random

import pytest

from conftest import MH

FIT = [*MH[:4], "--quiet"]


def write(path, header, rows):
    path.write_text("\n".join([",".join(header), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


@pytest.fixture
def sites(tmp_path):
    """A wave at two sites, one of them higher by 3, measured with errors that each row knows."""
    rng = random.Random(1)
    rows = []
    for i in range(60):
        site, x, error = ("elm", "oak")[i % 2], rng.uniform(0, 6), rng.choice([0.1, 0.8])
        y = math.sin(x) + (3 if site == "oak" else 0) + rng.gauss(0, error)
        rows.append((site, f"{x:.6f}", error, f"2001-{1 + i // 28:02}-{1 + i % 28:02}", f"{y:.6f}"))
    return write(tmp_path / "sites.csv", ("site", "x", "err", "day", "y"), rows)


def fit(ulisse, table, out, *options):
    draws = [] if "--draws" in options else ["--draws", 200]
    result = ulisse.run("fit", table, "--target", "y", *FIT, "--out", out, *draws, *options)
    assert result.returncode == 0, result.stderr
    return json.loads((out / "fit.json").read_text()), result.stderr


def predictions(ulisse, out, new, *options):
    file = out.parent / "predictions.csv"
    result = ulisse.run("predict", out, new, "--quiet", "--force", "--out", file, *options)
    assert result.returncode == 0, result.stderr
    return list(csv.DictReader(file.read_text().splitlines())), result.stderr


def test_texts_and_dates_are_taken_with_a_note(ulisse, sites, tmp_path):
    about, said = fit(ulisse, sites, tmp_path / "fit", "--exclude", "err")
    assert about["data"]["features"] == ["site", "x", "day"]
    assert about["data"]["levels"] == {"site": ["elm", "oak"]} and about["data"]["first_days"] == {"day": "2001-01-01"}
    assert "column 'site' is a category of 2 levels: 'elm', 'oak'" in said
    assert "column 'day' has dates, which became days since 2001-01-01" in said


def test_a_category_is_learnt_and_predicted(ulisse, sites, tmp_path):
    fit(ulisse, sites, tmp_path / "fit", "--exclude", "err,day", "--kernel", "rbf-ard")
    new = write(tmp_path / "new.csv", ("x", "site"), [(2, "elm"), (2, "oak")])
    rows, _ = predictions(ulisse, tmp_path / "fit", new)
    assert [row["x.site"] for row in rows] == ["elm", "oak"]
    assert float(rows[1]["mean"]) - float(rows[0]["mean"]) == pytest.approx(3, abs=1)
    other = write(tmp_path / "other.csv", ("x", "site"), [(2, "ash")])
    sentence = ulisse.refusal("predict", tmp_path / "fit", other)
    assert "'ash' is a level that the fit has not seen; it knows 'elm', 'oak'; --new-levels predicts it" in sentence
    unknown, _ = predictions(ulisse, tmp_path / "fit", other, "--new-levels")
    assert unknown[0]["x.site"] == "ash" and float(unknown[0]["sd"]) > 1.5 * float(rows[0]["sd"])


def test_known_noise_is_used_at_new_points_where_it_is_there(ulisse, sites, tmp_path):
    about, _ = fit(ulisse, sites, tmp_path / "fit", "--exclude", "day", "--noise-sd", "err", "--fix", "lambda=0")
    assert about["data"]["known_noise"] == {"column": "err", "kind": "sd"}
    assert [p["name"] for p in about["parameters"]] == ["sigma", "tau"]
    new = write(tmp_path / "new.csv", ("x", "site", "err"), [(2, "elm", 0), (2, "elm", 0.5)])
    rows, _ = predictions(ulisse, tmp_path / "fit", new)
    quiet, loud = (float(row["sd"]) for row in rows)
    assert loud**2 == pytest.approx(quiet**2 + 0.25, rel=1e-9)
    without = write(tmp_path / "without.csv", ("x", "site"), [(2, "elm")])
    rows, said = predictions(ulisse, tmp_path / "fit", without)
    assert float(rows[0]["sd"]) == pytest.approx(quiet, rel=1e-9)
    assert "there is no column 'err', so that predictions have lambda's noise alone" in said
    assert "x.err" not in rows[0] and rows[0]["x.site"] == "elm"  # a 0 there would say that it is known
    gaps = write(tmp_path / "gaps.csv", ("x", "site", "err"), [(2, "elm", 0.5), (2, "elm", "")])
    rows, said = predictions(ulisse, tmp_path / "fit", gaps)
    assert [float(row["sd"]) for row in rows] == pytest.approx([loud, quiet], rel=1e-9)
    assert "column 'err' is empty in 1 row, whose predictions have lambda's noise alone" in said


def test_variances_are_squared_standard_deviations(ulisse, sites, tmp_path):
    lines = sites.read_text().splitlines()
    squared = [[*line.split(",")[:2], float(line.split(",")[2]) ** 2, *line.split(",")[3:]] for line in lines[1:]]
    variances = write(tmp_path / "variances.csv", lines[0].split(","), squared)
    options = ["--exclude", "day", "--draws", 50]
    fit(ulisse, sites, tmp_path / "a", *options, "--noise-sd", "err")
    fit(ulisse, variances, tmp_path / "b", *options, "--noise-variance", "err")
    first = [[row[-1] for row in csv.reader((tmp_path / name / "chain_1.csv").open()) if not row[0].startswith("#")] for name in "ab"]
    assert [float(v) for v in first[0][1:]] == pytest.approx([float(v) for v in first[1][1:]], rel=1e-6)


@pytest.mark.parametrize("kept", [True, False])
def test_fits_go_on_and_predict_with_their_columns(ulisse, sites, tmp_path, kept):
    sites.write_text(sites.read_text() + ",1,1,2001-05-01,2\n")  # a row with a missing cell
    options = ["--noise-sd", "err", "--drop-missing", "--trend", "x", "--fix", "sigma=1.5", *([] if kept else ["--no-data"])]
    whole, _ = fit(ulisse, sites, tmp_path / "whole", "--draws", 60, *options)
    assert any("1 row of 61 had missing cells, and was left out" in note for note in whole["notes"])
    fit(ulisse, sites, tmp_path / "cut", "--draws", 30, *options)
    result = ulisse.run("fit", "--resume", "--out", tmp_path / "cut", "--draws", 60, "--quiet")
    assert result.returncode == 0, result.stderr
    rows = lambda name: [line for line in (tmp_path / name / "chain_2.csv").read_text().splitlines() if not line.startswith("#")]
    assert rows("whole") == rows("cut")
    found, _ = predictions(ulisse, tmp_path / "cut", sites, "--drop-missing", "--draws", 3)
    assert len(found) == 60 and found[29]["x.day"] == "2001-02-02"


def test_a_fit_that_goes_on_keeps_what_is_known_of_its_noise(ulisse, sites, tmp_path):
    fit(ulisse, sites, tmp_path / "fit", "--noise-sd", "err", "--draws", 20)
    resume = ("fit", sites, "--target", "y", "--resume", "--out", tmp_path / "fit")
    assert "cannot be resumed with --noise-variance err: the fit has --noise-sd err" in ulisse.refusal(*resume, "--noise-variance", "err")
    assert "cannot be resumed with --categories" in ulisse.refusal(*resume, "--categories", "x")
    assert ulisse.run(*resume, "--quiet", "--noise-sd", "err", "--draws", 30).returncode == 0


def test_missing_cells_name_the_option(ulisse, tmp_path):
    table = write(tmp_path / "t.csv", ("a", "y"), [(1, 2), ("", 3), (4, 5)])
    assert ulisse.refusal("map", table, "--target", "y").endswith("1 row of 3 has missing cells; --drop-missing leaves it out")


def test_a_row_without_its_error_may_have_0(ulisse, tmp_path):
    table = write(tmp_path / "t.csv", ("a", "err", "y"), [(1, 0.1, 2), (2, "", 3), (4, 0.2, 5)])
    sentence = ulisse.refusal("map", table, "--target", "y", "--noise-sd", "err")
    assert "column 'err': the cell is empty, where 0 would say that nothing is known of the row's own noise; 1 row" in sentence


def test_a_linear_trend_needs_numbers(ulisse, sites):
    sentence = ulisse.refusal_lines("map", sites, "--target", "y", "--features", "site", "--trend", "linear")[-1]
    assert "slopes are of inputs that are numbers, and there are none; --trend constant is an intercept alone" in sentence


def test_months_are_dates(ulisse, tmp_path):
    rng = random.Random(3)
    months = write(tmp_path / "t.csv", ("month", "y"), [(f"{2000 + i // 12}-{1 + i % 12:02}", rng.gauss(0, 1)) for i in range(40)])
    about, said = fit(ulisse, months, tmp_path / "fit", "--draws", 20)
    assert about["data"]["first_days"] == {"month": "2000-01-01"} and "has dates" in said


def test_scores_of_the_function_are_said_to_be_with_noise(ulisse, sites, tmp_path):
    fit(ulisse, sites, tmp_path / "fit", "--exclude", "day", "--draws", 20)
    result = ulisse.run("predict", tmp_path / "fit", sites, "--latent", "--quiet", "--out", tmp_path / "p.csv")
    assert "of the target, with noise" in result.stdout


@pytest.mark.parametrize("values, words", [
    ([0, 1], "the target is 0 or 1 in every row"),
    ([0, 1, 1, 2, 3, 5], "has whole numbers from 0 to 5 alone, as counts do"),
    ([0, 0, 0, 0.3, 1.7, 2.2], "have the target 0, and the model takes it for a number"),
])
def test_targets_that_are_not_gaussian_are_noted(ulisse, tmp_path, values, words):
    rng = random.Random(2)
    rows = [(rng.gauss(0, 1), rng.choice(values) + (rng.random() if values[-1] == 2.2 and rng.random() < 0.5 else 0)) for _ in range(60)]
    about, said = fit(ulisse, write(tmp_path / "t.csv", ("a", "y"), rows), tmp_path / "fit")
    assert words in said
    assert any(words in note for note in ulisse.json("summary", tmp_path / "fit")["notes"])


def test_a_report_of_categories_and_dates_is_made(ulisse, sites, tmp_path):
    fit(ulisse, sites, tmp_path / "fit", "--features", "day")
    predictions(ulisse, tmp_path / "fit", sites)
    ulisse.output("report", tmp_path / "fit", "--predictions", tmp_path / "predictions.csv", "--out", tmp_path / "r.html")
    fit(ulisse, sites, tmp_path / "b", "--features", "site")
    predictions(ulisse, tmp_path / "b", sites)
    ulisse.output("report", tmp_path / "b", "--predictions", tmp_path / "predictions.csv", "--out", tmp_path / "r2.html")


def test_a_report_says_what_is_known_of_the_noise(ulisse, sites, tmp_path):
    fit(ulisse, sites, tmp_path / "fit", "--noise-sd", "err", "--fix", "lambda=0.01", "--draws", 20)
    ulisse.output("report", tmp_path / "fit", "--out", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert '["Measurement errors","err"]' in page and '["Fixed","lambda=0.01"]' in page


def test_solves_without_any_noise_are_refused(ulisse, sites, tmp_path):
    options = ("--target", "y", "--exclude", "day,err", "--out", tmp_path / "fit", "--fix", "lambda=0", "--sampler", "ulisse")
    sentence = ulisse.refusal_lines("fit", sites, *options)[-1]
    assert "lambda is fixed at 0, and the sampler ulisse needs noise in every row; --sampler" in sentence and "--fix 'lambda=1e-8'" in sentence


def test_a_list_of_inputs_in_the_trend_is_taken_apart(ulisse, sites, tmp_path):
    about, _ = fit(ulisse, sites, tmp_path / "fit", "--exclude", "err", "--trend", "x,day", "--draws", 20)
    header = next(line for line in (tmp_path / "fit" / "chain_1.csv").read_text().splitlines() if not line.startswith("#"))
    assert {"trend.intercept", "trend.x", "trend.day"} <= set(header.split(","))
    assert "there is no input 'dya' (did you mean 'day'?)" in ulisse.refusal_lines("map", sites, "--target", "y", "--trend", "x,dya")[-1]
    refusal = ulisse.refusal_lines("map", sites, "--target", "y", "--noise-sd", "err", "--trend", "nope")[-1]
    assert refusal.endswith("there is no input 'nope'; those of numbers are x, day")


@pytest.mark.parametrize("options, words", [
    (["--fix", "sigma=1", "--fix", "tau=0.5", "--fix", "lambda=0.1"], "every parameter is fixed"),
    (["--kernel", "rbf-ard", "--prior", "lengthscale.x"], "'lengthscale.x' sets no prior"),
])
def test_options_that_leave_nothing_to_do_are_refused(ulisse, sites, options, words):
    """They once ended in a crash, and in an exception of the library's."""
    assert words in ulisse.refusal_lines("map", sites, "--target", "y", *options)[-1]


def test_a_length_scale_is_fixed_by_the_name_that_results_have(ulisse, sites, tmp_path):
    kernel = ["--features", "x,day", "--kernel", "periodic(day,20)*rbf(day) + rbf(x)", "--prior-units", "data", "--draws", 20]
    for name, value in [("lengthscale.1.rbf_day", 50), ("lengthscale.2.x", 1.5)]:
        out = tmp_path / name
        fit(ulisse, sites, out, *kernel, "--fix", f"{name}={value}")
        found = ulisse.json("summary", out)["quantities"][name]
        assert found["q5"] == pytest.approx(value) and found["q95"] == pytest.approx(value)
