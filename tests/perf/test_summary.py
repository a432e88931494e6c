# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "perf")]

import results  # noqa: E402
import summary  # noqa: E402
from made_up_results import failed, median_of, run, write  # noqa: E402


def spmv(contender, matrix):
    return f"spmv/csr/{contender}/f64_i32/{matrix}/cold"


class Summary(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "results.json")

    def rows(self, runs, **options):
        write(self.path, runs)
        return summary.summarise(results.load([self.path])[1], replicates=200, **options)

    def row(self, rows, klass, peer):
        found = [row for row in rows if row["class"] == klass and row["peer"] == peer]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_names_give_operation_types_and_columns(self):
        fields = results.parse_name("spmm/csr/tiled/f32_i32/columns:64/cant/warm")
        self.assertEqual(fields["columns"], 64)
        self.assertEqual((fields["matrix"], fields["regime"]), ("cant", "warm"))
        self.assertEqual(results.parse_name(spmv("x", "cant"))["columns"], 1)
        with self.assertRaises(ValueError):
            results.parse_name("spmv/csr/cant")

    def test_ratio_is_the_geometric_mean_of_peer_time_over_ours(self):
        rows = self.rows(
            run(spmv("automatic", "a"), "araia", "fem", [1.0] * 5)
            + run(spmv("mkl_optimised", "a"), "mkl", "fem", [2.0] * 5)
            + run(spmv("automatic", "b"), "araia", "fem", [1.0] * 5)
            + run(spmv("mkl_optimised", "b"), "mkl", "fem", [8.0] * 5)
        )
        row = self.row(rows, "fem", "mkl")
        self.assertAlmostEqual(row["ratio"], 4.0)
        self.assertEqual(row["matrices"], 2)
        self.assertEqual((row["worst"], row["worst_matrix"]), (2.0, "a"))
        self.assertAlmostEqual(row["low"], 2.0)  # both draws may be matrix a
        self.assertAlmostEqual(row["high"], 8.0)

    def test_each_peer_counts_with_its_best_kernel_and_the_best_peer_over_all(self):
        rows = self.rows(
            run(spmv("automatic", "a"), "araia", "fem", [1.0] * 3)
            + run(spmv("mkl_optimised", "a"), "mkl", "fem", [3.0] * 3)
            + run(spmv("mkl_unoptimised", "a"), "mkl", "fem", [2.0] * 3)
            + run(spmv("eigen", "a"), "eigen", "fem", [1.5] * 3)
        )
        self.assertAlmostEqual(self.row(rows, "fem", "mkl")["ratio"], 2.0)
        self.assertAlmostEqual(self.row(rows, "fem", "eigen")["ratio"], 1.5)
        self.assertAlmostEqual(self.row(rows, "fem", summary.BEST)["ratio"], 1.5)

    def test_kernels_of_a_peer_can_be_shown_apart(self):
        runs = (
            run(spmv("automatic", "a"), "araia", "fem", [1.0] * 3)
            + run(spmv("mkl_optimised", "a"), "mkl", "fem", [3.0] * 3)
            + run(spmv("mkl_unoptimised", "a"), "mkl", "fem", [2.0] * 3)
        )
        rows = self.rows(runs, by_kernel=True)
        self.assertAlmostEqual(self.row(rows, "fem", "csr/mkl_optimised")["ratio"], 3.0)

    def test_only_our_kernels_that_match_count(self):
        runs = (
            run(spmv("automatic", "a"), "araia", "fem", [2.0] * 3)
            + run(spmv("vector_per_row", "a"), "araia", "fem", [1.0] * 3)
            + run(spmv("eigen", "a"), "eigen", "fem", [4.0] * 3)
        )
        self.assertAlmostEqual(self.row(self.rows(runs), "fem", "eigen")["ratio"], 2.0)
        self.assertAlmostEqual(self.row(self.rows(runs, ours_pattern="."), "fem", "eigen")["ratio"], 4.0)

    def test_what_a_user_gets_comes_first_each_by_itself(self):
        runs = (
            run("spmv/one_call/default/f64_i32/a/cold", "araia", "fem", [2.0] * 3)
            + run(spmv("automatic", "a"), "araia", "fem", [0.5] * 3)
            + run("spmv/plan/default/f64_i32/a/cold", "araia", "fem", [1.0] * 3, choice="sell/thread_per_row{x_8}")
            + run(spmv("eigen", "a"), "eigen", "fem", [4.0] * 3)
        )
        rows = [row for row in self.rows(runs) if row["peer"] == "eigen"]
        self.assertEqual([row["ours"] for row in rows], ["plan", "one call"])
        for row, ratio in zip(rows, (4.0, 2.0)):
            self.assertAlmostEqual(row["ratio"], ratio)
        self.assertEqual(rows[0]["chosen"], ["sell/thread_per_row{x_8}"])
        self.assertIn("sell/thread_per_row{x_8}", summary.text_table(rows))
        asked = [row for row in self.rows(runs, ours_pattern="automatic") if row["peer"] == "eigen"]
        self.assertEqual([row["ours"] for row in asked], ["automatic"])
        self.assertAlmostEqual(asked[0]["ratio"], 8.0)

    def test_rounds_of_two_sets_are_not_taken_for_the_same_moments(self):
        times = [1.0, 1.0, 5.0, 1.0, 5.0, 1.0, 5.0]
        ours = run(spmv("automatic", "a"), "araia", "fem", times, set=0)
        for where, same in ((0, True), (1, False)):
            peer = run(spmv("eigen", "a"), "eigen", "fem", [2 * t for t in times], set=where)
            row = self.row(self.rows(ours + peer), "fem", "eigen")
            self.assertEqual(row["low"] == row["high"], same)

    def test_classes_types_and_regimes_are_never_mixed(self):
        other = spmv("automatic", "a").replace("cold", "warm")
        rows = self.rows(
            run(spmv("automatic", "a"), "araia", "fem", [1.0] * 3) + run(other, "araia", "fem", [0.1] * 3)
            + run(spmv("eigen", "a"), "eigen", "fem", [2.0] * 3)
        )
        self.assertEqual([row["regime"] for row in rows if row["peer"] == "eigen"], ["cold"])

    def test_a_class_may_have_spaces(self):
        rows = self.rows(
            run(spmv("automatic", "a b"), "araia", "pruned layers, 0.9=most", [1.0] * 3)
            + run(spmv("eigen", "a b"), "eigen", "pruned layers, 0.9=most", [2.0] * 3)
        )
        self.assertAlmostEqual(self.row(rows, "pruned layers, 0.9=most", "eigen")["ratio"], 2.0)

    def test_matrices_of_one_name_and_two_classes_are_never_mixed(self):
        other = os.path.join(self.folder.name, "other.json")
        write(self.path, run(spmv("automatic", "a"), "araia", "fem", [1.0] * 3)
              + run(spmv("eigen", "a"), "eigen", "fem", [2.0] * 3))
        write(other, run(spmv("automatic", "a"), "araia", "lp", [1.0] * 5)
              + run(spmv("eigen", "a"), "eigen", "lp", [8.0] * 5))
        rows = summary.summarise(results.load([self.path, other])[1], replicates=200)
        self.assertAlmostEqual(self.row(rows, "fem", "eigen")["ratio"], 2.0)
        self.assertAlmostEqual(self.row(rows, "lp", "eigen")["ratio"], 8.0)

    def test_a_slow_round_that_hits_both_sides_leaves_the_confidence_narrow(self):
        times = [1.0, 1.0, 5.0, 1.0, 5.0, 1.0, 5.0]
        rows = self.rows(
            run(spmv("automatic", "a"), "araia", "fem", times)
            + run(spmv("eigen", "a"), "eigen", "fem", [2 * t for t in times])
        )
        row = self.row(rows, "fem", "eigen")
        self.assertAlmostEqual(row["low"], 2.0)
        self.assertAlmostEqual(row["high"], 2.0)

    def test_scattered_samples_widen_the_confidence(self):
        rows = self.rows(
            run(spmv("automatic", "a"), "araia", "fem", [1.0, 1.1, 0.9, 1.3, 0.8])
            + run(spmv("eigen", "a"), "eigen", "fem", [2.2, 1.8, 2.0, 2.6, 1.7])
        )
        row = self.row(rows, "fem", "eigen")
        self.assertLess(row["low"], row["ratio"])
        self.assertGreater(row["high"], row["ratio"])

    def test_aggregates_are_no_samples(self):
        write(self.path, run(spmv("eigen", "a"), "eigen", "fem", [1.0, 2.0, 3.0]) + [median_of(spmv("eigen", "a"), 9.0)])
        self.assertEqual(results.load([self.path])[1][0].seconds, [1.0, 2.0, 3.0])

    def test_failures_end_with_one_and_are_printed_while_left_out_ones_are_not(self):
        runs = run(spmv("automatic", "a"), "araia", "fem", [1.0] * 3)
        runs += [failed(spmv("eigen", "a"), "wrong result: row 3"), failed(spmv("ell", "a"), "left out: pads")]
        write(self.path, runs)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(summary.main([self.path, "--replicates=10"]), 1)
        self.assertIn("wrong result: row 3", output.getvalue())
        self.assertNotIn("left out", output.getvalue())

    def test_a_reader_that_has_enough_ends_it_quietly(self):
        write(self.path, run(spmv("automatic", "a"), "araia", "fem", [1.0] * 3))
        script = os.path.join(HERE, "..", "..", "perf", "summary.py")
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as closed:
            done = subprocess.run([sys.executable, script, self.path, "--json"], stdout=closed, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_file_that_holds_no_results_is_named_with_the_reason(self):
        texts = {"empty": "", "cut off": '{"context": {"device": "made up"}, "benchmarks": [', "a list": "[]",
                 "an object": "{}", "of another program": json.dumps({"context": {}, "benchmarks": [
                     {"name": "io/read", "run_name": "io/read", "run_type": "iteration", "label": ""}]})}
        for kind, text in texts.items():
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assert_refused(self.path, kind)
        self.assert_refused(os.path.join(self.folder.name, "absent.json"), "absent")
        self.assert_refused(self.folder.name, "a folder")

    def test_wrong_options_are_refused_with_their_name(self):
        write(self.path, run(spmv("automatic", "a"), "araia", "fem", [1.0]))
        for option in ["--ours=(", "--replicates=0", "--replicates=-1", "--replicates=2.5"]:
            errors = io.StringIO()
            with self.subTest(option), contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as end:
                summary.main([self.path, option])
            self.assertEqual(end.exception.code, 2)
            self.assertIn(option.split("=")[0] + ": expected", errors.getvalue())

    def assert_refused(self, path, kind):
        errors = io.StringIO()
        with self.subTest(kind), contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as end:
            summary.main([path])
        self.assertEqual(end.exception.code, 2)
        self.assertIn(f"error: {path}: ", errors.getvalue())

    def test_results_without_a_pair_say_so(self):
        write(self.path, run(spmv("default", "a"), "araia", "fem", [1.0] * 3))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(summary.main([self.path]), 0)
        self.assertIn("none: ", output.getvalue())

    def test_json_holds_the_context_and_every_ratio(self):
        write(
            self.path,
            run(spmv("automatic", "a"), "araia", "fem", [1.0] * 3) + run(spmv("eigen", "a"), "eigen", "fem", [2.0] * 3),
        )
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            self.assertEqual(summary.main([self.path, "--json", "--replicates=10"]), 0)
        document = json.loads(output.getvalue())
        self.assertEqual(document["context"]["device"], "made up")
        self.assertEqual({row["peer"] for row in document["ratios"]}, {"eigen", summary.BEST})


if __name__ == "__main__":
    unittest.main()
