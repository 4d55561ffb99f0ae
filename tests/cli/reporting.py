"""Fits and their reports, that several tests look at."""

import csv
import json
import re

import pytest

from conftest import Ulisse

FIT = ["--sampler", "mh", "--warmup", "200"]


def fit(table, out, *options):
    result = Ulisse().run("fit", table, "--target", "y", "--quiet", "--out", out, *options)
    assert result.returncode == 0, result.stderr
    return out


def small_table(path, rows=40):
    lines = ["x,y", *(f"{i / 7!r},{((i * 37) % 11) / 5 + i / 9!r}" for i in range(rows))]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A folder with a fit and predictions at known targets."""
    folder = tmp_path_factory.mktemp("report")
    table = small_table(folder / "table.csv")
    fit(table, folder / "fit", *FIT, "--draws", "500")
    Ulisse().output("predict", folder / "fit", table, "--out", folder / "predictions.csv", "--quiet")
    return folder


def report(folder, out, *options):
    assert Ulisse().output("report", folder, "--out", out, *options) == f"{out}\n"
    return out


def data_of(page):
    """What the page shows, as JSON."""
    text = page.read_text()
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def without(predictions, out, *names):
    """The file without some of its columns, as older versions wrote it."""
    with open(predictions) as file:
        rows = list(csv.DictReader(file))
    kept = [name for name in rows[0] if name not in names]
    out.write_text("\n".join([",".join(kept), *(",".join(row[name] for name in kept) for row in rows)]) + "\n")
    return out
