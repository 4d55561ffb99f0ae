"""Values that no option can take: exit code 2 and a sentence that names the option, before any file is read."""

import re
import subprocess

import pytest

from conftest import EXECUTABLE, MH, NUTS, SGLD

COMMANDS = {
    "fit": ["absent.csv", "--target", "y"],
    "map": ["absent.csv", "--target", "y"],
    "predict": ["absent-fit", "absent.csv"],
    "report": ["absent-fit"],
    "bench products": [],
    "bench solve": ["absent.csv", "--target", "y", "--theta", "1,1,1"],
    "bench gradient": ["absent.csv", "--target", "y"],
    "bench sample": ["absent.csv", "--target", "y"],
}


def options_of(command):
    """Names and types of the options that take a value, as --help lists them."""
    text = subprocess.run([EXECUTABLE, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (--[a-z-]+) (INT|UINT|FLOAT|TEXT)\b", text, flags=re.MULTILINE)


OPTIONS = [(command, name, kind) for command in COMMANDS for name, kind in options_of(command)]
NUMBERS = [(command, name, kind) for command, name, kind in OPTIONS if kind != "TEXT"]
TEXTS = [(command, name) for command, name, kind in OPTIONS if kind == "TEXT"]


def sentence(ulisse, command, name, value):
    # A value that is required comes from here, not from the list above as well.
    rest = COMMANDS[command]
    if name in rest:
        at = rest.index(name)
        rest = rest[:at] + rest[at + 2:]
    return ulisse.refusal_lines(*command.split(), *rest, f"{name}={value}" if value else name, *([] if value else [""]))[0]


def test_help_lists_the_options():
    assert len(NUMBERS) > 50 and len(TEXTS) > 40
    assert {command for command, _, _ in NUMBERS} == set(COMMANDS) - {"report"}


@pytest.mark.parametrize("command, name, kind", NUMBERS)
def test_what_is_no_number_in_range_is_refused(ulisse, command, name, kind):
    values = ["nan", "inf", "-1", "", "1x"]
    if kind != "FLOAT" and name != "--seed":
        values.append("1e18" if name != "--memory" else "1e30")
    for value in values:
        found = sentence(ulisse, command, name, value)
        assert found.startswith(f"ulisse: {name}: "), (value, found)
        assert f"'{value}'" in found


@pytest.mark.parametrize("command, name", TEXTS)
def test_a_value_that_is_empty_is_refused(ulisse, command, name):
    assert sentence(ulisse, command, name, "") == f"ulisse: {name}: the value is empty"


@pytest.mark.parametrize("name, value", [
    ("--bank", "1e9"), ("--probe-count", "1e9"), ("--trace-probes", "1e9"), ("--batch", "9e15"), ("--batch", "1"), ("--redraw-every", "0"),
    ("--subset", "0"), ("--chains", "0"), ("--chains", "1e9"), ("--draws", "1e10"), ("--warmup", "1e10"), ("--schedule", "0"),
])
def test_a_setting_of_a_fit_has_limits(ulisse, name, value):
    found = sentence(ulisse, "fit", name, value)
    assert found.startswith(f"ulisse: {name}: '{value}' is ") and ("too large" in found or "or more" in found)


@pytest.mark.parametrize("value", ["inf", "nan", "-1", "0", "1e9", "1e300h", "5x"])
def test_a_time_limit_is_a_time(ulisse, signal_table, tmp_path, value):
    for command in [["fit", signal_table, "--out", tmp_path / "fit"], ["bench", "sample", signal_table]]:
        assert ulisse.refusal(*command, "--target", "y", f"--time-limit={value}").startswith(f"ulisse: --time-limit: '{value}' is ")


@pytest.mark.parametrize("value", ["-1", "-1GB", "4XB", "GB", "1e30", "nan", "4 G B", "0x10"])
def test_memory_is_an_amount(ulisse, value):
    assert sentence(ulisse, "fit", "--memory", value) == f"ulisse: --memory: '{value}' is no amount of memory; write 4GB or 500MB"


@pytest.mark.parametrize("value", ["1GB", "1.5gb", "500 MB", "2GiB", "1e9", "123456789b", "0"])
def test_memory_has_units(ulisse, signal_table, tmp_path, value):
    ulisse.output("fit", signal_table, "--target", "y", *MH, "--quiet", "--out", tmp_path / "fit", "--memory", value)


@pytest.mark.parametrize("sampler", [MH, NUTS, SGLD])
def test_an_unknown_backend_is_refused_whatever_the_sampler(ulisse, signal_table, tmp_path, sampler):
    found = ulisse.refusal("fit", signal_table, "--target", "y", *sampler, "--out", tmp_path / "fit", "--backend", "foo")
    assert found.startswith("ulisse: --backend: 'foo' is none of auto, ")
    assert not (tmp_path / "fit").exists()


@pytest.mark.parametrize("command, options, words", [
    ("sample", ["--backend", "x"], "--backend: 'x' is none of auto"),
    ("sample", ["--chains", "2000"], "--chains must be at most 1000"),
    ("sample", ["--samplers", "auto"], "--samplers: auto is none"),
    ("sample", ["--samplers", "sgld:q=nan"], "--samplers: 'nan' is not finite"),
    ("gradient", ["--backend", "x"], "--backend: 'x' is none of"),
    ("gradient", ["--q", "nan"], "--q: 'nan' is not finite"),
    ("gradient", ["--q", "1,-1"], "--q: -1 is not a positive number"),
    ("gradient", ["--rank=-5"], "--rank: -5 is not a whole number of 0 or more"),
    ("gradient", ["--rank", "1.5"], "--rank: 1.5 is not a whole number"),
    ("gradient", ["--rank", "1e18"], "--rank: 1e+18 is"),
    ("gradient", ["--truncation", "exp(nan)"], "not a truncation rule"),
    ("gradient", ["--theta", "1,inf,1"], "--theta: 'inf' is not finite"),
    ("solve", ["--theta", "1,1,1", "--backends", "dense,foo"], "--backends: 'foo' is none of"),
    ("solve", ["--theta", "1,1,1", "--preconditioners", "none,foo"], "there is no preconditioner 'foo'"),
])
def test_a_benchmark_says_what_is_wrong_before_it_works(ulisse, signal_table, command, options, words):
    assert words in ulisse.refusal("bench", command, signal_table, "--target", "y", *options)


def test_backends_to_be_timed_are_known(ulisse):
    assert ulisse.refusal("bench", "products", "--backends", "dense,").startswith("ulisse: --backends: '' is none of reference, ")


def test_a_parameter_has_one_prior(ulisse, signal_table):
    fit = ["map", signal_table, "--target", "y", "--prior", "tau=gamma(1,1)"]
    assert ulisse.refusal(*fit, "--prior", "tau=gamma(2,1)") == "ulisse: --prior: tau has two priors"
    ulisse.output(*fit, "--kernel", "rbf-ard", "--prior", "tau.b=gamma(2,1)")


def test_a_configuration_has_an_end(ulisse, signal_table, tmp_path):
    fit = ["fit", signal_table, "--target", "y", "--out", tmp_path / "fit"]
    assert ulisse.refusal(*fit, "--config", "/dev/zero") == "ulisse: /dev/zero: is longer than 1 MiB, and no configuration"
    assert "Is a directory" in ulisse.refusal(*fit, "--config", tmp_path)


@pytest.mark.parametrize("line, words", [
    ("memory = -1", "'-1' is no amount of memory"), ("q = nan", "'nan' is not a positive number"), ("draws = 0", "'0' is not a whole number of 1"),
    ('out = ""', "the value is empty"), ("threads = 1e9", "too large"),
])
def test_a_configuration_has_the_same_limits(ulisse, signal_table, table, line, words):
    config = table(line + "\n", "fit.toml")
    found = ulisse.refusal("fit", signal_table, "--target", "y", "--config", config)
    assert found.startswith(f"ulisse: {config}:1: ") and words in found
