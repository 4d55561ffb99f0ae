"""ulisse predict from outside: values and refusals."""

import csv
import json
import math
import random

import pytest

from predicting import fitted, predict, write  # noqa: F401


def columns_after_inputs(row):
    """Names, without the row's number and the inputs before them and the fit's name behind."""
    names = list(row)
    assert names[:3] == ["row", "x.a", "x.b"]
    return [name for name in names[3:] if name != "fit"]


def test_held_out_rows_are_covered_and_scored(ulisse, fitted):
    found, rows = predict(ulisse, fitted, fitted / "new.csv")
    assert (found["points"], found["training_rows"], found["draws"]) == (200, 80, 100)
    assert list(rows[0]) == ["row", "x.a", "x.b", "mean", "sd", "q5", "q50", "q95", "observed", "below", "fit"]
    with open(fitted / "new.csv") as file:
        assert [(r["x.a"], r["x.b"], r["observed"]) for r in rows] == [tuple(map(float, r.values())) for r in csv.DictReader(file)]
    assert [r["row"] for r in rows] == list(range(1, 201))
    scores = found["scores"]
    # 200 points: a share of 0.9 has an error of 0.021; four of them.
    assert abs(scores["coverage"] - 0.9) < 0.085
    assert scores["coverage"] == sum(r["q5"] <= r["observed"] <= r["q95"] for r in rows) / 200
    rmse = math.sqrt(sum((r["mean"] - r["observed"]) ** 2 for r in rows) / 200)
    assert scores["rmse"] == pytest.approx(rmse)
    assert scores["width"] == pytest.approx(sum(r["q95"] - r["q5"] for r in rows) / 200)
    # The signal's sd is about 18 and the noise's 4.
    assert 3 < rmse < 9
    assert set(found["scores_at_the_mode"]) == set(found["difference_error"]) == set(scores)
    for name, value in found["difference"].items():
        assert value == pytest.approx(scores[name] - found["scores_at_the_mode"][name], abs=1e-9)
        assert 0 <= found["difference_error"][name] < 1


def test_without_the_target_there_are_no_scores(ulisse, fitted, tmp_path):
    new = write(tmp_path / "new.csv", [(0.5, 0.1), (0.2, 0.3)], header="b,a")
    found, rows = predict(ulisse, fitted, new)
    assert found["scores"] is None and "observed" not in rows[0]
    swapped = write(tmp_path / "swapped.csv", [(0.1, "x", 0.5), (0.3, "y", 0.2)], header="a,note,b")
    assert predict(ulisse, fitted, swapped)[1] == rows  # by name, and other columns do not matter


def test_an_empty_target_column_is_no_target(ulisse, fitted, tmp_path):
    empty = tmp_path / "empty.csv"
    empty.write_text("a,b,y\n0.1,0.5,\n0.3,0.2,NA\n")
    found, rows = predict(ulisse, fitted, empty)
    assert found["scores"] is None and "observed" not in rows[0] and len(rows) == 2
    empty.write_text("a,b,y\n0.1,0.5,\n0.3,0.2,101\n")
    refused = ulisse.refusal("predict", fitted / "fit", empty, "--out", tmp_path / "p.csv")
    assert "empty.csv:2" in refused and "1 row of 2" in refused and "in all rows or in none" in refused


def test_latent_predictions_are_not_compared_with_noisy_observations(ulisse, fitted):
    found, rows = predict(ulisse, fitted, fitted / "new.csv", "--latent")
    assert "observed" not in rows[0] and found["scores"] is not None


def test_draws_that_cannot_be_trusted_are_said_to_be(ulisse, fitted, tmp_path):
    fit = ulisse.run("fit", fitted / "train.csv", "--target", "y", "--sampler", "mh", "--draws", "4", "--warmup", "5", "--out",
                     tmp_path / "short", "--quiet")
    assert fit.returncode == 0
    result = ulisse.run("predict", tmp_path / "short", fitted / "new.csv", "--out", tmp_path / "p.csv", "--json", "--quiet")
    assert result.returncode == 0
    assert "cannot be trusted, nor can predictions" in result.stderr and len(result.stderr.splitlines()) == 1
    assert json.loads(result.stdout)["warnings"]


def test_a_quantile_given_twice_is_one_column(ulisse, fitted):
    _, rows = predict(ulisse, fitted, fitted / "new.csv", "--quantiles", "0.95,0.05,0.05")
    assert [name for name in rows[0] if name.startswith("q")] == ["q5", "q95"]


def test_methods_agree(ulisse, fitted):
    _, exact = predict(ulisse, fitted, fitted / "new.csv", "--method", "exact", "--draws", "5")
    found, iterative = predict(ulisse, fitted, fitted / "new.csv", "--method", "iterative", "--draws", "5")
    assert found["method"] == "iterative" and found["variance_error"] > 0
    for a, b in zip(exact, iterative):
        for key in columns_after_inputs(a):
            assert abs(a[key] - b[key]) < 1e-3 * a["sd"]


