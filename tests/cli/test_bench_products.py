"""ulisse bench products: the shape of what it reports."""

import json

import pytest

SMALL = ("bench", "products", "--quiet", "--n", 500, "--d", 3, "--rhs", 2, "--threads", 2, "--repeats", 1)


def test_shape_of_the_json(ulisse):
    result = ulisse.json(*SMALL)
    assert (result["n"], result["d"], result["rhs"], result["threads"]) == (500, 3, 2, 2)
    for key in ("dgemm_gflops", "sgemm_gflops", "peak_memory_bytes"):
        assert result[key] > 0
    assert result["eigen_seconds"] is None or result["eigen_seconds"] > 0
    assert {"dense", "dense-float", "cached"} <= result["backends"].keys()
    for backend in result["backends"].values():
        for key in ("seconds", "entries_per_second", "efficiency"):
            assert backend[key] > 0
        assert backend["entries_per_second"] == pytest.approx(500**2 / backend["seconds"])


def test_memory_is_that_of_the_process_alone(ulisse):
    alone = ulisse.json(*SMALL, "--backends", "dense")["peak_memory_bytes"]
    held = bytes(1) * (alone + 300_000_000)  # by the one that starts it
    assert ulisse.json(*SMALL, "--backends", "dense")["peak_memory_bytes"] < len(held)


def test_table_for_people(ulisse):
    text = ulisse.output(*SMALL)
    assert "n = 500, d = 3, 2 right-hand sides" in text
    for word in ("dense", "dense-float", "cached", "dgemm", "peak memory"):
        assert word in text


def test_backends_are_chosen_by_name(ulisse):
    assert ulisse.json(*SMALL, "--backends", "reference")["backends"].keys() == {"reference"}


@pytest.fixture
def grid(tmp_path):
    """Two inputs on a grid, and a target."""
    path = tmp_path / "grid.csv"
    rows = [f"{i},{j},{(i * 7 + j * 3) % 11}" for i in range(60) for j in range(50)]
    path.write_text("\n".join(["a,b,y", *rows]) + "\n")
    return path


def test_products_of_a_table(ulisse, grid):
    result = ulisse.run("bench", "products", "--data", grid, "--target", "y", "--theta", "1,400,0.05", "--rhs", "3", "--backends",
                        "dense,kdtree,anchors", "--tolerance", "1e-6", "--repeats", "1", "--json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["n"], found["d"], found["rhs"]) == (3000, 2, 3)
    assert "error" not in found["backends"]["dense"]
    for tree in ["kdtree", "anchors"]:
        assert 0 < found["backends"][tree]["error"] < 1e-6


def test_a_table_needs_its_target_and_parameters(ulisse, grid):
    for given in [[], ["--target", "y"], ["--theta", "1,1,1"]]:
        result = ulisse.run("bench", "products", "--data", grid, *given)
        assert result.returncode == 2 and "--target and --theta" in result.stderr
    assert ulisse.run("bench", "products", "--data", grid, "--n", "5", "--target", "y", "--theta", "1,1,1").returncode == 2


def test_other_kernels_have_no_eigen_time(ulisse):
    assert ulisse.json(*SMALL, "--kernel", "matern32-ard")["eigen_seconds"] is None


def test_further_kernels_are_compared_with_the_first(ulisse):
    kernels = ["matern32", "rbf(x1,x2)*matern32(x3)", "matern32 + periodic(x1,0.5)"]
    options = [option for kernel in kernels for option in ("--kernel", kernel)]
    result = ulisse.json(*SMALL, "--backends", "dense,dense-float", *options)
    rows = result["kernels"]
    assert [(row["kernel"], row["backend"]) for row in rows] == [(k, b) for k in kernels for b in ("dense", "dense-float")]
    assert all(row["times_first"] == 1 and row["gradient_times_first"] == 1 for row in rows[:2])
    for row in rows:
        assert row["processor_seconds"] > 0 and row["times_first"] > 0 and row["gradient_times_first"] > 0
    text = ulisse.output(*SMALL, "--backends", "dense", *options)
    assert "of first" in text and all(kernel in text for kernel in kernels)
    assert "kernels" not in ulisse.json(*SMALL, "--backends", "dense")


def test_a_table_takes_one_kernel(ulisse, grid):
    sentence = ulisse.refusal("bench", "products", "--data", grid, "--target", "y", "--theta", "1,1,1", "--kernel", "rbf", "--kernel", "matern12")
    assert sentence.endswith("--data takes one --kernel")


def test_unknown_backend_lists_the_backends(ulisse):
    sentence = ulisse.refusal(*SMALL, "--backends", "dense,sparse")
    assert "'sparse'" in sentence and "dense-float" in sentence


def test_one_is_no_plural(ulisse):
    text = ulisse.output(*SMALL[:3], "--n", 50, "--d", 1, "--rhs", 1, "--threads", 1, "--repeats", 1)
    assert "1 right-hand side," in text and "1 thread," in text


@pytest.mark.parametrize("option", ["--n", "--d", "--rhs"])
def test_what_does_not_fit_into_memory_is_refused(ulisse, option):
    assert "of memory" in ulisse.refusal(*SMALL[:3], option, 999999999)


def test_cached_that_does_not_fit_says_so(ulisse):
    sentence = ulisse.refusal(*SMALL, "--backends", "cached", "--memory", "1kB")
    assert "500 rows" in sentence and "1.0 kB" in sentence


@pytest.mark.parametrize("option", ["--n", "--d", "--rhs", "--repeats"])
@pytest.mark.parametrize("value", ["0", "-1", "x"])
def test_counts_are_positive(ulisse, option, value):
    assert option in ulisse.usage_error(*SMALL[:3], option, value)
