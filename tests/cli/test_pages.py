"""Pages of the documentation: links lead somewhere, and the reference has every option that the program shows."""

import re
import subprocess

import pytest

from conftest import EXECUTABLE, ROOT

PAGES = [*ROOT.glob("*.md"), ROOT / "data" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchors(page):
    """Of headings, as GitHub makes them: a second one of the same words has -1."""
    found = []
    for heading in re.findall(r"^#+ (.*)$", without_code(page.read_text()), re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.append(f"{slug}-{found.count(slug)}" if slug in found else slug)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_exist(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_is_read_in_one_go():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


@pytest.mark.parametrize("command", ["fit", "summary", "predict", "report", "map", "bench products", "bench solve", "bench gradient", "bench sample"])
def test_the_reference_has_every_option(command):
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text()
    shown = subprocess.run([EXECUTABLE, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
    options = re.findall(r"^  (?:-h,)?(--[a-z-]+)", shown, re.M)
    assert "--help" in options
    assert [option for option in options if not re.search(rf"`{option}[ `]", page)] == []
