"""What is done to a table that a user may not expect is said: on standard error, in fit.json and in the summary."""

import json

import pytest

from conftest import MH, gamma_priors, write_signal


def with_column(signal_table, name, value):
    """The table with one column more, before the others."""
    lines = signal_table.read_text().splitlines()
    signal_table.write_text("\n".join([f"{name},{lines[0]}", *(f"{value},{line}" for line in lines[1:])]) + "\n")
    return signal_table


def notes(result):
    assert result.returncode == 0, result.stderr
    return [line.removeprefix("ulisse: note: ") for line in result.stderr.splitlines() if line.startswith("ulisse: note: ")]


@pytest.fixture
def fit(ulisse, tmp_path):
    def run(path, *options):
        return ulisse.run("fit", path, "--target", "y", *MH, "--quiet", "--out", tmp_path / "fit", *options)

    return run


def test_a_constant_column_is_left_out(ulisse, fit, signal_table, tmp_path):
    plain = fit(signal_table)
    chains = (tmp_path / "fit" / "chain_1.csv").read_text().splitlines()
    path = with_column(signal_table, "k", 7)
    note = f"{path}: column 'k' is constant (7), and was left out"
    assert notes(fit(path, "--force")) == [note]
    about = json.loads((tmp_path / "fit" / "fit.json").read_text())
    assert about["data"]["features"] == ["a", "b"] and about["notes"] == [note]
    assert f"note: {note}" in ulisse.output("summary", tmp_path / "fit")
    assert ulisse.json("summary", tmp_path / "fit")["notes"] == [note]
    # The same draws as without it.
    rows = lambda lines: [line for line in lines if not line.startswith("#")]
    assert rows((tmp_path / "fit" / "chain_1.csv").read_text().splitlines()) == rows(chains)
    assert plain.stderr == ""


def test_predictions_do_without_a_column_that_was_left_out(ulisse, fit, signal_table, tmp_path):
    new = write_signal(tmp_path / "new.csv", 5)
    fit(with_column(signal_table, "k", 7), "--no-data")
    ulisse.output("predict", tmp_path / "fit", new, "--quiet", "--out", tmp_path / "out.csv")


def test_a_fit_without_a_constant_column_goes_on(ulisse, signal_table, tmp_path):
    path = with_column(signal_table, "k", 7)
    fit = ["fit", path, "--target", "y", "--sampler", "mh", "--warmup", "100", "--quiet", "--out", tmp_path / "fit", "--draws"]
    ulisse.run(*fit, "50")
    ulisse.run(*fit, "70", "--resume")
    assert len(ulisse.json("summary", tmp_path / "fit")["notes"]) == 1
    assert ulisse.json("summary", tmp_path / "fit")["draws"] == 70
    assert json.loads((tmp_path / "fit" / "fit.json").read_text())["data"]["all_features"] == ["k", "a", "b"]


def test_a_report_has_the_notes(ulisse, fit, signal_table, tmp_path):
    """It said that draws can be trusted, and not that a column was left out."""
    fit(with_column(signal_table, "k", 7))
    ulisse.output("report", tmp_path / "fit", "--out", tmp_path / "report.html")
    assert "column 'k' is constant (7), and was left out" in (tmp_path / "report.html").read_text()


def test_a_constant_column_that_is_named_is_left_out_too(fit, signal_table):
    assert len(notes(fit(with_column(signal_table, "k", 7), "--features", "k,a"))) == 1


def test_a_table_of_constant_columns_alone_is_refused(ulisse, signal_table):
    path = with_column(signal_table, "k", 7)
    sentence = ulisse.refusal("map", path, "--target", "y", "--features", "k")
    assert sentence == f"ulisse: {path}: column 'k' is constant (7), and there is no other input"


