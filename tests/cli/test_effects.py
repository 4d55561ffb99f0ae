"""ulisse effects: the function along each input, and shares of its variance."""

import csv

import pytest

from conftest import MH


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    from conftest import Ulisse, write_signal

    folder = tmp_path_factory.mktemp("effects")
    table = write_signal(folder / "table.csv", 60)
    # A category that does nothing.
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0] + ",g"] + [f"{line},{'uv'[i % 2]}" for i, line in enumerate(lines[1:])]) + "\n")
    result = Ulisse().run("fit", table, "--target", "y", *MH, "--kernel", "rbf-ard", "--quiet", "--out", folder / "fit")
    assert result.returncode == 0, result.stderr
    return folder / "fit"


def test_shares_and_curves(ulisse, fitted, tmp_path):
    found = ulisse.json("effects", fitted, "--out", tmp_path / "e.csv", "--draws", "20", "--points", "11", "--quiet")
    # y = a^2 + b / 2: variances 2 and 1/4.
    a, b, g = (found["inputs"][name] for name in "abg")
    for shares in (a, b, g):
        for index in shares.values():
            assert index["lower"] <= index["median"] <= index["upper"]
    assert 0.6 < a["first_order"]["median"] < 1 and a["total"]["median"] < 1.1
    assert 0.02 < b["first_order"]["median"] < 0.3
    assert g["total"]["median"] < 0.1
    assert {frozenset((pair["first"], pair["second"])) for pair in found["pairs"]} == {frozenset("ab"), frozenset("ag"), frozenset("bg")}
    with open(tmp_path / "e.csv") as file:
        rows = list(csv.DictReader(file))
    assert [sum(row["input"] == name for row in rows) for name in "abg"] == [11, 11, 2]
    assert [row["at"] for row in rows if row["input"] == "g"] == ["u", "v"]
    curve = [row for row in rows if row["input"] == "a"]
    assert all(float(row["lower"]) < float(row["mean"]) < float(row["upper"]) for row in rows)
    assert all(float(row["averaged_lower"]) <= float(row["averaged"]) <= float(row["averaged_upper"]) for row in rows)
    middle = min(curve, key=lambda row: abs(float(row["at"])))
    for column in "mean", "averaged":
        ends = [float(curve[1][column]), float(curve[-2][column])]
        expected = [float(curve[1]["at"]) ** 2, float(curve[-2]["at"]) ** 2]
        assert [end - float(middle[column]) for end in ends] == pytest.approx(expected, abs=1.2)


def test_in_words_and_refused(ulisse, fitted, tmp_path):
    asked = ["effects", fitted, "--out", tmp_path / "e.csv", "--draws", "5", "--quiet"]
    text = ulisse.output(*asked)
    assert "with all others" in text and "Pairs that explain most together" in text
    assert "--force replaces it" in ulisse.refusal(*asked)
    assert "among the files of the fit" in ulisse.refusal("effects", fitted, "--out", fitted / "e.csv")
