"""What the experiments share: options, data, tables whose header says how to repeat them, figures."""

import argparse
import csv
import hashlib
import pathlib
import subprocess
import sys
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "build" / "python"))

try:
    import matplotlib
    import numpy as np

    import ulisse
except ImportError as missing:
    sys.exit(f"{missing}; run script/bootstrap --tests and script/build first")

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "ulisse", "svg.fonttype": "none", "axes.grid": True, "grid.alpha": 0.3, "legend.fontsize": 8,
                            "axes.spines.top": False, "axes.spines.right": False, "font.size": 9})
from matplotlib import pyplot  # noqa: E402 (the backend must be chosen first)

warnings.filterwarnings("ignore", message="the solve did not converge")  # tables say how a solve ended

PROGRAM = ROOT / "build" / "ulisse"


class Experiment:
    """One of the paper's figures: its options, and where its table and its figure go."""

    def __init__(self, name, about, add_options=lambda parser: None):
        parser = argparse.ArgumentParser(prog=f"experiments/{name}", description=about)
        parser.add_argument("--quick", action="store_true", help="a small version in seconds, which shows that it works")
        parser.add_argument("--out", type=pathlib.Path, help="folder; default docs/evidence/paper, or build/experiments with --quick")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--threads", type=int, default=2)
        add_options(parser)
        self.options = parser.parse_args()
        self.name, self.quick = name, self.options.quick
        self.random = np.random.default_rng(self.options.seed)
        self.header = {"experiment": name, "ulisse_version": ulisse.__version__, "quick": int(self.quick), "seed": self.options.seed,
                       "threads": self.options.threads}
        self.started = self.told = time.monotonic()

    @property
    def out(self):
        folder = self.options.out or (ROOT / "build" / "experiments" if self.quick else ROOT / "docs" / "evidence" / "paper")
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def concrete(self, quick_rows=150):
        """Concrete, z-scored; some of its rows with --quick."""
        path = ROOT / "data" / "concrete.csv"
        table = np.genfromtxt(path, delimiter=",", skip_header=1)
        if self.quick:
            table = table[np.random.default_rng(1).choice(len(table), quick_rows, replace=False)]
        table = (table - table.mean(axis=0)) / table.std(axis=0, ddof=1)
        self.header |= {"data": path.name, "data_sha256": fingerprint(path), "n": len(table), "d": table.shape[1] - 1}
        return np.asfortranarray(table[:, :-1]), table[:, -1].copy()

    def tell(self, what):
        """Progress, at most every two seconds."""
        if time.monotonic() - self.told > 2:
            self.told = time.monotonic()
            print(f"{self.name}: after {self.told - self.started:.0f} s: {what}", file=sys.stderr, flush=True)

    def write(self, rows, name=None, **parameters):
        """A table of dictionaries, with the settings above it."""
        path = self.out / f"{name or self.name}.csv"
        with open(path, "w", newline="") as file:
            for key, value in (self.header | parameters).items():
                file.write(f"# {key} = {value}\n")
            writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()} for row in rows)
        print(path)

    def draw(self, figure):
        path = self.out / f"{self.name}.svg"
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)
        print(path)

    def run(self, *arguments):
        """The command line, which must succeed (as it does at a time limit); its summary is in the folder that it writes."""
        command = [str(PROGRAM), *map(str, arguments), "--threads", str(self.options.threads)]
        print("ulisse " + " ".join(command[1:]), file=sys.stderr, flush=True)
        ended = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        if ended.returncode != 0:
            sys.exit(f"experiments/{self.name}: ulisse ended with {ended.returncode}")


def fingerprint(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16]


def covariance(x, theta):
    """K, dense, for eigenvalues and Cholesky."""
    return ulisse.covariance_product(x, np.eye(len(x)), **theta)


def condition_number(x, theta):
    eigenvalues = np.linalg.eigvalsh(covariance(x, theta))
    return float(eigenvalues[-1] / max(eigenvalues[0], 1e-300))


def gamma_theta(random, shape=1.0, rate=1.0):
    sigma, tau, lambda_ = random.gamma(shape, 1 / rate, 3)
    return {"sigma": sigma, "tau": tau, "lambda_": lambda_}


def thetas_over_condition_numbers(experiment, x, count, low=1e1, high=1e6):
    """Draws from the Gamma(1, 1) priors whose condition numbers are spread from low to high: [(kappa, theta)], increasing."""
    draws = []
    while len(draws) < (60 if experiment.quick else 400):
        theta = gamma_theta(experiment.random)
        draws.append((condition_number(x, theta), theta))
        experiment.tell(f"condition number {len(draws)}")
    chosen = []
    for target in np.geomspace(low, high, count):
        best = min(draws, key=lambda draw: abs(np.log(draw[0] / target)))
        if best not in chosen:
            chosen.append(best)
    return sorted(chosen, key=lambda draw: draw[0])


def by(rows, key):
    """Rows grouped by a column, in the order of their first appearance."""
    groups = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return groups


def plot_over_condition_numbers(axes, rows, key, value, label, left_out=()):
    """A line for each value of a column, each in the same colour whatever is left out; solves that did not converge are hollow."""
    for index, (name, group) in enumerate(by(rows, key).items()):
        if name not in left_out:
            axes.plot([row["condition_number"] for row in group], [row[value] for row in group], "o-", color=f"C{index}", markersize=3,
                      linewidth=0.8, label=name)
            failed = [row for row in group if row.get("stop", "converged") != "converged"]
            axes.plot([row["condition_number"] for row in failed], [row[value] for row in failed], "o", color=f"C{index}", markersize=5,
                      markerfacecolor="white")
    axes.set(xscale="log", xlabel="condition number", ylabel=label)
    axes.legend()
