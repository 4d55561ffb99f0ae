"""ulisse predict from outside: values, files, refusals."""

import csv
import json
import math
import random

import pytest


def rows_of(source, count):
    for _ in range(count):
        a, b = source.gauss(0, 1), source.gauss(0, 1)
        yield a, b, 100 + 20 * (math.sin(2 * a) + 0.5 * b + source.gauss(0, 0.2))


def write(path, rows, header="a,b,y"):
    path.write_text("\n".join([header, *(",".join(map(repr, row)) for row in rows)]) + "\n")
    return path


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    from conftest import Ulisse

    folder = tmp_path_factory.mktemp("predict")
    source = random.Random(3)
    train = write(folder / "train.csv", rows_of(source, 80))
    write(folder / "new.csv", rows_of(source, 200))
    result = Ulisse().run("fit", train, "--target", "y", "--sampler", "mh", "--draws", "100", "--warmup", "100", "--out", folder / "fit",
                          "--quiet")
    assert result.returncode == 0, result.stderr
    return folder


def predict(ulisse, fitted, new, *options):
    out = fitted / "predictions.csv"
    found = ulisse.json("predict", fitted / "fit", new, "--out", out, "--quiet", *options)
    with open(out) as file:
        return found, [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def test_held_out_rows_are_covered_and_scored(ulisse, fitted):
    found, rows = predict(ulisse, fitted, fitted / "new.csv")
    assert (found["points"], found["training_rows"], found["draws"]) == (200, 80, 100)
    assert list(rows[0]) == ["mean", "sd", "q5", "q50", "q95", "observed", "below"]
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


@pytest.mark.parametrize("out", ["-", "p.csv.gz", "."])
def test_places_that_are_no_csv_file_are_refused(ulisse, fitted, out):
    assert "--out" in ulisse.refusal("predict", fitted / "fit", fitted / "new.csv", "--out", out)


def test_a_quantile_given_twice_is_one_column(ulisse, fitted):
    _, rows = predict(ulisse, fitted, fitted / "new.csv", "--quantiles", "0.95,0.05,0.05")
    assert [name for name in rows[0] if name.startswith("q")] == ["q5", "q95"]


def test_methods_agree(ulisse, fitted):
    _, exact = predict(ulisse, fitted, fitted / "new.csv", "--method", "exact", "--draws", "5")
    found, iterative = predict(ulisse, fitted, fitted / "new.csv", "--method", "iterative", "--draws", "5")
    assert found["method"] == "iterative" and found["variance_error"] > 0
    for a, b in zip(exact, iterative):
        for key in a:
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
    assert list(rows[0])[:5] == ["mean", "sd", "q2.5", "q50", "q97.5"]
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
    assert list(rows[0]) == ["mean", "sd", "q50", "observed", "below"]
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
        ("a,b\n1,x\n", "not a number"),
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


def test_data_that_are_not_kept_are_read_again_and_must_not_change(ulisse, fitted, tmp_path):
    train = tmp_path / "train.csv"
    train.write_text((fitted / "train.csv").read_text())
    out = tmp_path / "fit"
    fit = ["fit", train, "--target", "y", "--sampler", "mh", "--draws", "20", "--warmup", "20", "--out", out, "--no-data", "--quiet"]
    assert ulisse.run(*fit).returncode == 0
    assert not (out / "data.csv").exists()
    new = ["predict", out, fitted / "new.csv", "--out", tmp_path / "predictions.csv"]
    assert ulisse.run(*new).returncode == 0
    train.write_text(train.read_text().replace("1", "2", 1))
    assert "have changed" in ulisse.refusal(*new)
    train.unlink()
    assert "train.csv" in ulisse.refusal(*new)


def test_the_copy_of_the_data_is_all_that_is_needed(ulisse, fitted, tmp_path):
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    for file in (fitted / "fit").iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    out = tmp_path / "predictions.csv"
    assert ulisse.run("predict", copy, fitted / "new.csv", "--out", out).returncode == 0
    (copy / "data.csv").write_text((copy / "data.csv").read_text().replace("1", "2", 1))
    assert "have changed" in ulisse.refusal("predict", copy, fitted / "new.csv", "--out", out)


def test_nothing_that_is_needed_is_overwritten(ulisse, fitted):
    before = (fitted / "new.csv").read_bytes()
    command = ["predict", fitted / "fit", fitted / "new.csv", "--out"]
    assert "is the table to predict for" in ulisse.refusal(*command, fitted / "new.csv")
    assert "among the files of the fit" in ulisse.refusal(*command, fitted / "fit" / "data.csv")
    assert "there is no folder" in ulisse.refusal(*command, fitted / "nowhere" / "p.csv")
    assert (fitted / "new.csv").read_bytes() == before
