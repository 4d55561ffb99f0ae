"""pip install ., without a network, with the build that is there."""

import os
import pathlib
import subprocess
import sys

import pytest

import ulisse

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    pytest.importorskip("pip")
    target = tmp_path_factory.mktemp("site")
    build = pathlib.Path(ulisse.__file__).resolve().parents[2]  # build/python/ulisse/__init__.py
    if not (build / "CMakeCache.txt").exists():
        pytest.skip("the package comes from no build folder")
    environment = {**os.environ, "ULISSE_BUILD": str(build), "PIP_NO_CACHE_DIR": "1", "PYTHONPATH": ""}
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", str(target), str(ROOT)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200)
    assert result.returncode == 0, result.stdout + result.stderr
    return target


def test_what_pip_installs_stands_alone(installed, tmp_path):
    """In another folder, with its own copy of the library."""
    code = "import ulisse; print(ulisse.__file__); print(next(l.split()[-1] for l in open('/proc/self/maps') if 'libulisse' in l))"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    module, library = result.stdout.splitlines()
    assert module == str(installed / "ulisse" / "__init__.py")
    assert library == str(installed / "ulisse" / "libulisse.so.0")
    assert (installed / "ulisse" / "py.typed").exists()