def test_the_place_of_a_prior_is_not_guessed(ulisse, signal_table):
    path = with_column(signal_table, "k", 7)
    model = ["map", path, "--target", "y", "--kernel", "rbf-ard", "--quiet", "--json"]
    result = ulisse.run(*model, "--prior", "tau.2=gamma(3,1)")
    assert result.returncode == 2 and "name the input, as in 'tau.a=...'" in result.stderr
    found = json.loads(ulisse.run(*model, "--prior", "tau.b=gamma(3,1)").stdout)
    assert found["inputs"]["tau.2"] == "b" and found["priors"]["tau.2"] == "gamma(3,1)"


def test_without_standardising_a_constant_column_stays(fit, signal_table, tmp_path):
    assert notes(fit(with_column(signal_table, "k", 7), "--no-standardise")) == []
    assert json.loads((tmp_path / "fit" / "fit.json").read_text())["data"]["features"] == ["k", "a", "b"]


def test_a_target_of_two_values_is_noted(fit, table):
    path = table("a,y\n" + "".join(f"{i % 17},{int(i % 5 < 2)}\n" for i in range(40)))
    found, = notes(fit(path))
    assert found.startswith("the target is 0 or 1 in every row") and "not probabilities" in found


def test_a_header_of_numbers_is_noted(ulisse, table):
    path = table("1.5,2\n" + "".join(f"{i},{i * i % 7 + i / 100}\n" for i in range(20)))
    found, = notes(ulisse.run("map", path, "--target", "2", "--quiet"))
    assert found.startswith(f"{path}:1: the line has numbers alone") and "--no-header" in found


def test_a_table_without_a_header(ulisse, table, tmp_path):
    rows = "".join(f"{i / 10},{i * i % 7 + i / 100}\n" for i in range(30))
    named = ulisse.json("map", table("a,y\n" + rows), "--target", "y")
    plain = ulisse.json("map", table(rows, "plain.csv"), "--target", "2", "--no-header")
    assert plain["theta"] == named["theta"]
    path = table(rows, "plain.csv")
    ulisse.output("fit", path, "--target", "2", "--no-header", *MH, *gamma_priors(), "--quiet", "--no-data", "--out", tmp_path / "fit")
    out = tmp_path / "out.csv"
    ulisse.output("predict", tmp_path / "fit", path, "--no-header", "--quiet", "--out", out)
    assert len(out.read_text().splitlines()) == 31


def test_escape_bytes_in_names_do_not_reach_the_terminal(ulisse, table, tmp_path):
    """A column's name could clear the screen."""
    name, shown = "a\x1b[2J\u009b", "a\\x1B[2J\\xC2\\x9B"
    rows = "".join(f"{i / 10},7,{i * i % 7 + i / 100}\n" for i in range(30))
    path = table(f"{name},{name}2,y\n{rows}")
    texts = []
    for arguments in [
        ["map", path, "--target", "y", "--kernel", "rbf-ard", "--quiet"],
        ["map", path, "--target", name + "3"],
        ["map", path, "--target", "y", "--" + name],
        ["fit", path, "--target", "y", "--kernel", "rbf-ard", *MH, "--out", tmp_path / "fit"],
        ["summary", tmp_path / "fit"],
        ["summary", tmp_path / name],
    ]:
        result = ulisse.run(*arguments)
        texts.append(result.stdout + result.stderr)
        assert shown in texts[-1], arguments
    assert not any(code in text for text in texts for code in ["\x1b", "\u009b"])


def test_terms_that_cannot_be_told_apart_are_said(ulisse, fit, signal_table, tmp_path):
    found = notes(fit(signal_table, "--kernel", "rbf(a) + rbf(a)"))
    assert len(found) == 1 and found[0].startswith("terms 1 and 2 of the kernel are the same function of the same inputs")
    assert json.loads((tmp_path / "fit" / "fit.json").read_text())["notes"] == found
    assert f"note: {found[0]}" in ulisse.output("summary", tmp_path / "fit")
    assert notes(fit(signal_table, "--kernel", "rbf(a) + rbf(b)", "--force")) == []
