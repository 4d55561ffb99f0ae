"""Data that cannot be used: exit code 2, one sentence on standard error, nothing on standard output."""

import gzip
import os
import subprocess

import pytest

from conftest import EXECUTABLE, SANITIZED


def refusal(ulisse, path, target="y"):
    return ulisse.refusal("map", path, "--target", target)


def test_missing_file(ulisse, tmp_path):
    path = str(tmp_path / "absent.csv")
    assert refusal(ulisse, path) == f"ulisse: {path}: No such file or directory"


def test_directory(ulisse, tmp_path):
    assert refusal(ulisse, str(tmp_path)).endswith("is a directory")


def test_empty_file(ulisse, table):
    assert "empty" in refusal(ulisse, table(""))


def test_header_only(ulisse, table):
    assert "no rows" in refusal(ulisse, table("a,y\n"))


def test_one_row(ulisse, table):
    assert "two rows" in refusal(ulisse, table("a,y\n1,2\n"))


def test_unknown_target_gets_a_suggestion(ulisse, concrete):
    sentence = refusal(ulisse, concrete, "strenght")
    assert f"{concrete}:1:" in sentence
    assert "'strenght'" in sentence and "did you mean 'strength'?" in sentence


def test_unknown_feature_gets_a_suggestion(ulisse, concrete):
    sentence = ulisse.refusal("map", concrete, "--target", "strength", "--features", "cement,wate")
    assert "did you mean 'water'?" in sentence


def test_not_a_number_names_line_and_column(ulisse, table):
    path = table("a,b,y\n1,2,3\n4,five,6\n")
    sentence = refusal(ulisse, path)
    assert f"{path}:3:" in sentence
    assert "'b'" in sentence and "'five'" in sentence and "not a number" in sentence


@pytest.mark.parametrize("value", ["inf", "-inf", "1e999"])
def test_not_finite_names_line_and_column(ulisse, table, value):
    path = table(f"a,b,y\n1,2,3\n4,{value},6\n")
    sentence = refusal(ulisse, path)
    assert f"{path}:3:" in sentence and "'b'" in sentence and value in sentence


def test_missing_cells_are_counted(ulisse, table):
    path = table("a,b,y\n1,2,3\n4,,6\n7,8,NA\nNaN,2,4\n")
    sentence = refusal(ulisse, path)
    assert f"{path}:3:" in sentence and "'b'" in sentence
    assert "3 rows of 4" in sentence


def test_text_says_what_to_do(ulisse, table):
    sentence = refusal(ulisse, table("a,b,y\n1,2,3\n4,blue,6\n"))
    assert "mend the cell" in sentence and "--exclude" in sentence and "--categories" in sentence


def test_a_decimal_comma_is_named(ulisse, table):
    sentence = ulisse.refusal("map", table("a;y\n1,5;2\n"), "--target", "y", "--separator", ";")
    assert "decimal point" in sentence


@pytest.mark.parametrize("target", ["y", "größe", "z"])
def test_windows_1252_is_named_whatever_the_target(ulisse, table, target):
    assert "UTF-8" in refusal(ulisse, table("größe,y\n1,2\n3,5\n".encode("cp1252")), target)


def test_a_comment_in_front_of_the_header(ulisse, table):
    assert "starts with '#'" in refusal(ulisse, table("# from the lab\na,y\n1,2\n"))


@pytest.mark.parametrize("row", ["4,5", "4,5,6,7"])
def test_ragged_row(ulisse, table, row):
    path = table(f"a,b,y\n1,2,3\n{row}\n")
    sentence = refusal(ulisse, path)
    assert f"{path}:3:" in sentence
    assert f"{row.count(',') + 1} fields" in sentence and "header 3" in sentence


@pytest.mark.parametrize("column, text", [("a", "a,y\n7,3\n7,4\n7,9\n"), ("y", "a,y\n1,7\n2,7\n")])
def test_constant_column_is_named(ulisse, table, column, text):
    sentence = refusal(ulisse, table(text))
    assert f"'{column}'" in sentence and "constant" in sentence and "7" in sentence


def test_a_text_target_is_not_to_be_left_out(ulisse, table):
    sentence = refusal(ulisse, table("a,y\n1,red\n4,blue\n"))
    assert "the target must be one" in sentence and "--features" not in sentence


def test_garbage_behind_gzip(ulisse, table):
    path = table(gzip.compress(b"a,y\n1,2\n3,4\n5,7\n") + b"7,8\n", "table.csv.gz")
    assert refusal(ulisse, path).startswith(f"ulisse: {path}: bytes that are no gzip data stand behind the end")


@pytest.mark.parametrize("header, words", [("commas", "longer than 16 MiB"), ("names", "more than 100000 fields"), ("rows", "constant")])
def test_a_small_gzip_file_takes_no_gigabytes(table, header, words):
    """60 kB made 1.7 GB of fields; a million columns, 0.3 GB."""
    content = {"commas": b"," * 60_000_000, "names": ",".join(f"c{i}" for i in range(1_000_000)).encode(), "rows": b"a,y\n" + b"1,2\n" * 5_000_000}
    path = table(gzip.compress(content[header], 1), "table.csv.gz")
    with subprocess.Popen([EXECUTABLE, "map", path, "--target", "y"], stderr=subprocess.PIPE, text=True) as process:
        sentence = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 2 and words in sentence
    assert SANITIZED or usage.ru_maxrss < 300_000  # kB


def test_target_alone(ulisse, table):
    assert "no features" in refusal(ulisse, table("y\n1\n2\n"))


def test_truncated_gzip(ulisse, table):
    rows = "".join(f"{i},{i * i % 97}\n" for i in range(5000))
    assert "truncated" in refusal(ulisse, table(gzip.compress(("a,y\n" + rows).encode())[:-500], "table.csv.gz"))


def test_bench_solve_says_the_same(ulisse, concrete):
    sentence = ulisse.refusal("bench", "solve", concrete, "--target", "strenght", "--theta", "1,1,1")
    assert "did you mean 'strength'?" in sentence
