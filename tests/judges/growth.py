"""How the time for an independent sample grows with the number of rows: a table, and a plot as SVG.

Tables are drawn from the model; each sampler runs by `ulisse bench sample` up to the number of rows that is worth waiting for.
"""

import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

from simulate import simulate

# Iterations of warm-up and draws of each of 4 chains. What is measured is the time for an independent sample, and it need not be measured often where
# it takes long; the exact samplers start from the curvature at the mode.
LENGTHS = {"mh": (100, 250), "nuts": (50, 50), "ulisse": (100, 500)}
LENGTHS_OF_LARGE = {40000: (15, 30), 10000: (40, 80)}  # tables of more rows than that

COLOURS = {"mh": "#d95f02", "nuts": "#7570b3", "ulisse": "#1b9e77"}


def measure(options, table, n, sampler):
    """In a process of its own, whose peak of memory is its own."""
    warmup, draws = next((length for rows, length in LENGTHS_OF_LARGE.items() if n > rows), LENGTHS[sampler])
    command = [options.ulisse, "bench", "sample", str(table), "--target", "y", "--samplers", sampler, "--time-limit", options.time_limit, "--warmup",
               str(warmup), "--draws", str(draws), "--threads", str(options.threads), "--json", "--quiet"]
    if sampler == "ulisse":
        command += ["--memory", options.memory]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["samplers"][sampler]


def exponent(points):
    """The slope of log(seconds) over log(n), by least squares."""
    x = [math.log(n) for n, _ in points]
    y = [math.log(s) for _, s in points]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def crossover(exact, ours):
    """The number of rows from which `ours` is the faster, between two that both were measured at; None where there is none."""
    ratio = {n: math.log(dict(ours)[n] / s) for n, s in exact if n in dict(ours)}
    for a, b in zip(sorted(ratio), sorted(ratio)[1:]):
        if ratio[a] > 0 >= ratio[b]:
            return a * (b / a) ** (ratio[a] / (ratio[a] - ratio[b]))
    return None


def plot(path, series):
    """Lines on two logarithmic axes."""
    width, height, left, bottom = 640, 420, 70, 50
    points = [p for line in series.values() for p in line]
    x0, x1 = (math.log10(f(n for n, _ in points)) for f in (min, max))
    y0, y1 = (math.log10(f(s for _, s in points)) for f in (min, max))
    y0, y1 = math.floor(y0), math.ceil(y1)

    def place(n, s):
        x = left + (math.log10(n) - x0) / max(1e-9, x1 - x0) * (width - left - 90)
        return x, height - bottom - (math.log10(s) - y0) / (y1 - y0) * (height - bottom - 20)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(y0, y1 + 1):
        y = place(10**x0, 10**power)[1]
        parts.append(f'<line x1="{left}" x2="{width - 90}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for n in sorted({n for n, _ in points}):
        x = place(n, 10**y0)[0]
        parts.append(f'<text x="{x:.1f}" y="{height - bottom + 20}" text-anchor="middle">{n:,}</text>')
    for name, line in series.items():
        where = " ".join("{:.1f},{:.1f}".format(*place(n, s)) for n, s in line)
        parts.append(f'<polyline points="{where}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        for n, s in line:
            parts.append('<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>'.format(*place(n, s), COLOURS[name]))
        x, y = place(*line[-1])
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{COLOURS[name]}">{name}</text>')
    parts.append(f'<text x="{(width + left - 90) / 2}" y="{height - 8}" text-anchor="middle">rows</text></svg>')
    path.write_text("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ulisse", default="build/ulisse")
    parser.add_argument("--rows", type=int, nargs="+", default=[250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000])
    parser.add_argument("--mh-rows", type=int, default=4000, help="the most for mh")
    parser.add_argument("--nuts-rows", type=int, default=2000, help="the most for nuts")
    parser.add_argument("--time-limit", default="2h", help="for warm-up and sampling of each sampler")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="200MB", help="for ulisse: where 8 n^2 bytes are more, nothing of the order of n^2 is kept")
    parser.add_argument("--plot", type=Path, default=Path("growth.svg"))
    options = parser.parse_args()
    table = Path(tempfile.mkdtemp(prefix="growth")) / "table.csv"
    series = {name: [] for name in COLOURS}
    print("| n | sampler | set-up s | warm-up | draws | warm-up s | sampling s | products | ESS | R-hat | s a sample | memory |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for n in options.rows:
        simulate(table, n, 8, (1.0, 0.05, 0.1), seed=1)
        for name in ["ulisse"] + (["mh"] if n <= options.mh_rows else []) + (["nuts"] if n <= options.nuts_rows else []):
            r = measure(options, table, n, name)
            if r.get("seconds_per_independent_sample") is None:
                print(f"| {n:,} | {name} | {r.get('error', 'no draws in time')} | | | | | | | | | |", flush=True)
                continue
            seconds = r["seconds_per_independent_sample"]
            series[name].append((n, seconds))
            products = r["products_per_iteration"]
            print(f"| {n:,} | {name} | {r['seconds_setup']:.1f} | {r['warmup']} | {r['draws']} | {r['seconds_warmup']:.1f} | {r['seconds_sampling']:.1f} | "
                  f"{'' if products is None else f'{products:.1f}'} | {r['smallest_ess_bulk']:.0f} | {r['worst_rhat']:.3f} | "
                  f"{seconds:.4g} | {r['peak_memory_bytes'] / 1e6:.0f} MB |", flush=True)
    series = {name: line for name, line in series.items() if line}
    for name, line in series.items():
        if len(line) > 1:
            print(f"\n{name}: time grows as n^{exponent(line):.2f}")
    for name in ("mh", "nuts"):
        rows = crossover(series.get(name, []), series.get("ulisse", []))
        if rows is not None:
            print(f"\nulisse is faster than {name} from some {rows:.0f} rows on")
    if series:
        plot(options.plot, series)
        print(f"\nplot: {options.plot}")


if __name__ == "__main__":
    main()
