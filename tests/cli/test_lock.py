"""Two fits and one folder: the second is told of the first, and a kill leaves no lock."""

import json
import os
import signal
import subprocess
import time

import pytest

from conftest import EXECUTABLE, MH, SANITIZED, draws_of

LONG = ["--sampler", "mh", "--warmup", "10", "--draws", "5000000"]


@pytest.fixture
def running(signal_table, tmp_path):
    """A fit that samples for a long time."""
    out = tmp_path / "fit"
    process = subprocess.Popen([EXECUTABLE, "fit", str(signal_table), "--target", "y", "--quiet", "--out", str(out), *LONG],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (out / "chain_1.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    yield out, process
    process.kill()
    process.wait()


def stop(process):
    """Returns when all its threads have stopped: one of them may be writing."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED)


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_two_fits_of_one_folder_do_not_mix(ulisse, signal_table, running):
    out, process = running
    for more in [["--resume"], ["--force", *MH], ["--resume", "--draws", "6000000"], MH]:
        refused = ulisse.refusal("fit", signal_table, "--target", "y", "--out", out, *more)
        assert f"{out}: another fit is being written there, by process {process.pid} on " in refused
    assert process.poll() is None
    assert json.loads((out / "fit.json").read_text())["settings"]["draws"] == 5000000


def test_a_fit_that_runs_can_be_looked_at(ulisse, signal_table, running, tmp_path):
    out, process = running
    stop(process)  # or draws would be predicted with for minutes
    deadline = time.monotonic() + 60
    while len(draws_of(out)["chain_1.csv"]) < 3 and time.monotonic() < deadline:
        process.send_signal(signal.SIGCONT)
        time.sleep(0.5)
        stop(process)
    summary = ulisse.run("summary", out)
    assert summary.returncode == 0, summary.stderr
    assert ", running" in summary.stdout and "the fit is running" in summary.stdout
    assert ulisse.run("report", out, "--out", tmp_path / "report.html").returncode == 0
    assert ulisse.run("predict", out, signal_table, "--draws", "5", "--out", tmp_path / "p.csv").returncode == 0


def test_a_lock_that_a_kill_has_left_is_none(ulisse, running):
    out, process = running
    time.sleep(0.5)
    process.kill()
    process.wait()
    assert (out / "fit.lock").exists()
    summary = ulisse.run("summary", out)
    assert "killed" in summary.stdout and "--resume" in summary.stdout
    assert json.loads(ulisse.run("summary", out, "--json").stdout)["status"] == "killed"
    assert ulisse.run("fit", "--resume", "--out", out, "--quiet", "--time-limit", "0.3s").returncode == 0
    assert not (out / "fit.lock").exists()


def test_a_fit_that_is_refused_for_another_changes_nothing(ulisse, signal_table, running):
    out, process = running
    stop(process)
    before = files_of(out)
    assert ulisse.run("fit", signal_table, "--target", "y", "--out", out, "--force", *MH).returncode == 2
    assert files_of(out) == before


@pytest.fixture(scope="module")
def without_locks(tmp_path_factory):
    """The environment of a file system that knows no locks."""
    if SANITIZED:
        pytest.skip("sanitizers want to be loaded first")
    import sys

    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "faults"))
    from inject import build_shim

    return {**os.environ, "LD_PRELOAD": str(build_shim(tmp_path_factory.mktemp("shim"))), "FAULTS_NO_LOCKS": "1"}


def test_where_there_are_no_locks_the_file_is_one(ulisse, signal_table, tmp_path, without_locks):
    out = tmp_path / "fit"
    common = ["fit", signal_table, "--target", "y", "--quiet", "--out", out, *MH]
    assert ulisse.run(*common, env=without_locks).returncode == 0
    assert not (out / "fit.lock").exists()
    lock = {"ulisse_fit_of_process": os.getpid(), "host": os.uname().nodename, "since": "2026-01-01 00:00:00 UTC"}
    # Somebody runs; somebody runs elsewhere, as far as one can know; nobody does.
    (out / "fit.lock").write_text(json.dumps(lock, separators=(",", ":")))
    refused = ulisse.run(*common, "--force", env=without_locks)
    assert refused.returncode == 2 and f"process {os.getpid()}" in refused.stderr and f"delete {out}/fit.lock" in refused.stderr
    (out / "fit.lock").write_text(json.dumps({**lock, "host": "elsewhere", "ulisse_fit_of_process": 4000000}, separators=(",", ":")))
    assert ulisse.run(*common, "--force", env=without_locks).returncode == 2
    (out / "fit.lock").write_text(json.dumps({**lock, "ulisse_fit_of_process": 4000000}, separators=(",", ":")))
    assert ulisse.run(*common, "--force", env=without_locks).returncode == 0
    assert not (out / "fit.lock").exists()
