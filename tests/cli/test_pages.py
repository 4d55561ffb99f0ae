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


def paragraphs(text):
    """Words in a row: not tables, headings or code; each item of a list is one."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", without_code(text)):
        words = " ".join(line.strip() for line in block.split("\n") if not re.match(r"    |\||#|<", line))
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", words)
        yield re.sub(r"`[^`]*`", "code", words).replace("**", "")


def too_long(text):
    found = []
    for paragraph in paragraphs(text):
        if len(paragraph.split()) > 120:
            found.append(paragraph)
        found += [sentence for sentence in re.split(r"(?<=[.!?])\s+", paragraph) if len(sentence.split()) > 45]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_paragraphs_have_120_words_at_most_and_sentences_45(page):
    assert too_long(page.read_text()) == []


def test_long_paragraphs_and_sentences_are_found_where_they_are_prose():
    sentence = "One two three four five six seven eight nine ten. "
    assert too_long(sentence * 12) == [] and len(too_long(sentence * 13)) == 1
    assert len(too_long("word " * 46)) == 1 and too_long("word " * 45) == []
    for other in "| " + sentence * 13, "    " + sentence * 13, "```\n" + sentence * 13 + "\n```\n", "- " + (sentence + "\n- ") * 13:
        assert too_long(other) == []
    assert len(too_long("- " + sentence * 13)) == 1


def test_the_readme_is_read_in_one_go():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


@pytest.mark.parametrize("command", ["fit", "summary", "predict", "loo", "compare", "effects", "report", "map", "bench products", "bench solve", "bench gradient", "bench sample"])
def test_the_reference_has_every_option(command):
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text()
    shown = subprocess.run([EXECUTABLE, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
    options = re.findall(r"^  (?:-h,)?(--[a-z-]+)", shown, re.M)
    assert "--help" in options
    assert [option for option in options if not re.search(rf"`{option}[ `]", page)] == []
