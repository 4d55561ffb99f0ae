"""What CONTRIBUTING.md says of the structure of the sources: each check returns its violations, a sentence each."""

from sources import KINDS, KINDS_OF_PAGES, PROGRAMS, code_lines, files, functions, included, stated_order

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 50
MAX_SAME_LINES = 10
STANDARD_C_HEADERS = ("stddef.h", "stdint.h")


def includes_against_the_order(root):
    """Includes in src/ of what is not before the including folder in the stated order, or the folder itself."""
    order = {folder: place for place, folder in enumerate(stated_order(root))}
    for path in files(root, "src"):
        place = order.get(path.parts[1])
        if place is None:
            yield f"{path}: src/{path.parts[1]} is not in the order that CONTRIBUTING.md states"
            continue
        for text, target in included(root, path):
            if target is None:
                continue
            public = target.parts[0] == "include"
            if not public and (target.parts[0] != "src" or order.get(target.parts[1], len(order)) > place):
                yield f"{path} includes {text}, which is not before src/{path.parts[1]}"


def missing_includes(root):
    """Includes with quotation marks that name no file of the repository."""
    for path in files(root, "include", *PROGRAMS):
        for text, target in included(root, path):
            if text.startswith('"') and target is None:
                yield f"{path} includes {text}, which is no file"


def cycles(root):
    """Files that include themselves by way of others."""
    graph = {path: [target for _, target in included(root, path) if target] for path in files(root, "include", "src", "cli", "python")}
    finished, trail = set(), []

    def visit(path):
        if path in trail:
            yield " -> ".join(map(str, [*trail[trail.index(path):], path]))
        elif path not in finished:
            trail.append(path)
            for target in graph.get(path, []):
                # Highway compiles a file that includes itself once for each instruction set.
                if target != path:
                    yield from visit(target)
            trail.pop()
            finished.add(path)

    for path in graph:
        yield from visit(path)


def foreign_public_includes(root):
    """Includes in the public headers of anything but Eigen, the standard library and each other."""
    for path in files(root, "include"):
        for text, target in included(root, path):
            standard = text.startswith("<") and ("." not in text or text[1:-1] in STANDARD_C_HEADERS)
            public = target is not None and target.parts[0] == "include"
            if not (standard or public or text.startswith("<Eigen/")):
                yield f"{path} includes {text}, which is neither public, nor Eigen, nor the standard library"


def long_files(root):
    for path in files(root, "include", "tests", "experiments", *PROGRAMS, kinds=KINDS + KINDS_OF_PAGES):
        lines = len((root / path).read_text().splitlines())
        if lines > MAX_FILE_LINES:
            yield f"{path} has {lines} lines; {MAX_FILE_LINES} are the most"


def long_functions(root):
    for path in files(root, "include", *PROGRAMS):
        for first, last, name in functions(root, path):
            if last - first + 1 > MAX_FUNCTION_LINES:
                yield f"{path}:{first}: {name[:80]} has {last - first + 1} lines; {MAX_FUNCTION_LINES} are the most"


def same_runs(root):
    """Runs of more than MAX_SAME_LINES lines of code that are in two places; where each begins."""
    first_places, length = {}, MAX_SAME_LINES + 1
    for path in files(root, *PROGRAMS):
        lines, before = list(code_lines(root, path)), None
        for begin in range(len(lines) - length + 1):
            run = tuple(line for _, line in lines[begin:begin + length])
            place = (path, begin)
            first = first_places.setdefault(run, place)
            # The next line of a run that was reported is no run of its own.
            if first != place and before != (first[0], first[1] - 1):
                yield f"{path}:{lines[begin][0]} begins more than {MAX_SAME_LINES} lines that {first[0]} has, too"
            before = first if first != place else None


CHECKS = (includes_against_the_order, missing_includes, cycles, foreign_public_includes, long_files, long_functions, same_runs)
