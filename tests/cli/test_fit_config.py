"""ulisse fit --config: the same fit as from the command line, and what is said about bad files."""

import json

import pytest

ROWS = "a,b,y\n" + "".join(f"{i * 37 % 29},{i * 17 % 23},{(i * 37 % 29) ** 2 % 31}\n" for i in range(40))

CONFIG = """
# A small fit.
target = "y"
features = ["a", "b"]
prior = ["tau=gamma(2,1)", 'lambda=lognormal(-2,1)']  # of two parameters
no-standardise = false
sampler = "mh"
chains = 2
warmup = 5e1
draws = 60
seed = 7
time-limit = 600
quiet = true
"""


@pytest.fixture
def fit(ulisse, table, tmp_path):
    """Runs a fit by a configuration and further arguments; returns its settings."""

    def run(config, *arguments, data=True):
        out = tmp_path / f"fit{len(list(tmp_path.glob('fit*')))}"
        file = (table(ROWS),) if data else ()
        result = ulisse.run("fit", *file, "--config", table(config, "fit.toml"), "--out", out, *arguments)
        assert result.returncode == 0, result.stderr
        return json.loads((out / "fit.json").read_text()), [
            [row for row in path.read_text().splitlines() if not row.startswith("#")]
            for path in sorted(out.glob("chain_*.csv"))]

    return run


def test_a_config_gives_the_same_draws_as_the_command_line(ulisse, fit, table, tmp_path):
    by_file, draws = fit(CONFIG)
    out = tmp_path / "by-hand"
    ulisse.run("fit", table(ROWS), "--target", "y", "--features", "a,b", "--prior", "tau=gamma(2,1)", "--prior",
               "lambda=lognormal(-2,1)", "--sampler", "mh", "--chains", 2, "--warmup", 50, "--draws", 60, "--seed", 7,
               "--out", out)
    by_hand = json.loads((out / "fit.json").read_text())
    assert by_file["settings"] == by_hand["settings"]
    assert [p["prior"] for p in by_file["parameters"]] == ["signal_sd=half-student-t(4,50)", "gamma(2,1)", "lognormal(-2,1)"]
    for number, rows in enumerate(draws, 1):
        text = (out / f"chain_{number}.csv").read_text()
        assert rows == [row for row in text.splitlines() if not row.startswith("#")]


def test_the_command_line_wins(fit):
    found, _ = fit(CONFIG, "--chains", 3, "--seed", 8, "--prior", "sigma=half-normal(2)")
    assert found["settings"]["chains"] == 3
    assert found["settings"]["seed"] == 8
    assert found["settings"]["draws"] == 60
    assert found["settings"]["priors"] == ["sigma=half-normal(2)"]


def test_the_command_line_wins_over_an_option_that_excludes_it(fit):
    about, _ = fit(CONFIG.replace('features = ["a", "b"]', 'noise-sd = "a"'), "--noise-variance", "b")
    assert about["data"]["known_noise"] == {"column": "b", "kind": "variance"}


def test_the_command_line_wins_wherever_it_stands(ulisse, table, tmp_path):
    out = tmp_path / "fit"
    config = table(CONFIG, "fit.toml")
    ulisse.run("fit", "--seed", 8, "--out", out, "--config", config, table(ROWS), "--target", "b", "--features", "a")
    found = json.loads((out / "fit.json").read_text())
    assert (found["settings"]["seed"], found["data"]["target"], found["data"]["features"]) == (8, "b", ["a"])


def test_a_config_may_name_the_data_and_set_a_flag(fit, table):
    found, _ = fit(f'data = "{table(ROWS)}"\nno-standardize = true\n' + CONFIG.replace("no-standardise = false", ""),
                   data=False)
    assert found["settings"]["standardise"] is False
    assert found["data"]["rows"] == 40


def test_a_flag_of_the_command_line_can_take_back_that_of_the_file(fit):
    found, _ = fit(CONFIG.replace("no-standardise = false", "no-standardise = true"), "--no-standardise=false")
    assert found["settings"]["standardise"] is True


