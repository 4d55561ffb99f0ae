"""What script/inject-faults runs. ULISSE names the executable; default build/ulisse."""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXECUTABLE = os.environ.get("ULISSE", str(HERE.parents[1] / "build" / "ulisse"))
CHANGES = {"create", "write", "rename", "link", "unlink", "remove", "rmdir", "mkdir", "ftruncate", "ftruncate64", "fsync", "fdatasync"}
SETUP = {f"setup_{stage}" for stage in ("first_mode", "mode", "anchor", "curvature", "trace", "survey", "coordinates", "plan")}
OF_A_FIT = {"fit.json", "checkpoint", "data.csv", "chain_1.csv", "chain_2.csv"} | SETUP
MH = ["--sampler", "mh", "--warmup", "6", "--chains", "2"]
EXACT = ["--sampler", "ulisse", "--warmup", "6", "--chains", "2"]  # with files of a set-up


class Broken(Exception):
    """Something did not hold after a fault."""


def require(holds, words):
    if not holds:
        raise Broken(words)


def build_shim(folder):
    """The library that makes the faults."""
    library = pathlib.Path(folder) / "faults.so"
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "faults.cc"), "-ldl"], check=True)
    return library


def write_table(path, seed, rows=14):
    source = random.Random(seed)
    lines = ["x,y"]
    for _ in range(rows):
        x = source.gauss(0, 1)
        lines.append(f"{x!r},{x * x + source.gauss(0, 0.3)!r}")
    path.write_text("\n".join(lines) + "\n")
    return path


def draws_of(folder):
    """The rows of each chain that are whole."""
    chains = {}
    for path in sorted(folder.glob("chain_*.csv")):
        whole = path.read_text().rpartition("\n")[0]
        chains[path.name] = [row for row in whole.splitlines() if not row.startswith("#")]
    return chains


class Lab:
    """Runs the executable in a folder of its own, with faults or without."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.shim = build_shim(self.folder)
        self.table = write_table(self.folder / "table.csv", 1)
        self.other_table = write_table(self.folder / "other.csv", 2)
        self.runs = 0

    def run(self, *arguments, **faults):
        self.runs += 1
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        if faults:
            environment |= {"LD_PRELOAD": str(self.shim), **{f"FAULTS_{name.upper()}": str(value) for name, value in faults.items()}}
        return subprocess.run([EXECUTABLE, *map(str, arguments)], capture_output=True, text=True, env=environment, timeout=120)

    def succeed(self, *arguments):
        result = self.run(*arguments)
        require(result.returncode == 0, f"{' '.join(map(str, arguments))}: exit code {result.returncode}: {result.stderr.strip()}")
        return result.stdout

    def fit(self, out, *more, table=None):
        return self.succeed("fit", table or self.table, "--target", "y", "--quiet", "--threads", "1", "--out", out, *more)


class Scenario:
    """A command on a folder, the faults in it, and what must hold after each."""

    def __init__(self, lab, name, options):
        self.lab, self.options = lab, options
        self.name = f"{name}, {options[1]}"
        self.out = lab.folder / "fit"
        self.before = lab.folder / "before"
        for path in [self.before, self.out]:
            shutil.rmtree(path, ignore_errors=True)
        self.prepare()

    def expected(self, name, *more, table=None):
        """The draws of a fit that nothing interrupts."""
        out = self.lab.folder / "expected"
        shutil.rmtree(out, ignore_errors=True)
        self.lab.fit(out, *self.options, *more, table=table)
        return draws_of(out), (out / "data.csv").read_bytes()

    def reset(self):
        shutil.rmtree(self.out, ignore_errors=True)
        if self.before.exists():
            shutil.copytree(self.before, self.out)

    def operations(self):
        """Their names, in the order in which the command does them."""
        log = self.lab.folder / "log"
        log.unlink(missing_ok=True)
        self.reset()
        result = self.lab.run(*self.command(), under=self.out, log=log)
        require(result.returncode == 0, f"{self.name}: without a fault: {result.stderr}")
        return [line.split()[1:] for line in log.read_text().splitlines()]

    def check(self, number, kind):
        self.reset()
        result = self.lab.run(*self.command(), under=self.out, at=number, kind=kind)
        if kind == "kill":
            require(result.returncode == -signal.SIGKILL, f"exit code {result.returncode} instead of a kill")
        elif result.returncode != 0:
            lines = result.stderr.splitlines()
            require(result.returncode in (1, 2) and len(lines) == 1 and lines[0].startswith("ulisse: "), f"{result.returncode}: {result.stderr}")
        self.hold(result)
        names = self.not_of_a_fit()
        if kind == "EIO" and ".moved-in" in names:  # which could not be deleted: the next that writes there does
            self.resume("--draws", "20")
            names = self.not_of_a_fit()
        require(names == self.others(), f"left in the folder: {names}")

    def not_of_a_fit(self):
        return {path.name for path in self.out.iterdir()} - OF_A_FIT

    def others(self):
        return set()

    def resume(self, *more):
        self.lab.succeed("fit", "--resume", "--out", self.out, "--quiet", "--threads", "1", *more)
        return draws_of(self.out), (self.out / "data.csv").read_bytes()


class Fresh(Scenario):
    def prepare(self):
        self.whole = self.expected("whole", "--draws", "8")

    def command(self):
        return ["fit", self.lab.table, "--target", "y", "--quiet", "--threads", "1", "--out", self.out, *self.options, "--draws", "8"]

    def hold(self, result):
        if (self.out / "fit.json").exists():
            self.lab.succeed("summary", self.out)
            require(self.resume() == self.whole, "--resume gives other draws")
        else:
            require(result.returncode != 0, "there is no fit, and the exit code is 0")
            self.lab.fit(self.out, *self.options, "--draws", "8")
            require(draws_of(self.out) == self.whole[0], "the same command gives other draws")


class Resumed(Scenario):
    def prepare(self):
        self.lab.fit(self.before, *self.options, "--draws", "8")
        self.old = draws_of(self.before)
        self.whole = self.expected("whole", "--draws", "14")

    def command(self):
        return ["fit", "--resume", "--out", self.out, "--quiet", "--threads", "1", "--draws", "14"]

    def hold(self, result):
        self.lab.succeed("summary", self.out)
        now = draws_of(self.out)
        for name, rows in self.old.items():
            require(now[name][: len(rows)] == rows, f"{name}: draws are lost or changed")
        require(self.resume("--draws", "14") == self.whole, "--resume gives other draws")


class Replaced(Scenario):
    """By a fit of another table, in a folder with files of the user's."""

    def prepare(self):
        self.lab.fit(self.before, *self.options, "--draws", "8")
        (self.before / "mine.txt").write_text("keep")
        (self.before / "notes").mkdir()
        (self.before / "notes" / "too.txt").write_text("keep")
        self.files = {name: (self.before / name).read_bytes() for name in OF_A_FIT if (self.before / name).exists()}
        self.old = self.expected("old", "--draws", "8")
        self.longer = self.expected("old", "--draws", "11")
        self.new = self.expected("new", "--draws", "9", table=self.lab.other_table)

    def command(self):
        return ["fit", self.lab.other_table, "--target", "y", "--quiet", "--threads", "1", "--out", self.out, *self.options, "--draws", "9", "--force"]

    def others(self):
        return {"mine.txt", "notes"}

    def hold(self, result):
        require((self.out / "mine.txt").read_text() == "keep" and (self.out / "notes" / "too.txt").read_text() == "keep", "the user's files are gone")
        summary = json.loads(self.lab.succeed("summary", self.out, "--json"))
        moving = self.out / ".moving-in" / "fit.json"
        fit = json.loads((moving if moving.exists() else self.out / "fit.json").read_text())
        if fit["settings"]["draws"] == 9:
            require(self.resume() == self.new, "the new fit gives other draws")
            return
        require(summary["draws"] == 8 and summary["status"] == "complete", f"the old fit has {summary['draws']} draws, {summary['status']}")
        for name, content in self.files.items():
            require((self.out / name).read_bytes() == content, f"{name} of the old fit has changed")
        require(self.resume() == self.old, "the old fit gives other draws")
        require(self.resume("--draws", "11") == self.longer, "the old fit goes on to other draws")


