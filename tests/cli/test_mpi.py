"""Fits by several processes of MPI: the draws of one process, whatever becomes of the others."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

from conftest import EXECUTABLE, gamma_priors

MPIRUN = shutil.which("mpirun")
linked = subprocess.run(["ldd", EXECUTABLE], capture_output=True, text=True).stdout
pytestmark = pytest.mark.skipif(MPIRUN is None or "libmpi" not in linked, reason="built without MPI, or no mpirun")

# Every table is shared, however small; the same bits on the processes of one machine need no more.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "ULISSE_LEAST_ROWS": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}
LANGEVIN = ("--sampler", "ulisse", "--chains", 2, "--warmup", 6, "--step", 1, "--draws", 6, "--seed", 3, "--quiet", "--backend", "dense", "--threads", 1)


def mpirun(processes, *arguments, prefix=()):
    return [MPIRUN, "-n", str(processes), "--oversubscribe", "--bind-to", "none", *prefix, EXECUTABLE, *map(str, arguments)]


def run(processes, *arguments, timeout=120, **environment):
    command = mpirun(processes, *arguments) if processes > 1 else [EXECUTABLE, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, env={**ENVIRONMENT, **environment})


def workers(launcher):
    """The processes that mpirun started, in the order of their ranks."""
    children = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(launcher.pid)], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in children.splitlines() if line.split()[1].startswith("ulisse")]


def draws(folder):
    return [[line for line in (folder / f"chain_{c}.csv").read_text().splitlines() if not line.startswith("#")] for c in (1, 2)]


def fit_options(table, out, *more):
    return ("fit", table, "--target", "y", "--out", out, *LANGEVIN, *gamma_priors(), *more)


def with_draws(count, arguments):
    words = [*map(str, arguments)]
    words[words.index("--draws") + 1] = str(count)
    return words


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A table, and the draws of one process."""
    place = tmp_path_factory.mktemp("alone")
    lines = ["a,b,y", *(f"{i % 17},{i * 7 % 23},{(i % 17) ** 2 / 50 + (i * 7 % 23) / 9 + i * i % 5 / 9}" for i in range(320))]
    table = place / "table.csv"
    table.write_text("\n".join(lines) + "\n")
    result = run(1, *fit_options(table, place / "fit"))
    assert result.returncode == 0, result.stderr
    return table, draws(place / "fit")


@pytest.mark.parametrize("processes", [2, 3])
def test_several_processes_give_the_draws_of_one(alone, tmp_path, processes):
    table, expected = alone
    result = run(processes, *fit_options(table, tmp_path / "fit"))
    assert result.returncode == 0, result.stderr
    assert draws(tmp_path / "fit") == expected
    assert result.stdout.count("draws and settings are in") == 1


def test_a_fit_goes_on_with_another_number_of_processes(alone, tmp_path):
    table, expected = alone
    out = tmp_path / "fit"
    assert run(3, *with_draws(3, fit_options(table, out))).returncode == 0
    assert run(2, *fit_options(table, out, "--resume")).returncode == 0
    assert draws(out) == expected


def test_a_set_up_whose_gradients_run_side_by_side_gives_the_same_draws(alone, tmp_path):
    table, _ = alone
    options = ("fit", table, "--target", "y", "--sampler", "ulisse", "--backend", "dense", "--chains", 2, "--warmup", 20, "--draws", 10, "--threads", 2, "--quiet")
    for processes in (1, 2):
        assert run(processes, *options, "--out", tmp_path / str(processes), timeout=600).returncode == 0
    assert draws(tmp_path / "1") == draws(tmp_path / "2")


