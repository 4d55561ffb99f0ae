"""Help, version, and what is said about a command line that makes no sense."""

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


def test_version_is_three_numbers(ulisse):
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", ulisse.output("--version"))


def test_no_subcommand(ulisse):
    assert "subcommand is required" in ulisse.usage_error()
    assert "subcommand is required" in ulisse.usage_error("bench")


def test_unknown_subcommand_is_named(ulisse):
    assert "no subcommand 'fly'" in ulisse.usage_error("fly")
    assert "no subcommand 'fly'" in ulisse.usage_error("bench", "fly")


def test_unknown_option_is_named(ulisse, concrete):
    assert "no option '--fly'" in ulisse.usage_error("--fly")
    assert "--fly" in ulisse.usage_error("map", concrete, "--target", "strength", "--fly")


def test_required_options_are_named(ulisse, concrete):
    assert "data is required" in ulisse.usage_error("map")
    assert "--target is required" in ulisse.usage_error("map", concrete)
    assert "--theta is required" in ulisse.usage_error("bench", "solve", concrete, "--target", "strength")


@pytest.mark.parametrize("option", ["--subset", "--threads", "--seed"])
@pytest.mark.parametrize("value", ["-1", "x", "1.5", ""])
def test_a_count_is_a_whole_number(ulisse, concrete, option, value):
    sentence = ulisse.usage_error("map", concrete, "--target", "strength", f"{option}={value}")
    assert option in sentence
    assert len(sentence) < 100  # CLI11's own message spells out the largest double


def test_two_files_are_one_too_many(ulisse, concrete):
    assert "other.csv" in ulisse.usage_error("map", concrete, "other.csv", "--target", "strength")
