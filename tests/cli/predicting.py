"""A fit, and predictions from it, that several tests look at."""

import csv
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
    found = ulisse.json("predict", fitted / "fit", new, "--out", out, "--force", "--quiet", *options)
    with open(out) as file:
        return found, [{k: v if k == "fit" else float(v) for k, v in row.items()} for row in csv.DictReader(file)]