def test_strings_are_taken_as_they_are(ulisse, table):
    # A column with what means something elsewhere in TOML.
    words = ulisse.refusal("fit", table(ROWS), "--config", table('target = "a # b, [c] = \\"d\\""\n', "fit.toml"))
    assert "there is no column 'a # b, [c] = \"d\"'" in words


def test_an_empty_config_changes_nothing(ulisse, table):
    assert "--target is required" in ulisse.usage_error("fit", table(ROWS), "--config", table("", "fit.toml"))


@pytest.mark.parametrize(
    "config, words",
    [
        ("target = y\n", "fit.toml:1: is not TOML: "),
        ("target = 'y'\nchains\n", "fit.toml:2: is not TOML: "),
        ("seed = 1\nseed = 2\n", "fit.toml:2: is not TOML: "),
        ("chain = 4\n", "fit.toml:1: there is no option 'chain' (did you mean 'chains'?)"),
        ("\ntargett = 'y'\n", "fit.toml:2: there is no option 'targett' (did you mean 'target'?)"),
        ("--chains = 4\n", "fit.toml:1: there is no option '--chains' (did you mean 'chains'?)"),
        ("help = true\n", "fit.toml:1: there is no option 'help'"),
        ("config = 'other.toml'\n", "fit.toml:1: a configuration cannot name another one by 'config'"),
        ("chains = 'four'\n", "fit.toml:1: --chains: 'four' is not a whole number of 1 or more"),
        ("chains = 2.5\n", "fit.toml:1: --chains: '2.5' is not a whole number of 1 or more"),
        ("chains = [4]\n", "fit.toml:1: chains takes one value, not an array"),
        ("chains = true\n", "fit.toml:1: chains takes one value, not true"),
        ("q = -1\n", "fit.toml:1: --early-stop: '-1' is not a positive number"),
        ("prior = [['tau=gamma(1,1)']]\n", "fit.toml:1: prior takes a value or an array of values, not an array"),
        ("seed = 2024-01-01\n", "fit.toml:1: seed takes one value, not a date or a time"),
        ("no-standardise = 1\n", "fit.toml:1: no-standardise takes true or false, not a number"),
        ("json = 'yes'\n", "fit.toml:1: json takes true or false, not a text"),
        ("[chains]\nfirst = 1\n", "fit.toml:1: chains takes one value, not a table"),
        ("[fit]\nchains = 4\n", "fit.toml:1: there is no option 'fit'"),
    ],
)
def test_what_is_wrong_in_a_config_is_said_with_its_line(ulisse, table, config, words):
    refusal = ulisse.refusal("fit", table(ROWS), "--target", "y", "--config", table(config, "fit.toml"))
    assert words in refusal


def test_a_config_that_cannot_be_read_is_said_so(ulisse, table, tmp_path):
    missing = ulisse.refusal("fit", table(ROWS), "--target", "y", "--config", tmp_path / "none.toml")
    assert missing == f"ulisse: {tmp_path}/none.toml: cannot be read: No such file or directory"
    folder = ulisse.refusal("fit", table(ROWS), "--target", "y", "--config", tmp_path)
    assert folder == f"ulisse: {tmp_path}: cannot be read: Is a directory"


def test_help_names_the_option(ulisse):
    assert "--config" in ulisse.output("fit", "--help")


def test_the_command_line_wins_over_an_older_name_in_a_config(ulisse, signal_table, tmp_path):
    config = tmp_path / "fit.toml"
    config.write_text("bank = 12\n")
    out = tmp_path / "fit"
    done = ulisse.run("fit", signal_table, "--target", "y", "--config", config, "--sampler", "ulisse", "--anchor-probes", "20", "--warmup", "20",
                      "--draws", "20", "--quiet", "--out", out)
    assert done.returncode == 0, done.stderr
    assert json.loads((out / "fit.json").read_text())["settings"]["ulisse"]["anchor_probes"] == 20