def points(operations, kind, share, source):
    """Where to put faults: a kill where nothing is changed is no other than the next."""
    numbers = [n for n, (name, *_) in enumerate(operations, 1) if name in CHANGES or kind == "EIO"]
    return numbers if share == 1 else sorted(source.sample(numbers, max(1, round(share * len(numbers)))))


def run(lab, scenario, kinds, share, source):
    """Prints what did not hold, and returns how many of how many that were."""
    operations, failed, done = scenario.operations(), 0, 0
    for kind in kinds:
        for number in points(operations, kind, share, source):
            done += 1
            try:
                scenario.check(number, kind)
            except Broken as broken:
                failed += 1
                print(f"{scenario.name}: {kind} at operation {number} ({' '.join(operations[number - 1])}): {broken}", flush=True)
    print(f"{scenario.name}: {' and '.join(kinds)} at {done} of {len(operations) * len(kinds)} points, {failed} did not hold", flush=True)
    return failed, done


def main():
    parser = argparse.ArgumentParser(prog="script/inject-faults")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = random.Random(options.seed)
    everything = ["kill", "EIO", "ENOSPC"]
    failed = done = 0
    with tempfile.TemporaryDirectory(prefix="ulisse-faults-") as folder:
        lab = Lab(folder)
        for settings in [MH, EXACT]:
            # Draws that are added to a complete fit are the harder case of --resume: fit.json says that all are there.
            for kind in [Fresh, Resumed, Replaced]:
                scenario = kind(lab, kind.__name__.lower(), settings)
                plans = [(everything, 1)]
                if options.quick:
                    plans = [(everything, 0.05)]
                    if kind is Replaced and settings is MH:
                        plans = [(["kill"], 1), (["EIO", "ENOSPC"], 0.05)]
                for kinds, share in plans:
                    result = run(lab, scenario, kinds, share, source)
                    failed, done = failed + result[0], done + result[1]
        print(f"{done} faults, {lab.runs} runs: {'all holds' if failed == 0 else f'{failed} did not hold'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
