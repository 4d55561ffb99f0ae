"""Little memory: a sentence, not a run that never ends."""

import resource

import pytest

from conftest import SANITIZED

pytestmark = pytest.mark.skipif(SANITIZED, reason="sanitizers reserve terabytes of address space")


def limited_to(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 10**6, megabytes * 10**6))

    return limit


# OpenBLAS, which asks again and again for memory that there is not, went on for ever in most of these.
@pytest.mark.parametrize("megabytes", [100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 800])
@pytest.mark.parametrize("command", ["fit", "map"])
def test_openblas_waited_for_memory_for_ever(ulisse, signal_table, tmp_path, command, megabytes):
    more = ["--sampler", "mh", "--draws", "20", "--warmup", "20", "--out", tmp_path / "fit"] if command == "fit" else []
    result = ulisse.run(command, signal_table, "--target", "y", "--threads", "2", "--quiet", *more,
                        preexec_fn=limited_to(megabytes))
    assert result.returncode in (0, 1, 2, 127), result.stderr
    if result.returncode in (1, 2):
        assert result.stderr.startswith("ulisse: ") and len(result.stderr.splitlines()) == 1
        assert "memory" in result.stderr
    if result.returncode == 127:  # not even the libraries fit
        assert "loading shared libraries" in result.stderr


def test_a_low_limit_is_said(ulisse, signal_table):
    result = ulisse.run("map", signal_table, "--target", "y", preexec_fn=limited_to(200))
    assert result.returncode == 2 and "ulimit -v" in result.stderr


def test_what_a_limit_leaves_is_what_is_available(ulisse, table):
    rows = "".join(f"{i * 7919 % 6007},{i % 97}\n" for i in range(10000))
    result = ulisse.run("map", table("a,y\n" + rows), "--target", "y", "--threads", "1", preexec_fn=limited_to(1000))
    assert result.returncode == 2
    assert "the exact likelihood of 10000 rows needs 800.0 MB of memory" in result.stderr
