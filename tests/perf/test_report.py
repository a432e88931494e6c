# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "perf")]

from made_up_results import failed, run, write  # noqa: E402

try:
    import report
except ModuleNotFoundError as missing:
    if missing.name != "matplotlib":
        raise
    report = None


@unittest.skipIf(report is None, "matplotlib is not installed")
class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        path = os.path.join(self.folder.name, "results.json")
        write(
            path,
            run("spmv/csr/automatic/f64_i32/a<b/cold", "araia", "fem", [1.0] * 3)
            + run("spmv/csr/eigen/f64_i32/a<b/cold", "eigen", "fem", [2.5] * 3)
            + [failed("spmv/ell/thread_per_row/f64_i32/a<b/cold", "left out: pads")],
        )
        output = os.path.join(self.folder.name, "report.html")
        self.assertEqual(report.main([path, "-o", output]), 0)
        with open(output, encoding="utf-8") as file:
            self.text = file.read()

    def test_the_page_needs_no_other_file(self):
        sources = re.findall(r'(?:src|href)="([^"]*)"', self.text)
        self.assertTrue(sources)
        for source in sources:
            self.assertTrue(source.startswith("data:image/png;base64,"))

    def test_ratios_rates_and_machine_are_on_the_page(self):
        self.assertIn("2.500", self.text)
        self.assertIn("csr/eigen", self.text)
        self.assertIn("made up", self.text)

    def test_what_was_left_out_is_named_with_its_reason(self):
        self.assertIn("left out: pads", self.text)

    def test_names_are_escaped(self):
        self.assertIn("a&lt;b", self.text)
        self.assertNotIn("a<b", self.text)


if __name__ == "__main__":
    unittest.main()
