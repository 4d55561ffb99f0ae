"""script/inject-faults --quick, which kills a fit at every point at which it replaces another."""

import os
import pathlib
import subprocess
import sys

import pytest

from conftest import EXECUTABLE, SANITIZED

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif(SANITIZED, reason="sanitizers want to be loaded first")
def test_a_fault_at_an_operation_on_files_loses_no_draw():
    environment = {**os.environ, "ULISSE": EXECUTABLE}
    result = subprocess.run([ROOT / "script" / "inject-faults", "--quick"], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "replaced, mh: kill at" in result.stdout and "all holds" in result.stdout
