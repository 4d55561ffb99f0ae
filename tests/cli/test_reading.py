"""Tables that need an option to be read, and the options that choose columns."""

import pytest

ROWS = [(1, 2.5, 3), (4, 5, 6), (7, 8.5, 1), (2, 2, 2), (9, 1, 7)]


def written(separator, names=("a", "b", "y")):
    return "\n".join(separator.join(map(str, row)) for row in [names, *ROWS]) + "\n"


def map_json(ulisse, path, *options):
    return ulisse.json("map", path, "--target", "y", *options)


@pytest.mark.parametrize("separator, name", [(";", ";"), ("\t", "tab"), ("|", "|")])
def test_another_separator(ulisse, table, separator, name):
    plain = map_json(ulisse, table(written(",")))
    other = map_json(ulisse, table(written(separator), "other.csv"), "--separator", name)
    assert plain["fingerprint"] == other["fingerprint"] and plain["psi"] == other["psi"]


@pytest.mark.parametrize("separator, name", [(";", "';'"), ("\t", "tab")])
def test_a_file_with_another_separator_offers_the_option(ulisse, table, separator, name):
    assert f"--separator {name}" in ulisse.refusal("map", table(written(separator)), "--target", "y")


@pytest.mark.parametrize("separator", ["ab", ".", "5"])
def test_a_separator_that_cannot_be_one(ulisse, table, separator):
    assert "separat" in ulisse.refusal("map", table(written(",")), "--target", "y", f"--separator={separator}")


def test_standard_input(ulisse, table):
    expected = map_json(ulisse, table(written(",")))["psi"]
    result = ulisse.run("map", "-", "--target", "y", "--json", "--quiet", input=written(","))
    assert result.returncode == 0 and f'"sigma": {expected["sigma"]}' in result.stdout
    result = ulisse.run("map", "-", "--target", "z", input=written(","))
    assert result.stderr.startswith("ulisse: standard input:1: there is no column 'z'")


def test_features_may_be_repeated(ulisse, table):
    path = table(written(","))
    for options in (["--features", "b,a"], ["--features", "b", "--features", "a"], ["--features", "b, a"]):
        assert map_json(ulisse, path, *options)["features"] == ["b", "a"]


def test_a_feature_with_a_comma_in_its_name(ulisse, table):
    path = table(written(",", ('"width, m"', "b", "y")))
    assert map_json(ulisse, path, "--features", "width, m")["features"] == ["width, m"]
    assert map_json(ulisse, path, "--features", "b", "--features", "width, m")["features"] == ["b", "width, m"]


def test_no_feature_is_no_choice(ulisse, table):
    assert "--features" in ulisse.usage_error("map", table(written(",")), "--target", "y", "--features", "")
    assert "feature is empty" in ulisse.refusal("map", table(written(",")), "--target", "y", "--features", " ")


def test_the_file_may_come_after_the_features(ulisse, table):
    result = ulisse.json("map", "--target", "y", "--features", "b", table(written(",")))
    assert result["features"] == ["b"]
