"""Output that cannot be written is not lost in silence: exit code 1 and one sentence."""

import subprocess

import pytest

from conftest import CONCRETE, EXECUTABLE, SANITIZED

COMMANDS = [
    ["--help"],
    ["--version"],
    ["map", "--help"],
    ["map", CONCRETE, "--target", "strength", "--subset", "50"],
    ["map", CONCRETE, "--target", "strength", "--subset", "50", "--json"],
    ["bench", "products", "--n", "50", "--repeats", "1"],
    ["bench", "solve", CONCRETE, "--target", "strength", "--theta", "1,1,1", "--rhs", "1", "--preconditioners", "random"],
]


def failure(command, redirection):
    shell = f'exec "$@" {redirection}'
    result = subprocess.run(["sh", "-c", shell, "sh", EXECUTABLE, *command], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    *progress, sentence = result.stderr.splitlines()
    assert SANITIZED or not progress, "where it does not take long"
    return sentence


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_reported(command):
    assert failure(command, ">/dev/full").startswith("ulisse: the output could not be written")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_standard_output_is_reported(command):
    assert failure(command, ">&-") == "ulisse: the output could not be written: standard output is closed"


def test_a_reader_that_has_enough_is_no_crash():
    pipe = f'"{EXECUTABLE}" --help | head -n 1'
    assert subprocess.run(["sh", "-c", pipe], capture_output=True, text=True).stderr == ""
