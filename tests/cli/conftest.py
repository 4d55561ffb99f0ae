"""Runs the executable the way a user does. ULISSE names it; default build/ulisse."""

import json
import os
import pathlib
import random
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXECUTABLE = os.environ.get("ULISSE", str(ROOT / "build" / "ulisse"))
CONCRETE = str(ROOT / "data" / "concrete.csv")
SANITIZED = "ULISSE_SANITIZED" in os.environ  # the executable has sanitizers in it, and is some twenty times slower


def gamma_priors(*but_for):
    """Options for Gamma(1, 1) on each parameter, with which numbers in tests were found."""
    return [word for name in ("sigma", "tau", "lambda") if name not in but_for for word in ("--prior", f"{name}=gamma(1,1)")]


class Ulisse:
    prefix = []  # what stands before the executable

    def run(self, *arguments, **options):
        command = [*self.prefix, EXECUTABLE, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=3600 if SANITIZED else 600, **options)

    def output(self, *arguments):
        """Standard output of a run that must succeed without a word on standard error."""
        # Progress is shown after two seconds, which a busy machine may take for anything.
        quiet = ("--quiet",) if arguments[:1] == ("map",) else ()
        result = self.run(*arguments, *quiet)
        assert result.returncode == 0, result.stderr
        assert result.stderr == ""
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.output(*arguments, "--json"))

    def first_line_of_progress(self, *arguments, containing):
        """The first such line on standard error; the run is then ended."""
        command = [EXECUTABLE, *map(str, arguments)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            try:
                return next((line for line in process.stderr if containing in line), None)
            finally:
                process.kill()

    def refusal(self, *arguments):
        """The one sentence with which bad input is refused."""
        lines = self.refusal_lines(*arguments)
        assert len(lines) == 1, lines
        return lines[0]

    def usage_error(self, *arguments):
        """What is wrong with a command line; a second line says where to find help."""
        lines = self.refusal_lines(*arguments)
        assert len(lines) == 2, lines
        assert "--help" in lines[1]
        return lines[0]

    def refusal_lines(self, *arguments):
        result = self.run(*arguments)
        assert result.returncode == 2, (result.returncode, result.stderr)
        assert result.stdout == ""
        assert result.stderr.startswith("ulisse: ")
        return result.stderr.splitlines()


@pytest.fixture
def ulisse():
    return Ulisse()


@pytest.fixture
def concrete():
    return CONCRETE


@pytest.fixture
def table(tmp_path):
    """Writes a file with the given text (or bytes) and returns its path."""

    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def write_signal(path, rows):
    source = random.Random(1)
    lines = ["a,b,y"]
    for _ in range(rows):
        a, b = source.gauss(0, 1), source.gauss(0, 1)
        lines.append(f"{a},{b},{a * a + 0.5 * b + source.gauss(0, 0.2)}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def signal_table(tmp_path):
    """A small table with a signal in it, for fits."""
    return write_signal(tmp_path / "table.csv", 60)


@pytest.fixture
def larger_table(tmp_path):
    """The same with more rows than those in which steps of ulisse are exact."""
    return write_signal(tmp_path / "table.csv", 320)


# Short fits of the small table.
MH = ["--sampler", "mh", "--warmup", "100", "--draws", "200"]
NUTS = ["--sampler", "nuts", "--warmup", "40", "--draws", "60", "--chains", "2"]
SGLD = ["--sampler", "sgld", "--warmup", "200", "--draws", "300", "--chains", "2", "--rank", "20", *gamma_priors()]
ULISSE = ["--sampler", "ulisse", "--warmup", "40", "--draws", "60", "--chains", "2", "--rank", "20", "--step", "1.5", *gamma_priors()]
AVERAGED = [*ULISSE, "--trace", "probes", "--trace-error", "0.02"]  # no exact gradient at the mode
# A gradient at the mode that is known so badly that chains go on to improve it.
IMPROVING = ["--sampler", "ulisse", "--warmup", "5", "--chains", "2", "--step", "1.5", "--trace", "probes", "--trace-probes", "32", "--bank", "32",
             *gamma_priors()]
SKEWED = [*ULISSE, "--kernel", "rbf-ard"]  # with fresh probes, in coordinates of its own


def draws_of(folder):
    """The rows of every chain of a fit, and of its warm-up where that was saved, without what tells the time."""
    chains = {}
    for path in sorted([*folder.glob("chain_*.csv"), *folder.glob("warmup_*.csv")]):
        chains[path.name] = [row for row in path.read_text().splitlines() if not row.startswith("#")]
    return chains
