"""Means and standard deviations of Langevin's steps with smaller errors."""

import json

import pytest

from conftest import MH, SKEWED, ULISSE


@pytest.fixture
def fit(ulisse, larger_table, tmp_path):
    def run(*options):
        ulisse.output("fit", larger_table, "--target", "y", "--out", tmp_path / "fit", "--quiet", *options)
        return tmp_path / "fit"

    return run


def columns_of(file):
    lines = [line.split(",") for line in file.read_text().splitlines() if not line.startswith("#")]
    return dict(zip(lines[0], zip(*lines[1:])))


def without_noise(file):
    """As a version wrote it that had none."""
    lines = file.read_text().splitlines()
    names = next(line for line in lines if not line.startswith("#")).split(",")
    count = sum(not name.startswith("noise_") or not name.endswith("__") for name in names)
    file.write_text("\n".join(line if line.startswith("#") else ",".join(line.split(",")[:count]) for line in lines) + "\n")


def test_errors_are_smaller_and_marked(ulisse, fit):
    folder = fit(*("200" if word == "60" else word for word in ULISSE))
    rows = ulisse.json("summary", folder)["log_parameters"]
    for row in rows.values():
        assert row["mcse"] < 0.8 * row["mcse_of_draws"]
        assert abs(row["mean"] - row["mean_of_draws"]) < 5 * row["mcse_of_draws"]
        assert row["mcse_sd"] > 0 and 0.7 < row["sd"] / row["sd_of_draws"] < 1.4
    text = ulisse.output("summary", folder)
    assert "* mean and sd by control variates" in text
    tau = next(line for line in text.splitlines() if line.startswith("tau "))
    assert tau.split()[3].endswith("*")


def test_quantiles_and_diagnostics_are_those_of_the_draws(ulisse, fit):
    folder = fit(*ULISSE)
    with_controls = ulisse.json("summary", folder)["parameters"]
    for file in folder.glob("chain_*.csv"):
        without_noise(file)
    for name, alone in ulisse.json("summary", folder)["parameters"].items():
        assert "mcse_of_draws" not in alone
        row = with_controls[name]
        assert (row["mean_of_draws"], row["sd_of_draws"], row["mcse_of_draws"]) == (alone["mean"], alone["sd"], alone["mcse"])
        for key in ("q5", "q50", "q95", "ess_bulk", "ess_tail", "rhat"):
            assert row[key] == alone[key]


def test_the_noise_of_steps_is_kept_with_langevins_draws_alone(fit):
    folder = fit(*SKEWED)
    about = json.loads((folder / "fit.json").read_text())
    count = len(about["parameters"])
    columns = columns_of(folder / "chain_1.csv")
    assert [name for name in columns if name.startswith("noise_") and name.endswith("__")] == [f"noise_{j + 1}__" for j in range(count)]
    assert len(about["setup"]["origin"]) == count
    for chain in about["chains"]:
        assert len(chain["metric"]) == len(chain["injected"]) == count
        # The variance of the noise is what fit.json says; 60 draws, false alarm 1e-5.
        for j in range(count):
            values = [float(value) for value in columns_of(folder / chain["file"])[f"noise_{j + 1}__"]]
            ratio = sum(value * value for value in values) / len(values) / chain["injected"][j][j]
            assert 0.35 < ratio < 2.1


def test_other_samplers_have_none(ulisse, fit):
    folder = fit(*MH)
    assert not any(name.startswith("noise_") and name.endswith("__") for name in columns_of(folder / "chain_1.csv"))
    assert "control variates" not in ulisse.output("summary", folder)
