"""A set-up that is killed: what its stages found is kept, and the fit goes on to the same draws."""

import json
import math
import random
import subprocess
import time

import pytest

from conftest import EXECUTABLE, SANITIZED, draws_of

# All stages run from 3,000 rows on; small ones.
OPTIONS = ["--sampler", "ulisse", "--chains", "2", "--warmup", "5", "--draws", "6", "--seed", "3", "--backend", "dense", "--subset", "200", "--rank", "60", "--bank", "8",
           "--trace", "probes", "--trace-probes", "40", "--trace-error", "0.01", "--step", "1", "--q", "0.5"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "table.csv"
    source = random.Random(5)
    lines = ["a,y"]
    for _ in range(3100):
        a = source.uniform(0, 4)
        lines.append(f"{a:.6f},{math.sin(2 * a) + source.gauss(0, 0.4):.6f}")
    path.write_text("\n".join(lines) + "\n")
    return path


def command(out, *more):
    return [EXECUTABLE, "fit", "--quiet", "--out", str(out), *map(str, more)]


@pytest.fixture(scope="module")
def whole(table, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "fit"
    subprocess.run(command(out, table, "--target", "y", *OPTIONS), check=True, capture_output=True)
    return out


def kill_when_there(process, file):
    """True where the kill came before the fit's end."""
    while not file.exists() and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    process.wait()
    return process.returncode != 0


def stages(out):
    return sorted(path.name for path in out.glob("setup_*"))


@pytest.mark.skipif(SANITIZED, reason="it takes minutes")
def test_a_set_up_killed_after_any_stage_goes_on_bit_for_bit(table, whole, tmp_path):
    out = tmp_path / "fit"
    killed = []
    for stage in ["first_mode", "mode", "anchor", "curvature", "trace", "survey", "coordinates", "products", "plan"]:
        begin = ["--resume"] if (out / "fit.json").exists() else [table, "--target", "y", *OPTIONS]
        before = {name: (out / name).stat().st_mtime_ns for name in stages(out) if name != "setup_trace"}
        process = subprocess.Popen(command(out, *begin), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if kill_when_there(process, out / f"setup_{stage}"):
            killed.append(stage)
        assert {name: (out / name).stat().st_mtime_ns for name in before} == before, "a stage was repeated"
    assert len(killed) >= 5, killed
    subprocess.run(command(out, "--resume"), check=True, capture_output=True)
    assert json.loads((out / "fit.json").read_text())["status"] == "complete"
    assert draws_of(out) == draws_of(whole)
    assert stages(out) == stages(whole)


@pytest.mark.skipif(SANITIZED, reason="it takes minutes")
def test_a_stage_that_was_cut_is_refused_and_made_again_where_it_is_deleted(ulisse, whole, tmp_path):
    out = tmp_path / "fit"
    subprocess.run(["cp", "-r", whole, out], check=True)
    last = out / "setup_plan"
    last.write_bytes(last.read_bytes()[:-5])
    refused = ulisse.refusal("fit", "--resume", "--out", out, "--draws", "8")
    assert "setup_plan: is damaged" in refused
    last.unlink()
    assert ulisse.run("fit", "--resume", "--out", out, "--draws", "8", "--quiet").returncode == 0
    assert all(rows == draws_of(out)[name][: len(rows)] for name, rows in draws_of(whole).items())
    assert last.read_bytes() == (whole / "setup_plan").read_bytes()
