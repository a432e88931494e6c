# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages say what the programs do: C++ snippets are taken from compiled programs, links lead somewhere, and the
picture shows what it should (test_terminal_svg.py, which runs with this)."""

import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
from test_terminal_svg import Command, Cut, Form  # noqa: E402, F401

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "perf").rglob("*.md")])


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


class Pages(unittest.TestCase):
    def test_cpp_snippets_stand_in_programs_that_are_compiled(self):
        programs = [lines(p.read_text()) for d in ("examples", "tests/consumer") for p in (ROOT / d).rglob("*.cpp")]
        snippets = 0
        for page in PAGES:
            for snippet in re.findall(r"```cpp\n(.*?)```", page.read_text(), re.S):
                wanted = lines(snippet)
                snippets += 1
                found = any(
                    wanted == program[i : i + len(wanted)]
                    for program in programs
                    for i in range(len(program) - len(wanted) + 1)
                )
                self.assertTrue(found, f"{page.relative_to(ROOT)}: no example holds\n{snippet}")
        self.assertGreater(snippets, 0)

    def test_links_lead_to_files(self):
        for page in PAGES:
            for link in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
                if not re.match(r"[a-z]+:", link):
                    self.assertTrue((page.parent / link).exists(), f"{page.relative_to(ROOT)}: {link}")

    def test_every_format_has_a_page_with_its_bytes(self):
        headers = [h for h in (ROOT / "include/araia/formats").glob("*.hpp") if "format_name = " in h.read_text()]
        self.assertGreaterEqual(len(headers), 8)
        for header in headers:
            page = ROOT / "docs/formats" / f"{header.stem}.md"
            self.assertIn("**Bytes**", page.read_text() if page.exists() else "", page.name)


if __name__ == "__main__":
    unittest.main()
