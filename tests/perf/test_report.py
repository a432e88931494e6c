# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import base64
import os
import re
import sys
import tempfile
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "perf")]

import results  # noqa: E402
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

    def test_plots_of_many_classes_are_cut(self):
        path = os.path.join(self.folder.name, "many.json")
        write(path, [one for i in range(100) for one in run(f"spmv/csr/automatic/f64_i32/m{i}/cold", "araia", f"class{i}", [1.0])])
        output = os.path.join(self.folder.name, "many.html")
        self.assertEqual(report.main([path, "-o", output]), 0)
        with open(output, "rb") as file:
            plots = re.findall(rb"base64,([^\"]*)", file.read())
        self.assertGreater(len(plots), 2)  # of speed and of the roof
        for plot in plots:
            width = int.from_bytes(base64.b64decode(plot)[16:20], "big")  # of a PNG's header
            self.assertLess(width, 1.1 * report.WIDEST * 110)

    def test_a_class_has_a_plan_the_fastest_of_ours_and_the_fastest_peer(self):
        path = os.path.join(self.folder.name, "sides.json")
        write(
            path,
            run("spmv/plan/default/f64_i32/a/cold", "araia", "fem", [2.0] * 3, choice="csr/balanced")
            + run("spmv/sell/plain/f64_i32/a/cold", "araia", "fem", [1.0] * 3)
            + run("spmv/sell/f32_matrix/f64_i32/a/cold", "araia", "fem", [0.5] * 3)
            + run("spmv/csr/eigen/f64_i32/a/cold", "eigen", "fem", [4.0] * 3)
            + run("spmv/csr/mkl_optimised/f64_i32/a/cold", "mkl", "fem", [3.0] * 3),
        )
        ((setting, classes),) = report.by_class(results.load([path])[1]).items()
        self.assertEqual(setting, ("spmv", "f64_i32", 1, "cold"))
        ((found,),) = classes.values()
        self.assertEqual(
            {name: one.contender for name, one in found.items()},
            {report.PLAN: "plan/default", report.FASTEST: "sell/plain", report.PEER: "csr/mkl_optimised"},
        )
        self.assertAlmostEqual(report.rate(found[report.FASTEST]), 2e-6)  # 1000 nonzeros in a second

    def rows_of(self, runs):
        """(rows beside the fastest peer, rows beside each peer) of made-up runs."""
        path = os.path.join(self.folder.name, "rows.json")
        write(path, runs)
        return report.peers_apart(report.summarise(results.load([path])[1]))

    def test_a_sole_peer_stands_once_and_under_its_name(self):
        fastest, each = self.rows_of(
            run("spmv/plan/default/f64_i32/a/cold", "araia", "fem", [1.0] * 3)
            + run("spmv/csr/mkl/f64_i32/a/cold", "mkl", "fem", [3.0] * 3)
        )
        self.assertEqual([row["peer"] for row in fastest], ["mkl"])
        self.assertEqual(each, [])
        self.assertEqual(self.text.count("<td class=\"number\">2.500</td>"), 1)
        self.assertNotIn(report.BEST, self.text)

    def test_of_several_peers_the_fastest_and_each_have_a_row(self):
        fastest, each = self.rows_of(
            run("spmv/plan/default/f64_i32/a/cold", "araia", "fem", [1.0] * 3)
            + run("spmv/csr/mkl/f64_i32/a/cold", "mkl", "fem", [3.0] * 3)
            + run("spmv/csr/eigen/f64_i32/a/cold", "eigen", "fem", [4.0] * 3)
        )
        self.assertEqual([row["peer"] for row in fastest], ["the fastest of eigen, mkl"])
        self.assertEqual([(row["peer"], round(row["ratio"], 9)) for row in each], [("eigen", 4.0), ("mkl", 3.0)])

    def test_bars_of_a_class_are_of_the_same_matrices(self):
        path = os.path.join(self.folder.name, "common.json")
        write(
            path,
            run("spmv/plan/default/f64_i32/a/cold", "araia", "fem", [1.0] * 3)
            + run("spmv/csr/mkl/f64_i32/a/cold", "mkl", "fem", [2.0] * 3)
            + run("spmv/plan/default/f64_i32/b/cold", "araia", "fem", [100.0] * 3),
        )
        heights = {}

        def record(title, unit, groups, labels, names, value, line=None):
            heights.update({name: value("fem", name) for name in names})
            self.assertEqual(labels, ["fem (1)"])
            return ""

        settings = report.by_class(results.load([path])[1])
        with unittest.mock.patch.object(report, "grouped_bars", record):
            list(report.class_plots(settings, "speed", "Gflop/s", report.rate))
        self.assertAlmostEqual(heights[report.PLAN], 2 * heights[report.PEER])

    def test_one_matrix_has_no_interval(self):
        self.assertIn("one matrix", self.text)
        self.assertNotIn("2.500 to 2.500", self.text)

    def test_what_was_left_out_is_named_with_its_reason(self):
        self.assertIn("left out: pads", self.text)

    def test_names_are_escaped(self):
        self.assertIn("a&lt;b", self.text)
        self.assertNotIn("a<b", self.text)


if __name__ == "__main__":
    unittest.main()
