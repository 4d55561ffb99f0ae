"""Commands and code of the other pages of docs/guide run as they stand."""

import pytest

from conftest import ROOT
from guide_pages import PACKAGE, blocks, place_like_the_repository, run_python, run_shell

PAGES = sorted(path.name for path in (ROOT / "docs" / "guide").glob("*.md") if path.name != "tutorial.md")
WITH_SHELL = [page for page in PAGES if blocks(page, ["sh"])]
WITH_PYTHON = [page for page in PAGES if blocks(page, ["python"])]


def test_there_is_code_to_run():
    assert "stan.md" in WITH_SHELL and "python.md" in WITH_PYTHON


@pytest.mark.parametrize("page", WITH_SHELL)
def test_commands_run(page, tmp_path):
    place = place_like_the_repository(tmp_path)
    for _, code in blocks(page, ["sh"]):
        result = run_shell(code, place)
        assert result.returncode == 0, (code, result.stderr)


@pytest.mark.parametrize("page", WITH_PYTHON)
def test_python_runs(page, tmp_path):
    """Blocks of a page are one program."""
    if not PACKAGE.exists():
        pytest.skip("the Python package was not built")
    result = run_python("\n".join(code for _, code in blocks(page, ["python"])), tmp_path)
    assert result.returncode == 0, result.stderr
