"""ulisse loo and ulisse compare."""

import csv
import math

import pytest

from conftest import MH


@pytest.fixture
def fits(ulisse, signal_table, tmp_path):
    def fit(name, *options):
        result = ulisse.run("fit", signal_table, "--target", "y", *MH, "--chains", "2", "--quiet", "--out", tmp_path / name, *options)
        assert result.returncode == 0, result.stderr
        return tmp_path / name

    return fit


def test_a_line_for_each_row_and_their_sums(ulisse, fits, tmp_path):
    found = ulisse.json("loo", fits("fit"), "--draws", "200", "--out", tmp_path / "loo.csv", "--matrix", tmp_path / "matrix.csv", "--quiet")
    with open(tmp_path / "loo.csv") as file:
        rows = list(csv.DictReader(file))
    assert [row["row"] for row in rows] == [str(i) for i in range(1, 61)]
    assert found["rows"] == 60 and found["draws"] == 200 and found["method"] == "exact" and found["elpd_error"] == 0
    elpd = [float(row["elpd_loo"]) for row in rows]
    assert found["elpd_loo"]["value"] == pytest.approx(sum(elpd))
    mean = sum(elpd) / 60
    assert found["elpd_loo"]["se"] == pytest.approx(math.sqrt(60 / 59 * sum((e - mean) ** 2 for e in elpd)))
    assert found["looic"]["value"] == pytest.approx(-2 * sum(elpd))
    assert found["p_loo"]["value"] == pytest.approx(sum(float(row["p_loo"]) for row in rows))
    assert found["rows_above_good_k"] == sum(float(row["pareto_k"]) > found["good_k"] for row in rows)
    assert {row["fit"] for row in rows} == {found["fit"]}
    assert all(0 <= float(row["below"]) <= 1 for row in rows)
    with open(tmp_path / "matrix.csv") as file:
        lines = list(csv.reader(file))
    assert lines[0] == ["chain", *(f"row.{i}" for i in range(1, 61))]
    assert [line[0] for line in lines[1:]] == ["1"] * 100 + ["2"] * 100
    # With the row among the data, the mean density is larger than without it by p_loo.
    densities = [math.exp(float(line[7])) for line in lines[1:]]
    assert math.log(sum(densities) / 200) - elpd[6] == pytest.approx(float(rows[6]["p_loo"]))


def test_in_words(ulisse, fits, tmp_path):
    folder = fits("fit")
    text = ulisse.output("loo", folder, "--evidence", "200", "--quiet")
    assert text.startswith("leave-one-out of 60 rows, 400 draws, exact") and "elpd_loo" in text and "k-hat" in text
    assert "log evidence" in text and "200 proposals" in text
    near = ulisse.output("loo", folder, "--method", "neighbours", "--draws", "20", "--quiet")
    assert "neighbours" in near and "off by at most" in near


def test_the_best_of_several_comes_first(ulisse, fits):
    rbf, one = fits("rbf"), fits("one", "--features", "b")
    found = ulisse.json("compare", one, rbf, "--quiet")["fits"]
    assert [fit["folder"] for fit in found] == [str(rbf), str(one)]
    assert found[0]["elpd_diff"] == {"value": 0, "se": 0}
    assert found[1]["elpd_diff"]["value"] == pytest.approx(found[1]["elpd_loo"]["value"] - found[0]["elpd_loo"]["value"])
    assert found[1]["elpd_diff"]["value"] < -3 * found[1]["elpd_diff"]["se"]
    lines = ulisse.output("compare", one, rbf, "--quiet").splitlines()
    assert lines[1].startswith(str(rbf)) and lines[2].startswith(str(one))


def test_what_cannot_be_compared_is_refused(ulisse, fits, table):
    rbf = fits("rbf")
    few = table("a,b,y\n" + "".join(f"{i},{i * i % 7},{i % 5 + 0.1 * i}\n" for i in range(1, 31)), "few.csv")
    assert ulisse.run("fit", few, "--target", "y", *MH, "--quiet", "--out", rbf.parent / "few").returncode == 0
    assert "number 2 has 30, the first has 60" in ulisse.refusal("compare", rbf, rbf.parent / "few", "--draws", "20", "--quiet")
    assert ulisse.run("fit", few, "--target", "b", *MH, "--quiet", "--out", rbf.parent / "b").returncode == 0
    assert "fits of 'y' and of 'b'" in ulisse.refusal("compare", rbf, rbf.parent / "b", "--draws", "20", "--quiet")
    ulisse.usage_error("compare", rbf)


def test_files_are_replaced_by_force_alone(ulisse, fits, tmp_path):
    folder, out = fits("fit"), tmp_path / "loo.csv"
    asked = ["loo", folder, "--draws", "20", "--out", out, "--quiet"]
    ulisse.output(*asked)
    assert "is there already; --force replaces it" in ulisse.refusal(*asked)
    ulisse.output(*asked, "--force")
    assert "among the files of the fit" in ulisse.refusal("loo", folder, "--out", folder / "loo.csv")
    assert "none of auto, exact, neighbours" in ulisse.refusal("loo", folder, "--method", "float", "--quiet")
