"""ulisse devices, --devices, and devices that are missing, wrong or fail in the middle. Without an OpenCL device they are skipped."""

import json
import os
import pathlib

import pytest

from conftest import EXECUTABLE, draws_of, gamma_priors

SMALL = ("bench", "products", "--quiet", "--n", 300, "--d", 2, "--rhs", 3, "--repeats", 1)
FAULTS = pathlib.Path(EXECUTABLE).parent / "tests" / "device_faults.so"
NO_DRIVER = {**os.environ, "OCL_ICD_VENDORS": "/nonexistent", "OCL_ICD_FILENAMES": ""}
FIT = ("--target", "strength", "--kernel", "matern32", "--sampler", "sgld", "--chains", 2, "--warmup", 20, "--rank", 20, "--quiet", *gamma_priors())


def with_faults(kind, at=1):
    return {**os.environ, "LD_PRELOAD": str(FAULTS), "DEVICE_FAULT": kind, "DEVICE_FAULT_AT": str(at)}


@pytest.fixture
def device(ulisse):
    """The first device; there must be the library that makes it fail, too."""
    result = ulisse.run("devices", "--json")
    if result.returncode != 0 or not FAULTS.exists():
        pytest.skip("there is no OpenCL device")
    return json.loads(result.stdout)["devices"][0]


@pytest.fixture
def table(tmp_path, concrete):
    """The first 150 rows of Concrete."""
    path = tmp_path / "table.csv"
    path.write_text("".join(pathlib.Path(concrete).read_text().splitlines(keepends=True)[:151]))
    return path


def test_devices_are_listed(ulisse, device):
    assert device["number"] == 0 and device["units"] >= 1 and device["memory_bytes"] > 0
    lines = ulisse.output("devices").splitlines()
    assert lines[0].split() == ["device", "units", "memory", "double", "name,", "driver"]
    assert device["name"] in lines[1]


def test_a_device_that_is_not_there_is_refused(ulisse, device):
    assert "--devices: '99': this machine has" in ulisse.refusal(*SMALL, "--backends", "opencl-float", "--devices", "99")


def test_a_machine_without_drivers_says_so_and_auto_goes_on(ulisse, device, concrete):
    result = ulisse.run(*SMALL, "--backends", "opencl-float", env=NO_DRIVER)
    assert result.returncode == 2
    assert result.stderr == "ulisse: the opencl-float backend: OpenCL has no device here: its driver is missing or does not work\n"
    result = ulisse.run(*SMALL, "--json", env=NO_DRIVER)
    assert result.returncode == 0 and "opencl" not in json.loads(result.stdout)["backends"]


def test_a_device_that_computes_wrongly_is_refused(ulisse, device):
    result = ulisse.run(*SMALL, "--backends", "opencl-float", env=with_faults("bits"))
    assert result.returncode == 2
    assert "computes wrongly and is not used: 500 points give products that are off by" in result.stderr
    assert ulisse.run(*SMALL, "--backends", "opencl-float", env=with_faults("none")).returncode == 0


def test_a_fit_is_resumed_bit_for_bit_after_its_device_failed(ulisse, device, table, tmp_path):
    whole, failed = tmp_path / "whole", tmp_path / "failed"
    options = (table, *FIT, "--backend", "opencl-float", "--draws", 30)
    assert ulisse.run("fit", *options, "--out", whole).returncode == 0
    result = ulisse.run("fit", *options, "--out", failed, env=with_faults("work", 2000))
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == "ulisse: the OpenCL device cannot be given work (error -5)"
    assert draws_of(failed) != draws_of(whole)
    assert ulisse.run("fit", *options, "--out", failed, "--resume").returncode == 0
    assert draws_of(failed) == draws_of(whole)


def test_draws_are_those_of_dense_float_but_for_rounding(ulisse, device, table, tmp_path):
    found = {}
    for backend in ("opencl-float", "dense-float"):
        folder = tmp_path / backend
        assert ulisse.run("fit", table, *FIT, "--backend", backend, "--draws", 200, "--out", folder).returncode == 0
        found[backend] = json.loads(ulisse.output("summary", folder, "--json"))
    for name, ours in found["opencl-float"]["parameters"].items():
        theirs = found["dense-float"]["parameters"][name]
        error = (ours["mcse"] ** 2 + theirs["mcse"] ** 2) ** 0.5
        assert abs(ours["mean"] - theirs["mean"]) < 4 * error, name
