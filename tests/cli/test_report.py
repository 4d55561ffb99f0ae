"""ulisse report: the file."""

import shutil

import pytest

from reporting import FIT, data_of, fit, fitted, report, small_table, without  # noqa: F401


def test_numbers_are_those_of_the_summary(ulisse, fitted, tmp_path):
    data = data_of(report(fitted / "fit", tmp_path / "r.html"))
    summary = ulisse.json("summary", fitted / "fit")
    assert data["summary"]["natural"] == summary["parameters"]
    assert data["summary"]["quantities"] == summary["quantities"]
    assert data["warnings"] == summary["warnings"]
    assert data["predictions"] is None
    assert [p["name"] for p in data["parameters"]] == list(summary["parameters"])
    for p in data["parameters"]:
        assert [len(chain) for chain in p["draws"]] == [500] * 4
        total = sum(sum(chain) for chain in p["draws"]) / 2000
        assert total == pytest.approx(summary["log_parameters"][p["name"]]["mean"], rel=1e-4)
        assert p["convergence"]["rhat"][-1] == pytest.approx(summary["parameters"][p["name"]]["rhat"], abs=1e-4)
        grid, density = p["density"]["x"], p["density"]["all"]
        area = sum((b - a) * (f + g) / 2 for a, b, f, g in zip(grid, grid[1:], density, density[1:]))
        assert area == pytest.approx(1, abs=0.01)
        assert all(chain[0] == 1 for chain in p["autocorrelation"])


def test_predictions_are_shown_with_their_calibration(fitted, tmp_path):
    data = data_of(report(fitted / "fit", tmp_path / "r.html", "--predictions", fitted / "predictions.csv"))
    shown = data["predictions"]
    assert shown["points"] == 40 and len(shown["mean"]) == 40 and shown["levels"] == [0.05, 0.5, 0.95]
    assert shown["below"] == sorted(shown["below"]) and 0 <= shown["below"][0] <= shown["below"][-1] <= 1
    inside = sum(low <= y <= high for low, y, high in zip(shown["low"], shown["observed"], shown["high"]))
    assert shown["share_below"][2] - shown["share_below"][0] == pytest.approx(inside / 40)


def test_predictions_of_another_fit_are_refused(ulisse, fitted, tmp_path):
    table = small_table(tmp_path / "table.csv")
    others = {"seed": ["--seed", "2"], "kernel": ["--kernel", "matern32"]}
    for name, options in others.items():
        fit(table, tmp_path / name, *FIT, "--draws", "20", *options)
        words = ulisse.refusal("report", tmp_path / name, "--predictions", fitted / "predictions.csv", "--out", tmp_path / "r.html")
        assert "predictions.csv: is of another fit" in words
    other = tmp_path / "other.csv"
    other.write_text(table.read_text().replace("0.0,", "0.1,", 1))
    fit(other, tmp_path / "data", *FIT, "--draws", "20")
    assert "is of another fit" in ulisse.refusal("report", tmp_path / "data", "--predictions", fitted / "predictions.csv", "--out", tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_predictions_stay_those_of_a_fit_that_is_moved_or_has_draws_added(fitted, tmp_path):
    shutil.copytree(fitted / "fit", tmp_path / "moved")
    fit(fitted / "table.csv", tmp_path / "moved", *FIT, "--draws", "600", "--resume")
    report(tmp_path / "moved", tmp_path / "r.html", "--predictions", fitted / "predictions.csv")


def test_predictions_that_do_not_name_their_fit_are_said_to(ulisse, fitted, tmp_path):
    older = without(fitted / "predictions.csv", tmp_path / "older.csv", "fit", "row", "x.x")
    result = ulisse.run("report", fitted / "fit", "--predictions", older, "--out", tmp_path / "r.html")
    assert result.returncode == 0 and "does not say which fit it is of" in result.stderr
    shown = data_of(tmp_path / "r.html")["predictions"]
    assert shown["of_this_fit"] is False and shown["input"] is None and shown["row"] == list(range(1, 41))
    mixed = tmp_path / "mixed.csv"
    lines = (fitted / "predictions.csv").read_text().splitlines()
    mixed.write_text("\n".join([*lines[:-1], lines[-1].replace("fit-", "fit-0")]) + "\n")
    assert "mixed.csv:41: the row is of the fit" in ulisse.refusal("report", fitted / "fit", "--predictions", mixed)


def test_one_input_is_the_axis_of_predictions(ulisse, fitted, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("x\n" + "\n".join(repr((i * 997 % 4001) / 700) for i in range(4001)) + "\n")
    ulisse.output("predict", fitted / "fit", new, "--out", tmp_path / "p.csv", "--quiet", "--draws", "2")
    shown = data_of(report(fitted / "fit", tmp_path / "r.html", "--predictions", tmp_path / "p.csv"))["predictions"]
    assert shown["points"] == 4001 and shown["of_this_fit"]
    values = shown["input"]["values"]
    assert shown["input"]["name"] == "x" and values == sorted(values) and 1000 < len(values) <= 1500
    assert values[0] < 0.01 and values[-1] == 4000 / 700
    # The row of a point that is shown is that of the table, however few are.
    rows = new.read_text().splitlines()
    assert [float(rows[int(row)]) for row in shown["row"]] == values


def test_many_inputs_have_their_rows_as_axis(ulisse, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b,y\n" + "\n".join(f"{i % 7},{i % 5},{(i * 37) % 11}" for i in range(30)) + "\n")
    fit(table, tmp_path / "fit", *FIT, "--draws", "20")
    new = tmp_path / "new.csv"
    new.write_text("a,b\n" + "\n".join(f"{i % 7},{i % 5}" for i in range(2000)) + "\n")
    assert ulisse.run("predict", tmp_path / "fit", new, "--out", tmp_path / "p.csv", "--draws", "1").returncode == 0
    shown = data_of(report(tmp_path / "fit", tmp_path / "r.html", "--predictions", tmp_path / "p.csv"))["predictions"]
    assert shown["input"] is None and shown["row"] == list(range(2, 2001, 2))


def test_few_draws_are_called_so(tmp_path):
    folder = fit(small_table(tmp_path / "t.csv"), tmp_path / "fit", *FIT, "--draws", "20")
    data = data_of(report(folder, tmp_path / "r.html"))
    assert data["verdict"]["level"] == "distrust" and data["warnings"]


def test_a_name_that_looks_like_a_tag_stays_text(tmp_path):
    table = small_table(tmp_path / "t.csv")
    table.write_text(table.read_text().replace("x,y", "</script><b>,y", 1))
    folder = fit(table, tmp_path / "fit", *FIT, "--draws", "20")
    page = report(folder, tmp_path / "r.html")
    assert "</script><b>" not in page.read_text()
    assert "</script><b>" in str(data_of(page)["about"])


def test_refusals(ulisse, fitted, tmp_path):
    assert "no-such" in ulisse.refusal("report", tmp_path / "no-such")
    other = tmp_path / "other.csv"
    other.write_text("mean,x\n1,2\n")
    assert "--out" in ulisse.refusal("report", fitted / "fit", "--predictions", other, "--out", other)
    assert "among the files of the fit" in ulisse.refusal("report", fitted / "fit", "--out", fitted / "fit" / "data.csv")
    assert "no column 'sd'" in ulisse.refusal("report", fitted / "fit", "--predictions", other)
    assert "'mean'" in ulisse.refusal("report", fitted / "fit", "--predictions", fitted / "table.csv")
    result = ulisse.run("report", fitted / "fit", "--out", tmp_path / "no" / "r.html")
    assert result.returncode == 2 and "there is no folder" in result.stderr