def test_predictions_are_those_of_one_process(alone, tmp_path):
    table, _ = alone
    assert run(1, "fit", table, "--target", "y", "--out", tmp_path / "fit", "--sampler", "mh", "--chains", 2, "--warmup", 10, "--draws", 5, "--quiet").returncode == 0
    for processes in (1, 2):
        result = run(processes, "predict", tmp_path / "fit", table, "--method", "iterative", "--draws", 2, "--out", tmp_path / f"{processes}.csv")
        assert result.returncode == 0, result.stderr
    assert (tmp_path / "1.csv").read_text() == (tmp_path / "2.csv").read_text()


def start(processes, table, out, **environment):
    """A fit that draws for a long time, once it draws."""
    arguments = with_draws(100_000, fit_options(table, out))
    process = subprocess.Popen(mpirun(processes, *arguments), env={**ENVIRONMENT, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (out / "chain_1.csv").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def ends_within(process, seconds):
    try:
        process.wait(timeout=seconds)
        return True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return False


@pytest.mark.parametrize("rank", [0, 1])
def test_a_killed_process_ends_all_and_the_fit_goes_on(alone, tmp_path, rank):
    table, expected = alone
    out = tmp_path / "fit"
    process = start(2, table, out)
    others = workers(process)
    os.kill(others[rank], signal.SIGKILL)
    assert ends_within(process, 10)
    assert process.returncode != 0
    time.sleep(0.5)
    assert not any(pathlib.Path(f"/proc/{pid}").exists() and "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text() for pid in others)
    result = run(3, *with_draws(100_000, fit_options(table, out, "--resume", "--time-limit", "2s")))
    assert result.returncode in (0, 130), result.stderr
    for found, first in zip(draws(out), expected):
        shared = min(len(found), len(first))
        assert shared > 1 and found[:shared] == first[:shared]


def test_a_killed_launcher_leaves_no_process_behind(alone, tmp_path):
    table, _ = alone
    process = start(2, table, tmp_path / "fit")
    others = workers(process)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(pathlib.Path(f"/proc/{pid}").exists() for pid in others):
        time.sleep(0.1)
    assert not any(pathlib.Path(f"/proc/{pid}").exists() for pid in others)


def test_a_stop_file_ends_all_gracefully(alone, tmp_path):
    table, _ = alone
    out = tmp_path / "fit"
    process = start(2, table, out)
    (out / "stop").touch()
    assert ends_within(process, 15)
    assert json.loads((out / "fit.json").read_text())["status"] == "interrupted"
    assert not (out / "stop").exists()


def test_bad_input_is_refused_once(tmp_path):
    result = run(2, "fit", tmp_path / "nowhere.csv", "--target", "y")
    assert result.returncode == 2
    assert sum(line.startswith("ulisse: ") for line in result.stderr.splitlines()) == 1


def test_help_is_shown_once():
    result = run(2, "fit", "--help")
    assert result.returncode == 0
    assert result.stdout.count("--target") == run(1, "fit", "--help").stdout.count("--target")


def test_a_process_that_hangs_is_noticed(alone, tmp_path):
    table, _ = alone
    process = start(2, table, tmp_path / "fit", ULISSE_PATIENCE="2")
    hanging = workers(process)[1]
    os.kill(hanging, signal.SIGSTOP)
    try:
        assert ends_within(process, 15)
    finally:
        if pathlib.Path(f"/proc/{hanging}").exists():
            os.kill(hanging, signal.SIGKILL)
    assert "has not answered for 2 s" in process.stderr.read()


def test_products_say_how_they_were_shared():
    result = run(2, "bench", "products", "--n", 4000, "--repeats", 1, "--backends", "dense", "--json", "--quiet")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["processes"] == 2
    assert found["bytes_sent"] > 4000 * 8 * 8
    assert 0 <= found["share_waiting"] <= 1


def test_one_process_started_by_mpirun_is_alone(alone):
    result = subprocess.run([MPIRUN, "-n", "1", EXECUTABLE, "bench", "products", "--n", "100", "--repeats", "1", "--json", "--quiet"], capture_output=True, text=True, env=ENVIRONMENT, timeout=60)
    assert json.loads(result.stdout)["processes"] == 1
