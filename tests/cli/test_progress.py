"""What is shown on standard error while one waits."""


def test_a_long_search_says_how_long_it_will_take(ulisse, table):
    rows = "".join(f"{i * 7919 % 6007},{i % 97}\n" for i in range(5001))
    line = ulisse.first_line_of_progress("map", table("a,y\n" + rows), "--target", "y", containing="evaluation on")
    assert "5001 rows" in line and " s, " in line and "--subset" in line


def test_map_tells_its_stage(ulisse, table):
    rows = "".join(f"{i * 7919 % 6007},{i % 97}\n" for i in range(2500))
    line = ulisse.first_line_of_progress("map", table("a,y\n" + rows), "--target", "y", containing="evaluation")
    assert line.startswith("ulisse: after ")
    assert "starting points on 300 rows" in line or "2500 rows" in line


def test_a_stage_of_a_set_up_says_how_far_it_is(ulisse, table, tmp_path):
    """One of minutes had its name alone: "trying solves in float"."""
    rows = "".join(f"{i * 7919 % 6007 / 100},{(i * 7919 % 6007 / 100) ** 0.5 + i % 97 / 97}\n" for i in range(6000))
    line = ulisse.first_line_of_progress(
        "fit", table("a,y\n" + rows), "--target", "y", "--sampler", "ulisse", "--out", tmp_path / "fit", containing="iteration ")
    assert "residual" in line and "of at most" in line


def test_bench_solve_shows_progress_during_its_first_solve(ulisse, concrete):
    line = ulisse.first_line_of_progress(
        "bench", "solve", concrete, "--target", "strength", "--theta", "6.3,0.08,0.067", "--backends", "reference",
        "--preconditioners", "none", "--threads", 1, containing="iteration")
    assert "backend reference, preconditioner none: iteration" in line and "residual" in line


def test_bench_products_says_what_it_is_doing(ulisse):
    line = ulisse.first_line_of_progress("bench", "products", "--n", 3000, "--backends", "reference", containing="round")
    assert line.startswith("ulisse: after ") and "timing round" in line