def test_threads_do_not_change_a_digit(ulisse, fitted):
    rows = [predict(ulisse, fitted, fitted / "new.csv", "--threads", t, "--draws", "3")[1] for t in (1, 2, 3)]
    assert rows[0] == rows[1] == rows[2]


def test_latent_leaves_out_the_noise(ulisse, fitted):
    _, with_noise = predict(ulisse, fitted, fitted / "new.csv")
    _, latent = predict(ulisse, fitted, fitted / "new.csv", "--latent")
    for a, b in zip(with_noise, latent):
        assert a["mean"] == b["mean"] and b["sd"] < a["sd"]


def test_quantiles_and_samples(ulisse, fitted, tmp_path):
    new = write(tmp_path / "new.csv", [(0.5, 0.1), (0.5, 0.1), (1.0, -0.4)], header="a,b")
    _, rows = predict(ulisse, fitted, new, "--quantiles", "0.975,0.5,0.025", "--samples", "400", "--latent")
    assert columns_after_inputs(rows[0])[:6] == ["mean", "sd", "q2.5", "q50", "q97.5", "sample.1"]
    first, second, third = ([r[f"sample.{s + 1}"] for s in range(400)] for r in rows)
    assert max(abs(a - b) for a, b in zip(first, second)) < 1e-3  # the same point: one value of f
    for row, samples in zip(rows, (first, second, third)):
        assert abs(sum(samples) / 400 - row["mean"]) < 5 * row["sd"] / 20
        spread = math.sqrt(sum((v - row["mean"]) ** 2 for v in samples) / 400)
        assert 0.8 < spread / row["sd"] < 1.25
    again = predict(ulisse, fitted, new, "--quantiles", "0.975,0.5,0.025", "--samples", "400", "--latent")[1]
    assert again == rows


def test_one_quantile_makes_no_interval(ulisse, fitted):
    found, rows = predict(ulisse, fitted, fitted / "new.csv", "--quantiles", "0.5")
    assert columns_after_inputs(rows[0]) == ["mean", "sd", "q50", "observed", "below"]
    usual, _ = predict(ulisse, fitted, fitted / "new.csv")
    assert found["scores"] == usual["scores"] and found["interval"] == pytest.approx(0.9)


def test_far_away_the_prior_comes_back(ulisse, fitted, tmp_path):
    new = write(tmp_path / "new.csv", [(1e6, 1e6)], header="a,b")
    _, rows = predict(ulisse, fitted, new, "--latent")
    scaling = json.loads((fitted / "fit" / "fit.json").read_text())["scaling"]
    assert rows[0]["mean"] == pytest.approx(scaling["y_mean"])
    assert rows[0]["sd"] > 0.5 * scaling["y_sd"]


@pytest.mark.parametrize(
    "text, says",
    [
        ("a,b\n", "no rows"),
        ("a,c\n1,2\n", "no column 'b'"),
        ("a,b\n1,nan\n", "missing"),
        ("a,b\n1,inf\n", "not finite"),
        ("a,b\n1,x\n", "not a number; mend the cell"),
        ("a,b\n1,\n", "empty"),
    ],
)
def test_bad_tables_are_refused(ulisse, fitted, tmp_path, text, says):
    new = tmp_path / "new.csv"
    new.write_text(text)
    out = tmp_path / "predictions.csv"
    assert says in ulisse.refusal("predict", fitted / "fit", new, "--out", out)
    assert not out.exists()


@pytest.mark.parametrize("options, says", [(["--quantiles", "0.5,1"], "--quantiles"), (["--method", "guess"], "--method")])
def test_bad_options_are_refused(ulisse, fitted, options, says):
    assert says in ulisse.refusal("predict", fitted / "fit", fitted / "new.csv", *options)


def test_a_folder_without_a_fit_is_refused(ulisse, fitted, tmp_path):
    assert "no fit" in ulisse.refusal("predict", tmp_path, fitted / "new.csv")


def test_one_point_is_one_prediction(ulisse, fitted, tmp_path):
    new = write(tmp_path / "new.csv", [(0.5, 0.1)], header="a,b")
    command = ["predict", fitted / "fit", new, "--out", tmp_path / "p.csv", "--force", "--quiet", "--draws"]
    assert ulisse.output(*command, 1).startswith("1 prediction from 80 rows, 1 draw, ")
    assert ulisse.output(*command, 2).startswith("1 prediction from 80 rows, 2 draws, ")


def test_more_samples_than_a_table_has_columns_are_refused(ulisse, fitted, tmp_path):
    words = ulisse.usage_error("predict", fitted / "fit", fitted / "new.csv", "--out", tmp_path / "p.csv", "--samples", 10**9)
    assert "--samples" in words and "at most 1000000" in words


