"""The sources have the structure that CONTRIBUTING.md promises; and each check finds what it is for."""

import pathlib
import tempfile
import unittest

import checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDER = "    base -> model -> fit\n"


def found(check, sources):
    """What a check says of a small repository: {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in {"CONTRIBUTING.md": ORDER, **sources}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        return list(check(root))


def function_of(lines):
    return "int f(int x) {\n" + "  ++x;\n" * (lines - 2) + "}\n"


class Repository(unittest.TestCase):
    def test_has_the_structure_that_contributing_states(self):
        for check in checks.CHECKS:
            with self.subTest(check.__name__):
                self.assertEqual(list(check(ROOT)), [])

    def test_states_an_order_that_names_each_folder_of_src(self):
        folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
        self.assertEqual(folders, set(checks.stated_order(ROOT)))


class Includes(unittest.TestCase):
    def test_of_a_later_folder_are_found(self):
        sources = {"src/base/a.cc": '#include "model/b.h"\n', "src/model/b.h": '#include "base/c.h"\n', "src/base/c.h": ""}
        self.assertEqual(found(checks.includes_against_the_order, sources),
                         ['src/base/a.cc includes "model/b.h", which is not before src/base'])

    def test_of_the_command_line_in_the_library_are_found(self):
        sources = {"src/fit/a.cc": '#include "format.h"\n', "cli/format.h": ""}
        self.assertEqual(len(found(checks.includes_against_the_order, sources)), 1)

    def test_in_folders_without_a_place_are_found(self):
        self.assertEqual(len(found(checks.includes_against_the_order, {"src/new/a.cc": ""})), 1)

    def test_of_files_that_do_not_exist_are_found(self):
        self.assertEqual(len(found(checks.missing_includes, {"src/base/a.cc": '#include "base/b.h"\n'})), 1)

    def test_that_go_in_a_circle_are_found(self):
        sources = {"src/base/a.h": '#include "base/b.h"\n', "src/base/b.h": '#include "base/c.h"\n', "src/base/c.h": '#include "base/a.h"\n'}
        self.assertEqual(found(checks.cycles, sources), ["src/base/a.h -> src/base/b.h -> src/base/c.h -> src/base/a.h"])

    def test_of_other_libraries_in_public_headers_are_found(self):
        header = '#include <vector>\n#include <Eigen/Core>\n#include "ulisse/b.h"\n'
        sources = {"include/ulisse/a.h": header + '#include <fmt/format.h>\n#include "base/c.h"\n', "include/ulisse/b.h": "", "src/base/c.h": ""}
        self.assertEqual(len(found(checks.foreign_public_includes, sources)), 2)


class Lengths(unittest.TestCase):
    def test_of_files_are_limited(self):
        self.assertEqual(found(checks.long_files, {"cli/a.cc": "\n" * 300}), [])
        for path in "cli/a.cc", "tests/fit/a_test.cc", "src/report/page/a.js":
            self.assertEqual(len(found(checks.long_files, {path: "\n" * 301})), 1)

    def test_of_functions_are_limited(self):
        self.assertEqual(found(checks.long_functions, {"src/a.cc": function_of(50)}), [])
        self.assertEqual(len(found(checks.long_functions, {"src/a.cc": function_of(51)})), 1)

    def test_of_members_constructors_and_functions_in_namespaces_are_limited(self):
        constructor = "struct A {\n  A() : x_{1}, y_(2) {\n" + "  ++x_;\n" * 51 + "  }\n};\n"
        spread = "namespace a {\n// }\nint f(\n    int x = {}) {\n" + '  g("}");\n' * 48 + "}\n}\n"
        for text in constructor, spread:
            self.assertEqual(len(found(checks.long_functions, {"src/a.cc": text})), 1, text)

    def test_of_types_and_namespaces_are_not(self):
        text = "namespace {\nstruct A {\n" + "  int f() { return 1; }\n" * 60 + "};\n}\n"
        self.assertEqual(found(checks.long_functions, {"src/a.h": text}), [])

    def test_of_functions_in_python_are_limited(self):
        self.assertEqual(len(found(checks.long_functions, {"python/a.py": "def f(x):\n" + "    x += 1\n" * 50})), 1)


class Repetitions(unittest.TestCase):
    def test_of_more_than_ten_lines_are_found_once(self):
        lines = [f"int a{number};\n" for number in range(15)]
        with_comments = "".join("// A comment.\n\n  " + line for line in lines)
        self.assertEqual(len(found(checks.same_runs, {"cli/a.cc": "".join(lines), "src/b.cc": "int b;\n" + with_comments})), 1)
        self.assertEqual(len(found(checks.same_runs, {"src/b.cc": "".join(lines) * 2})), 1)

    def test_of_ten_lines_are_not(self):
        lines = [f"int a{number};\n" for number in range(10)]
        self.assertEqual(found(checks.same_runs, {"cli/a.cc": "".join(lines) + "int b;\n", "src/b.cc": "".join(lines) + "int c;\n"}), [])


if __name__ == "__main__":
    unittest.main()
