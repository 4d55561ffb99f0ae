"""Folders that version 0.1.0 wrote are loaded."""

import csv
import pathlib

import numpy as np
import pytest

import ulisse

FOLDERS = pathlib.Path(__file__).resolve().parents[1] / "fits_of_0.1"


@pytest.mark.parametrize("sampler", ["ulisse", "sgld", "mh"])
def test_a_folder_is_loaded_with_its_draws_and_predicts(sampler):
    fitted = ulisse.GPRegressor.load(FOLDERS / sampler)
    for number, path in enumerate(sorted((FOLDERS / sampler).glob("chain_*.csv"))):
        rows = list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))
        for name, values in fitted.draws_.items():
            np.testing.assert_array_equal(values[number], [float(row[name]) for row in rows])
    table = np.loadtxt(FOLDERS / sampler / "data.csv", delimiter=",", skiprows=1)
    mean, sd = fitted.predict(table[:, :-1], return_std=True)
    assert np.mean(np.abs(mean - table[:, -1]) < 2 * sd) > 0.8