@pytest.mark.parametrize("count, says", [("1000000", "of memory")])
def test_more_samples_than_fit_are_refused(ulisse, fitted, tmp_path, count, says):
    many = write(tmp_path / "many.csv", ((i / 1e5, 0.1) for i in range(100000)), header="a,b")
    words = ulisse.refusal("predict", fitted / "fit", many, "--out", tmp_path / "p.csv", "--samples", count, "--draws", 1)
    assert says in words and count in words


def test_inputs_may_be_named_like_predictions(ulisse, tmp_path):
    source = random.Random(5)
    header = 'mean,"a,""b",q5,row'
    train = write(tmp_path / "t.csv", [[source.gauss(0, 1) for _ in range(5)] for _ in range(20)], header=header + ",fit")
    fit = ["fit", train, "--target", "fit", "--sampler", "mh", "--draws", "20", "--warmup", "20", "--out", tmp_path / "fit", "--quiet"]
    assert ulisse.run(*fit).returncode == 0
    out = tmp_path / "p.csv"
    assert ulisse.run("predict", tmp_path / "fit", train, "--out", out).returncode == 0
    with open(out) as file:
        names = list(next(csv.DictReader(file)))
    assert names == ["row", "x.mean", 'x.a,"b', "x.q5", "x.row", "mean", "sd", "q5", "q50", "q95", "observed", "below", "fit"]
    assert ulisse.run("report", tmp_path / "fit", "--predictions", out, "--out", tmp_path / "r.html").returncode == 0


@pytest.mark.parametrize("method", ["exact", "float", "iterative"])
def test_samples_of_a_smooth_function_are_as_wide_as_its_sd(ulisse, tmp_path, method):
    source = random.Random(1)
    inputs = [source.uniform(0, 6) for _ in range(60)]
    write(tmp_path / "sine.csv", [(x, math.sin(x) + source.gauss(0, 0.1)) for x in inputs], header="x,y")
    write(tmp_path / "grid.csv", [(-1.5 + 9 * i / 180,) for i in range(181)], header="x")
    fit = ["fit", tmp_path / "sine.csv", "--target", "y", "--kernel", "rbf", "--sampler", "mh", "--draws", "200", "--out", tmp_path / "fit", "--quiet"]
    assert ulisse.run(*fit).returncode == 0
    out = tmp_path / "p.csv"
    command = ["predict", tmp_path / "fit", tmp_path / "grid.csv", "--latent", "--samples", "400", "--method", method, "--out", out]
    assert ulisse.run(*command).returncode == 0
    with open(out) as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        samples = [float(row[f"sample.{s + 1}"]) for s in range(400)]
        spread = math.sqrt(sum((v - float(row["mean"])) ** 2 for v in samples) / 400)
        # A standard deviation of 400 samples has an error of 3.5 %, and more where draws differ: seven of
        # them, a false alarm less than once in a million for samples that are normal.
        assert 0.75 < spread / float(row["sd"]) < 1.3


def test_scores_on_rows_of_the_fit_are_marked(ulisse, fitted, tmp_path):
    found, _ = predict(ulisse, fitted, fitted / "train.csv")
    assert found["training_points"] == 80
    assert predict(ulisse, fitted, fitted / "new.csv")[0]["training_points"] == 0
    text = ulisse.output("predict", fitted / "fit", fitted / "train.csv", "--out", tmp_path / "p.csv", "--quiet")
    assert "All of them are rows that the fit was made from" in text
    mixed = tmp_path / "mixed.csv"
    mixed.write_text((fitted / "train.csv").read_text() + "".join((fitted / "new.csv").read_text().splitlines(True)[1:6]))
    text = ulisse.output("predict", fitted / "fit", mixed, "--out", tmp_path / "q.csv", "--quiet")
    assert "80 of them are rows that the fit was made from" in text


def test_predictions_go_to_standard_output(ulisse, fitted, tmp_path):
    found, rows = predict(ulisse, fitted, fitted / "new.csv")
    result = ulisse.run("predict", fitted / "fit", fitted / "new.csv", "--out", "-")
    assert result.returncode == 0
    assert result.stdout == (fitted / "predictions.csv").read_text()
    assert "averaged over the posterior" in result.stderr
    quiet = ulisse.run("predict", fitted / "fit", fitted / "new.csv", "--out", "-", "--quiet")
    assert quiet.stdout == result.stdout and quiet.stderr == ""
    assert "both go to standard output" in ulisse.refusal("predict", fitted / "fit", fitted / "new.csv", "--out", "-", "--json")


def test_a_file_that_is_there_is_replaced_by_force_alone(ulisse, fitted, tmp_path):
    out = tmp_path / "p.csv"
    out.write_text("mine\n")
    asked = ["predict", fitted / "fit", fitted / "new.csv", "--out", out, "--quiet"]
    assert "is there already; --force replaces it" in ulisse.refusal(*asked)
    assert out.read_text() == "mine\n"
    ulisse.output(*asked, "--force")
    assert out.read_text().startswith("row,")
