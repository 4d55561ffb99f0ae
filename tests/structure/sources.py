"""What the structure of the sources is read from: files, includes, functions, lines of code."""

import ast
import pathlib
import re

# Programs that are compiled for the executable, the library and the Python package.
PROGRAMS = ("src", "cli", "python")
KINDS = (".h", ".cc", ".py")
# What a browser gets: the page of a report.
KINDS_OF_PAGES = (".js", ".css", ".html")


def files(root, *folders, kinds=KINDS):
    """Paths of sources below folders, relative to root, in order."""
    found = (path for folder in folders for path in (root / folder).rglob("*") if path.suffix in kinds)
    return sorted(path.relative_to(root) for path in found)


def stated_order(root):
    """The folders of src/ in the order that CONTRIBUTING.md states."""
    line = next(line for line in (root / "CONTRIBUTING.md").read_text().splitlines() if " -> " in line)
    return line.split(" -> ")[0].split() + [name.strip() for name in line.split(" -> ")[1:]]


def included(root, path):
    """What a file includes: (text, path of the file in this repository, or None)."""
    for text in re.findall(r'^\s*#include\s+(["<][^">]+[">])', (root / path).read_text(), re.MULTILINE):
        name = text[1:-1]
        places = [pathlib.Path("include") / name, pathlib.Path("src") / name, path.parent / name, pathlib.Path("cli") / name]
        yield text, next((place for place in places if (root / place).is_file()), None)


def blanked(text):
    """C++ with comments and the insides of literals replaced by blanks; lines stay where they are."""
    pattern = r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.DOTALL)


def is_initialiser(head):
    """Whether the brace after head begins a value, `x_{x}`, `= {}` or `f(x, {`, rather than a block."""
    attached = head[-1:] and not head[-1:].isspace() and not head.endswith(")")
    return attached or head.rstrip().endswith(("=", "return")) or head.count("(") > head.count(")")


def is_type(head):
    return re.match(r"\s*(template\s*<.*>\s*)?(class|struct|enum|union|namespace)\b[^()]*$", head, re.DOTALL)


def cpp_functions(text):
    """(first line, last line, head) of each function; what is inside a function belongs to it."""
    text = without_directives(blanked(text))
    blocks, begins = [], 0
    for match in re.finditer(r"[{};]", text):
        head = text[begins:match.start()]
        if match.group() == "{":
            value = is_initialiser(head)
            outside = not any(kind == "function" for kind, _, _ in blocks)
            function = outside and not value and ")" in head and not is_type(head)
            first = text.count("\n", 0, match.start() - len(head.lstrip())) + 1
            blocks.append(("function" if function else "value" if value else "block", first, " ".join(head.split())))
            ends_head = not value
        elif match.group() == "}":
            kind, first, name = blocks.pop()
            ends_head = kind != "value"
            if kind == "function":
                yield first, text.count("\n", 0, match.start()) + 1, name
        else:
            ends_head = True
        if ends_head:
            begins = match.end()


def without_directives(text):
    """C++ with its preprocessor's lines, which may have braces that do not match, left blank."""
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda match: "\n" * match.group().count("\n"), text, flags=re.MULTILINE)


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno, node.name


def functions(root, path):
    text = (root / path).read_text()
    return python_functions(text) if path.suffix == ".py" else cpp_functions(text)


def code_lines(root, path):
    """(number, text) of the lines of a file without comments, blank lines and includes."""
    text = (root / path).read_text()
    comment = r"#.*" if path.suffix == ".py" else r"//.*|^\s*#include.*"
    for number, line in enumerate(text.splitlines(), 1):
        line = "".join(re.sub(comment, "", line).split())
        if line:
            yield number, line
