# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The README's picture of a terminal: text that every renderer shows in its columns, made by scripts/terminal_svg.py."""

import io
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "terminal_svg.py"
PICTURE = ROOT / "docs" / "demo.svg"
sys.path.insert(0, str(SCRIPT.parent))
sys.dont_write_bytecode = True

import terminal_svg  # noqa: E402

NAMESPACE = "{http://www.w3.org/2000/svg}"
PRINTED = """\
a<b & c.mtx: 4 x 4, 12 entries, 3 a row, mean 3; values: file

#   format  kernel                bytes    time  vs csr  verified
1   sell    host_simd             64 B     1 us   2.00x       yes
2   ell     thread_per_row        80 B   1.5 us   1.33x       yes
3   csr     balanced              99 B   1.9 us   1.05x       yes
10  csr     host_simd (default)   99 B     2 us   1.00x       yes
11  coo     segmented            120 B    10 us   0.20x       yes
   bsr/lanes_on_blocks{block_rows 2, block_cols 2}: not tried: it would take 1 s: out of budget
   coo/atomic: pruned: modelled at 6.5 ms, 15 times the best

winner: sell/host_simd, 2.00 times as fast as the default of csr
the machine is busy: timings spread by 30%
"""


def rows(svg):
    """Lines of text that a picture shows, from the places of its texts alone."""
    lines = {}
    for text in texts(svg):
        row = round((float(text.get("y")) - terminal_svg.MARGIN - terminal_svg.FONT_SIZE) / terminal_svg.LINE)
        column = round((float(text.get("x")) - terminal_svg.MARGIN) / terminal_svg.ADVANCE)
        line = lines.get(row, "")
        assert column >= len(line), f"texts overlap in row {row}: {text.text}"
        lines[row] = line.ljust(column) + text.text
    return [lines.get(row, "") for row in range(max(lines) + 1)]


def texts(svg):
    return list(xml.etree.ElementTree.fromstring(svg).iter(f"{NAMESPACE}text"))


def picture(text, *arguments):
    target = io.StringIO()
    terminal_svg.main(arguments, io.StringIO(text), target)
    return target.getvalue()


class Form(unittest.TestCase):
    """Held for the committed picture, and for one of text that has all that makes trouble."""

    def setUp(self):
        self.pictures = [PICTURE.read_text(encoding="utf-8"), picture(PRINTED, "--prompt", "araia  tune 'a<b & c.mtx'")]

    def test_no_text_depends_on_spaces_in_a_row(self):
        for svg in self.pictures:
            self.assertTrue(texts(svg))
            for text in texts(svg):
                self.assertEqual(text.text, " ".join(text.text.split()), "spaces that a renderer may drop")

    def test_texts_lie_within_the_view_box(self):
        for svg in self.pictures:
            left, top, width, height = map(float, xml.etree.ElementTree.fromstring(svg).get("viewBox").split())
            for text in texts(svg):
                x, y = float(text.get("x")), float(text.get("y"))
                self.assertGreater(x, left)
                self.assertLess(x + float(text.get("textLength")), left + width, text.text)
                self.assertGreater(y - terminal_svg.FONT_SIZE, top)
                self.assertLess(y, top + height, text.text)

    def test_a_text_is_as_long_as_its_columns(self):
        for svg in self.pictures:
            for text in texts(svg):
                self.assertAlmostEqual(float(text.get("textLength")), terminal_svg.ADVANCE * len(text.text), delta=0.06)

    def test_pictures_need_no_font_script_or_file(self):
        for svg in self.pictures:
            for element in xml.etree.ElementTree.fromstring(svg).iter():
                self.assertIn(element.tag.removeprefix(NAMESPACE), ("svg", "rect", "g", "text"))
                self.assertNotIn("url(", " ".join(element.attrib.values()))

    def test_what_a_picture_shows_makes_the_same_picture(self):
        for svg in self.pictures:
            self.assertEqual(terminal_svg.svg(rows(svg)), svg)


class Cut(unittest.TestCase):
    def test_all_lines_but_late_ranks_and_candidates_that_were_not_timed_are_shown(self):
        printed = PRINTED.splitlines()
        shown = rows(picture(PRINTED))
        self.assertEqual(shown, [*printed[:7], "...", *printed[10:]])

    def test_the_default_stays_however_slow(self):
        lines = terminal_svg.cut(PRINTED.splitlines(), ranks=1)
        self.assertEqual([line[:2] for line in lines[3:7]], ["1 ", "..", "10", ".."])

    def test_the_command_stands_above_its_output(self):
        self.assertEqual(rows(picture(PRINTED, "--prompt", "araia tune a.mtx"))[0], "$ araia tune a.mtx")

    def test_long_lines_go_on_in_the_next_and_lose_no_word(self):
        line = "why:    " + "it moves 21.4 MiB a product, " * 8
        shown = rows(picture(line))
        self.assertGreater(len(shown), 1)
        self.assertEqual(" ".join(shown).split(), line.split())
        for i, part in enumerate(shown):
            self.assertLessEqual(len(part), terminal_svg.COLUMNS)
            self.assertTrue(i == 0 or part.startswith(" " * 8))

    def test_a_row_of_the_ranking_is_never_broken(self):
        row = "1   csr  " + "k" * terminal_svg.COLUMNS + "  20 MiB  yes"
        self.assertEqual(rows(picture(row)), [row])


class Command(unittest.TestCase):
    def test_it_reads_standard_input_and_is_stable(self):
        runs = [
            subprocess.run([sys.executable, SCRIPT, "--prompt", "x"], input=PRINTED, capture_output=True, text=True, check=True)
            for _ in range(2)
        ]
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertEqual(runs[0].stdout, picture(PRINTED, "--prompt", "x"))

    def test_nothing_to_draw_is_an_error_that_says_so(self):
        run = subprocess.run([sys.executable, SCRIPT], input="\n", capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("nothing on standard input", run.stderr)
        self.assertEqual(run.stdout, "")


if __name__ == "__main__":
    unittest.main()
