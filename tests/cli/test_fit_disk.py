"""ulisse fit where it cannot write: a full disk, a file that may not grow, a read-only folder."""

import json
import os
import resource
import shutil
import signal
import subprocess

import pytest

from conftest import draws_of

FITS = {
    "mh": ["--sampler", "mh", "--warmup", "2000", "--draws", "30000", "--chains", "2"],
    "nuts": ["--sampler", "nuts", "--warmup", "150", "--draws", "3000", "--chains", "2"],
    "sgld": ["--sampler", "sgld", "--warmup", "200", "--draws", "6000", "--chains", "2", "--rank", "20"],
}


class Fit:
    """One fit, in a folder of its own, that is run again and again."""

    def __init__(self, ulisse, table, out, options):
        self.ulisse, self.out = ulisse, out
        self.arguments = ["fit", table, "--target", "y", "--quiet", "--out", out, *options]

    def run(self, *more, **how):
        return self.ulisse.run(*self.arguments, *more, **how)

    def start(self):
        """Leaves a fit that is some way into its draws, on slow machines and on fast ones."""
        resume, limit = [], 0.1
        while not (self.out / "chain_1.csv").exists():
            result = self.run("--time-limit", f"{limit}s", *resume)
            assert result.returncode == 0, result.stderr
            resume, limit = ["--resume"], 2 * limit
        assert self.status() == "interrupted"

    def status(self):
        return json.loads((self.out / "fit.json").read_text())["status"]

    def checkpoint(self):
        return (self.out / "checkpoint").read_bytes()

    def fails(self, reason, *more, **how):
        """A run that must say in one sentence which file it could not write, and why."""
        result = self.run(*more, **how)
        assert result.returncode == 1, result.stderr
        assert result.stdout == ""
        lines = result.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith(f"ulisse: {self.out}"), lines
        assert reason in lines[0]
        assert not list(self.out.glob("*.new"))
        return lines[0]

    def goes_on(self, whole):
        """--resume, with room again, gives the draws that nothing had interrupted."""
        result = self.run("--resume")
        assert result.returncode == 0, result.stderr
        assert self.status() == "complete"
        assert draws_of(self.out) == draws_of(whole)


@pytest.fixture
def whole(ulisse, signal_table, tmp_path):
    """The folder of an uninterrupted fit."""

    def run(options):
        fit = Fit(ulisse, signal_table, tmp_path / "whole", options)
        assert fit.run().returncode == 0
        return fit.out

    return run


def at_most(size):
    """No file may grow beyond this, which looks to a program like a full disk."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return {"preexec_fn": limit}


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 16 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("only root may mount a small disk, and not everywhere")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def fill(disk, left):
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    (disk / "filler").write_bytes(bytes(free - left))


@pytest.mark.parametrize("sampler", FITS)
def test_a_full_disk_costs_nothing_that_a_checkpoint_has(ulisse, signal_table, whole, small_disk, sampler):
    fit = Fit(ulisse, signal_table, small_disk / "fit", FITS[sampler])
    fit.start()
    before = fit.checkpoint()
    fill(small_disk, left=24576)
    assert "--resume goes on" in fit.fails("No space left on device", "--resume")
    assert fit.status() == "interrupted" and len(fit.checkpoint()) == len(before)
    (small_disk / "filler").unlink()
    fit.goes_on(whole(FITS[sampler]))


def test_a_disk_that_is_full_from_the_start_leaves_nothing_to_clean_up(ulisse, signal_table, whole, small_disk):
    fit = Fit(ulisse, signal_table, small_disk / "fit", FITS["nuts"])
    fit.out.mkdir()
    fill(small_disk, left=0)
    assert "fit.lock: cannot write" in fit.fails("No space left on device")
    (small_disk / "filler").unlink()
    assert fit.run().returncode == 0
    assert draws_of(fit.out) == draws_of(whole(FITS["nuts"]))


@pytest.mark.parametrize("sampler", FITS)
def test_files_that_may_not_grow_are_like_a_full_disk(ulisse, signal_table, whole, tmp_path, sampler):
    fit = Fit(ulisse, signal_table, tmp_path / "fit", FITS[sampler])
    fit.start()
    size = max((fit.out / name).stat().st_size for name in ["chain_1.csv", "checkpoint"])
    for room in [10, 5000]:
        words = fit.fails("File too large", "--resume", **at_most(size + room))
        assert ".csv: cannot write" in words
    fit.goes_on(whole(FITS[sampler]))


def test_a_disk_that_is_full_at_the_last_line_loses_no_draw(ulisse, signal_table, whole, tmp_path):
    done = whole(FITS["nuts"])
    text = (done / "chain_1.csv").read_bytes()
    fit = Fit(ulisse, signal_table, tmp_path / "fit", FITS["nuts"])
    # The other chain's file may be longer, and then it ends some draws before its end.
    fit.fails("File too large", **at_most(text.index(b"# \n#  Elapsed Time") + 9))
    fit.goes_on(done)


@pytest.fixture
def bound_by_permissions(ulisse):
    """Permissions do not bind root, unless it gives up the right to override them."""
    if os.geteuid() != 0:
        return ulisse
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
    if shutil.which("setpriv") is None or subprocess.run([*drop, "true"], capture_output=True).returncode != 0:
        pytest.skip("root may write to read-only folders, and cannot give that up here")

    class Bound(type(ulisse)):
        prefix = drop

    return Bound()


def test_a_read_only_place_is_said_before_the_work(bound_by_permissions, signal_table, tmp_path):
    place = tmp_path / "place"
    place.mkdir(mode=0o555)
    fit = Fit(bound_by_permissions, signal_table, place / "fit", FITS["nuts"])
    assert "cannot make the folder" in fit.fails("Permission denied")
    (place / "fit").parent.chmod(0o755)
    (place / "fit").mkdir(mode=0o555)
    assert "fit.lock: cannot create" in fit.fails("Permission denied")


def test_a_folder_made_read_only_can_be_resumed_when_it_is_not(bound_by_permissions, signal_table, whole, tmp_path):
    fit = Fit(bound_by_permissions, signal_table, tmp_path / "fit", FITS["nuts"])
    fit.start()
    before = fit.checkpoint()
    fit.out.chmod(0o555)
    fit.fails("Permission denied", "--resume")
    assert "fit.lock: cannot create" in fit.fails("Permission denied", "--force")
    assert fit.checkpoint() == before
    fit.out.chmod(0o755)
    fit.goes_on(whole(FITS["nuts"]))
