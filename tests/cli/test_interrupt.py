"""Ctrl-C and a polite kill: how soon a run ends, what it leaves behind, and what the second one does."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest

from conftest import EXECUTABLE, MH, SANITIZED, draws_of, gamma_priors, write_signal

# From the signal to the end: less than 2 s on a machine that does nothing else.
MOST_SECONDS = 60 if SANITIZED else 2.5


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def heed_interrupts():
    """Whatever runs in the background of a shell ignores them, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments, **options):
    return subprocess.Popen([EXECUTABLE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, preexec_fn=heed_interrupts, **options)


def wait_for_processor(process, seconds):
    while process.poll() is None and processor_seconds(process.pid) < seconds:
        time.sleep(0.02)
    assert process.poll() is None, "the run ended before it was interrupted: " + process.stderr.read()


def seconds_to_end(process, number):
    """By the clock, or by the processor's time over the processors, whichever is less: other work on the machine counts
    for the first, and waiting would not count for the second."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    before = processor_seconds(process.pid)
    begin = time.monotonic()
    process.send_signal(number)
    process.output, process.errors = process.communicate(timeout=600)
    elapsed = time.monotonic() - begin
    all_of_them = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = all_of_them.ru_utime + all_of_them.ru_stime - others.ru_utime - others.ru_stime - before
    return min(elapsed, used / len(os.sched_getaffinity(0)) + 0.1 * elapsed)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return {rows: write_signal(folder / f"{rows}.csv", rows) for rows in (60, 1000, 3000, 6000)}


# Iterations of more than a second, soon after the start.
LONG_ITERATIONS = ["--sampler", "sgld", "--subset", "100", "--rank", "0", "--truncation", "none", "--probes", "rademacher",
                   "--probe-count", "2", "--backend", "dense", "--batch", "2", "--warmup", "2"]


# Rows, options, and the processor's seconds after which it is interrupted.
MOMENTS = [
    (3000, ["--sampler", "ulisse"], 2),
    (3000, ["--sampler", "ulisse", "--kernel", "rbf-ard"], 5),
    (6000, ["--sampler", "ulisse", "--subset", "200"], 4),
    (3000, ["--sampler", "nuts"], 3),
    (1000, ["--sampler", "mh"], 4),
    (6000, LONG_ITERATIONS, 3),
]


@pytest.mark.parametrize("rows, options, seconds", MOMENTS, ids=lambda v: "_".join(v) if isinstance(v, list) else str(v))
def test_an_interrupt_in_a_set_up_took_nine_seconds(tables, tmp_path, rows, options, seconds):
    run = start("fit", tables[rows], "--target", "y", "--out", tmp_path / "fit", "--draws", "1000000", *options)
    wait_for_processor(run, seconds)
    assert seconds_to_end(run, signal.SIGINT) < MOST_SECONDS
    assert run.returncode == 130, run.errors
    assert json.loads((tmp_path / "fit" / "fit.json").read_text())["status"] == "interrupted"


def test_after_many_draws_an_interrupt_does_not_wait_for_their_summary(tables, tmp_path):
    run = start("fit", tables[60], "--target", "y", "--sampler", "mh", "--draws", "100000000", "--out", tmp_path / "fit")
    wait_for_processor(run, 20)
    assert seconds_to_end(run, signal.SIGINT) < MOST_SECONDS
    assert run.returncode == 130
    draws = json.loads((tmp_path / "fit" / "fit.json").read_text())["draws"]
    assert draws > 20000 and run.output == "" and "ulisse summary" in run.errors


def test_a_long_iteration_that_is_stopped_goes_on_as_if_it_had_not_been(ulisse, tables, tmp_path):
    fit = ["fit", tables[3000], "--target", "y", *LONG_ITERATIONS, "--chains", "1", "--iterations", "8", "--threads", "1", *gamma_priors()]
    assert ulisse.run(*fit, "--out", tmp_path / "whole").returncode == 0
    run = start(*fit, "--out", tmp_path / "fit")
    wait_for_processor(run, 2)
    assert seconds_to_end(run, signal.SIGTERM) < MOST_SECONDS
    assert run.returncode == 130, run.errors
    assert ulisse.run(*fit, "--out", tmp_path / "fit", "--resume").returncode == 0
    assert draws_of(tmp_path / "fit") == draws_of(tmp_path / "whole")


# It once took the first signal for nothing while it made samples, and wrote its file.
@pytest.mark.parametrize("rows, more", [(6000, ["--draws", "800"]), (60, ["--samples", "1000000"])])
def test_predict_ends_soon_and_writes_nothing(ulisse, tables, tmp_path, rows, more):
    assert ulisse.run("fit", tables[60], "--target", "y", *MH, "--out", tmp_path / "fit", "--quiet").returncode == 0
    run = start("predict", tmp_path / "fit", tables[rows], *more, "--out", tmp_path / "predictions.csv")
    wait_for_processor(run, 1)
    assert seconds_to_end(run, signal.SIGINT) < MOST_SECONDS
    assert run.returncode == 130
    assert not (tmp_path / "predictions.csv").exists()


OTHERS = [
    (["map", None, "--target", "y"], signal.SIGINT),
    (["bench", "products", "--n", "20000", "--backends", "reference"], signal.SIGTERM),
    (["bench", "solve", None, "--target", "y", "--theta", "1,1,1e-6", "--preconditioners", "none"], signal.SIGINT),
    (["bench", "sample", None, "--target", "y"], signal.SIGTERM),
]


@pytest.mark.parametrize("command, number", OTHERS)
def test_every_command_ends_soon(tables, command, number):
    run = start(*[tables[6000] if each is None else each for each in command])
    wait_for_processor(run, 1.5)
    assert seconds_to_end(run, number) < MOST_SECONDS
    assert run.returncode in (130, -number)


def catches(pid, number):
    """Whether the process has a handler of its own for this signal."""
    try:
        with open(f"/proc/{pid}/status") as file:
            mask = next(line for line in file if line.startswith("SigCgt:"))
    except (OSError, StopIteration):
        return False
    return bool(int(mask.split()[1], 16) >> (number - 1) & 1)


@pytest.mark.parametrize("first, second", [(signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGTERM),
                                           (signal.SIGTERM, signal.SIGINT)])
def test_the_second_signal_always_ends_the_program(tables, tmp_path, first, second):
    """After the first it catches neither, so that the system ends it, whatever it is doing."""
    run = start("fit", tables[3000], "--target", "y", "--sampler", "ulisse", "--out", tmp_path / "fit")
    wait_for_processor(run, 1)
    assert catches(run.pid, first) and catches(run.pid, second)
    run.send_signal(first)
    deadline = time.monotonic() + 30
    while run.poll() is None and catches(run.pid, second):
        assert time.monotonic() < deadline
    run.send_signal(second)
    run.communicate(timeout=60)
    assert run.returncode in (-second, 130)


def test_two_signals_end_a_program_that_waits_for_its_input(ulisse, signal_table, tmp_path):
    assert ulisse.run("fit", signal_table, "--target", "y", *MH, "--out", tmp_path / "fit", "--quiet").returncode == 0
    run = start("predict", tmp_path / "fit", "-", "--out", tmp_path / "p.csv", stdin=subprocess.PIPE)
    time.sleep(0.5)
    for _ in range(2):
        if run.poll() is None:
            run.send_signal(signal.SIGTERM)
        time.sleep(0.2)
    assert run.wait(timeout=20) in (130, -signal.SIGTERM)
    run.stdin.close()
