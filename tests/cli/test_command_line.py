"""Help, version, and what is said about a command line that makes no sense."""

import os
import re

import pytest


@pytest.mark.parametrize("command", [[], ["map"], ["bench"], ["bench", "products"], ["bench", "solve"]])
def test_help_goes_to_standard_output(ulisse, command):
    assert "Usage: ulisse" in ulisse.output(*command, "--help")


def test_help_names_every_subcommand(ulisse):
    text = ulisse.output("--help")
    assert "map" in text and "bench" in text
    text = ulisse.output("bench", "--help")
    assert "products" in text and "solve" in text


def test_version_names_the_program(ulisse):
    assert re.fullmatch(r"ulisse \d+\.\d+\.\d+\n", ulisse.output("--version"))


def test_no_subcommand(ulisse):
    assert "a subcommand is required: bench or fit or summary or predict or effects or report or loo or compare or map or devices" in ulisse.usage_error()
    assert "a subcommand is required: products or solve" in ulisse.usage_error("bench")


def test_unknown_subcommand_is_named(ulisse):
    assert "no subcommand 'fly'" in ulisse.usage_error("fly")
    assert "no subcommand 'fly'" in ulisse.usage_error("bench", "fly")


def test_unknown_option_is_named(ulisse, concrete):
    assert "no option '--fly'" in ulisse.usage_error("--fly")
    assert "--fly" in ulisse.usage_error("map", concrete, "--target", "strength", "--fly")


@pytest.mark.parametrize(
    "command, suggestion",
    [(["mpa"], "'map'"), (["bench", "solv"], "'solve'"), (["map", "x.csv", "--targte", "y"], "'--target'"),
     (["map", "x.csv", "--target=y", "--no-standardis"], "'--no-standardise'"),
     (["bench", "products", "--repeat", "3"], "'--repeats'")])
def test_a_slip_gets_a_suggestion(ulisse, command, suggestion):
    assert f"did you mean {suggestion}?" in ulisse.usage_error(*command)


def test_a_kernel_that_is_a_slip_gets_a_suggestion(ulisse, concrete):
    sentence = ulisse.refusal("map", concrete, "--target", "strength", "--kernel", "mattern52")
    assert "did you mean 'matern52'?" in sentence


def test_the_hint_names_the_subcommand(ulisse, concrete):
    assert ulisse.refusal_lines("map", concrete, "--fly")[1] == "Try 'ulisse map --help'."
    assert ulisse.refusal_lines("bench", "solve")[1] == "Try 'ulisse bench solve --help'."
    assert ulisse.refusal_lines("fly")[1] == "Try 'ulisse --help'."


def test_required_options_are_named(ulisse, concrete):
    assert "the file to read is missing: ulisse map FILE" in ulisse.usage_error("map")
    assert "--target is required" in ulisse.usage_error("map", concrete)
    assert "--theta is required" in ulisse.usage_error("bench", "solve", concrete, "--target", "strength")


@pytest.mark.parametrize(
    "options, sentence",
    [(["--seed", "1", "--seed", "2"], "--seed is given more than once"), (["--seed"], "--seed needs a value behind it"),
     (["--json=3"], "--json takes no value but true or false"), (["--resume=0"], "--resume takes no value but true or false"),
     (["--save-warmup=1"], "--save-warmup takes no value but true or false")])
def test_an_option_has_one_value_and_a_flag_none(ulisse, concrete, options, sentence):
    assert ulisse.refusal_lines("fit", concrete, "--target", "strength", *options)[0] == f"ulisse: {sentence}"


@pytest.mark.parametrize("option", ["--subset", "--threads", "--seed"])
@pytest.mark.parametrize("value", ["-1", "x", "1.5", ""])
def test_a_count_is_a_whole_number(ulisse, concrete, option, value):
    sentence = ulisse.usage_error("map", concrete, "--target", "strength", f"{option}={value}")
    assert option in sentence
    assert len(sentence) < 100  # CLI11's own message spells out the largest double


@pytest.mark.parametrize("option", ["--subset", "--threads", "--seed"])
@pytest.mark.parametrize("value", ["99999999999999999999", "1e20"])
def test_a_number_too_large_says_so(ulisse, concrete, option, value):
    assert f"'{value}' is too large" in ulisse.usage_error("map", concrete, "--target=strength", option, value)


def test_a_whole_number_may_have_an_exponent(ulisse, concrete):
    result = ulisse.json("map", concrete, "--target", "strength", "--subset", "1e2", "--seed", "2e0")
    assert result["n"] == 100 and result["subset"]["seed"] == 2


def test_absurd_numbers_of_threads_are_refused(ulisse):
    sentence = ulisse.usage_error("bench", "products", "--threads", max(64, 4 * os.cpu_count()) + 1)
    assert "--threads" in sentence and "too large" in sentence


def test_help_on_priors_says_what_the_arguments_are(ulisse):
    text = " ".join(ulisse.output("map", "--help").split())
    for words in ("may be repeated", "shape and rate", "'tau=gamma(1,1)'", "whole file", "exit code"):
        assert words in text


def test_two_files_are_one_too_many(ulisse, concrete):
    assert "other.csv" in ulisse.usage_error("map", concrete, "other.csv", "--target", "strength")
