# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks and explanations of `araia tune`, and what `araia multiply` makes of them."""

import itertools
import json
import signal
import subprocess
import time
import unittest

from command import (ARAIA, FORMATS, CommandTest, araia, araia_json, has_all_types, host_device,
                     read_array, write_array, write_coordinates)


class TuneAndMultiply(CommandTest):
    # ---- tune ----

    def test_tune_ranks_verifies_and_explains(self):
        report = araia_json("tune", self.matrix, "--budget", "2")
        self.assertTrue(report["verified"]["ok"])
        self.assertTrue(report["verified"]["whole"])
        timed = [c for c in report["candidates"] if c["status"] == "timed"]
        self.assertGreater(len(timed), 1)
        for candidate in timed:
            self.assertTrue(candidate["verified"]["ok"])
            self.assertGreater(candidate["seconds"], 0)
        self.assertEqual(report["winner"], report["candidates"][0]["choice"])
        text = araia("tune", self.matrix, "--budget", "20").stdout
        for word in ("GFLOP/s", "roof", "winner: ", "conversion: ", "verified: all of the result"):
            self.assertIn(word, text)

    def test_candidates_have_the_same_members_timed_or_not(self):
        timed = araia_json("tune", self.matrix, "--budget", "20", "--assume-bandwidth")
        untimed = araia_json("tune", self.matrix, "--budget", "0", "--assume-bandwidth")
        self.assertEqual(timed.keys(), untimed.keys())
        self.assertEqual((timed["measured"], untimed["measured"]), (True, False))
        self.assertEqual((timed["out_of_budget"], untimed["out_of_budget"]), (False, True))
        measured = ("seconds", "spread", "samples", "flop_per_second", "bytes_per_second", "roof_share")
        members = list(timed["candidates"][0])
        for candidate in timed["candidates"] + untimed["candidates"]:
            self.assertEqual(list(candidate), members)
            for member in measured:
                self.assertEqual(candidate[member] is not None, candidate["status"] == "timed", member)
            self.assertEqual(candidate["conversion_seconds"] is None, candidate["verified"] is None)
        # The model chose; the winner alone was verified, after the tuning.
        first, *others = untimed["candidates"]
        self.assertEqual((first["choice"], first["status"]), (untimed["winner"], "modelled"))
        self.assertIsNone(first["verified"])
        self.assertTrue(untimed["verified"]["ok"])
        self.assertEqual(untimed["remark"], "nothing was timed: the budget is 0 s")
        self.assertEqual(timed["remark"], "")
        self.assertIn("out_of_budget", {c["status"] for c in others})
        for candidate in others:
            self.assertIsNone(candidate["verified"])
            self.assertEqual(candidate["status"] == "out_of_budget", "out of budget" in candidate["reason"])
        self.assertNotIn("out_of_budget", {c["status"] for c in timed["candidates"]})

    def test_without_a_budget_tune_takes_what_multiply_takes(self):
        rows = 2000
        tridiagonal = [(i, j, 2 if i == j else -1) for i in range(rows) for j in (i - 1, i, i + 1) if 0 <= j < rows]
        skewed = [(0, j, 1) for j in range(1200)] + [(i, i % 1200, 1) for i in range(1, 4000)]
        output = str(self.path / "y.mtx")
        for name, shape, entries in (("tridiagonal", (rows, rows), tridiagonal), ("skewed", (4000, 1200), skewed)):
            path = str(self.path / (name + ".mtx"))
            write_coordinates(path, *shape, entries)
            for op in ((), ("--transpose",)):
                with self.subTest(matrix=name, op=op):
                    tuned = araia_json("tune", path, "--budget", "0", *op)
                    multiplied = araia_json("multiply", path, "-o", output, *op)
                    self.assertEqual(tuned["winner"], multiplied["choice"])
                    open_ones = [c["modelled_seconds"] for c in tuned["candidates"]
                                 if c["status"] in ("modelled", "out_of_budget")]
                    self.assertEqual(open_ones[0], min(open_ones))

    def test_padding_does_not_break_the_budget(self):
        path = str(self.path / "long_row.mtx")
        cols = 6000
        write_coordinates(path, 30000, cols, [(0, j, 1) for j in range(cols)] +
                          [(i, i % cols, 1) for i in range(1, 30000)])
        report = araia_json("tune", path, "--budget", "1", "--assume-bandwidth")
        ell = [c for c in report["candidates"] if c["format"] == "ell"]
        self.assertGreater(len(ell), 0)
        for candidate in ell:  # 2 GB of an Ell where the Csr takes half a megabyte
            self.assertNotEqual(candidate["status"], "timed")
            self.assertGreater(candidate["modelled_conversion_seconds"], 0.1)
        self.assertLess(report["tuning_seconds"], 8)  # which two conversions take, on a busy machine the rest does not

    def test_what_cannot_be_timed_within_the_budget_is_said_first(self):
        path = str(self.path / "three.mtx")
        write_coordinates(path, 3, 3, [(0, 0, 1), (1, 1, 2), (2, 2, 3), (0, 2, 1)])
        options = ("--columns", "4000000", "--budget", "0.01", "--assume-bandwidth")
        report = araia_json("tune", path, *options)
        self.assertFalse(report["measured"])
        self.assertTrue(report["remark"].startswith("nothing was timed: "), report["remark"])
        self.assertTrue(araia("tune", path, *options).stdout.startswith(report["remark"]))

    def test_products_that_follow_are_paid_for(self):
        once = araia_json("tune", self.matrix, "--products", "1", "--assume-bandwidth")
        self.assertEqual((once["products"], once["measured"]), (1, False))
        self.assertIn("1 products pay for", once["remark"])
        araia("tune", self.matrix, "--products", "-1", code=2)

    def test_an_interrupt_gives_the_ranking_so_far(self):
        path = self.path / "large.mtx"
        rows = 30000
        write_coordinates(path, rows, rows, [(i, (i * k * 7919) % rows, 1 + k) for i in range(rows) for k in range(8)])
        command = [ARAIA, "tune", str(path), "--columns", "64", "--budget", "600", "--assume-bandwidth", "--json"]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        while run.poll() is None:  # before the tuning begins the signal ends the command
            run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=120)
        if run.returncode == -signal.SIGINT:
            self.skipTest("the machine is busy: the file was not read in two seconds")
        self.assertEqual(run.returncode, 0)
        report = json.loads(out)
        self.assertTrue(report["cancelled"])
        self.assertLess(report["tuning_seconds"], 100)
        self.assertTrue(report["verified"]["ok"])

    def test_tune_takes_columns_types_and_transposes(self):
        for options in (("--columns", "7"), ("--op", "spmm"), ("--transpose",), ("--type", "f32"),
                        ("--type", "f32_f64", "--columns", "3"), ("--type", "c64"), ("--deterministic",),
                        ("--format", "ell"), ("--format", "sell+diagonals"), ("--format", "bcsc+compact", "--columns", "5")):
            if "--type" in options and not has_all_types():
                araia("tune", self.matrix, *options, code=2)
                continue
            with self.subTest(options=options):
                report = araia_json("tune", self.matrix, "--budget", "0.2", "--assume-bandwidth", *options)
                self.assertTrue(report["verified"]["ok"])
                self.assertEqual(report["op"], "spmm" if "--columns" in options or "--op" in options else "spmv")

    def test_tune_names_precisions(self):
        if not has_all_types():
            return
        host = host_device()
        options = ("--columns", "4", "--type", "f32", "--budget", "0.2", "--assume-bandwidth", "--device", host)
        plain = araia_json("tune", self.matrix, *options)
        self.assertEqual(plain["precision"], "native")
        report = araia_json("tune", self.matrix, *options, "--precision", "tf32")
        self.assertEqual(report["precision"], "tf32")
        self.assertTrue(report["verified"]["ok"])
        # A permission that no kernel of a host uses.
        self.assertEqual({c["precision"] for c in report["candidates"]}, {"native"})

    def test_values_of_a_pattern_are_recorded_and_repeat(self):
        layer = self.path / "layer.smtx"
        layer.write_text("2, 3, 3\n0 2 3\n0 2 1\n")
        self.assertEqual(araia_json("info", layer)["matrix"]["values"], "random:1")
        outputs = []
        for seed in ("random:1", "random:1", "random:2", "ones"):
            out = self.path / "Y.mtx"
            araia("multiply", layer, "--values", seed, "-o", out)
            outputs.append(read_array(out))
        self.assertEqual(outputs[0], outputs[1])
        self.assertNotEqual(outputs[0], outputs[2])
        self.assertEqual(outputs[3], [[2.0], [1.0]])
        for wrong in ("random:", "random:x", "random:-1", "twos"):
            araia("info", layer, "--values", wrong, code=2)
        pattern = self.path / "P.mtx"
        write_coordinates(pattern, 2, 2, [(0, 0), (1, 1)], "pattern")
        self.assertEqual(araia_json("info", pattern)["matrix"]["values"], "ones")
        renamed = self.path / "P.smtx"  # is what it holds, whatever its name
        renamed.write_text(pattern.read_text())
        self.assertEqual(araia_json("info", renamed)["matrix"]["values"], "ones")

    def test_ones_are_one_for_a_place(self):
        pattern, out = self.path / "P.mtx", self.path / "Y.mtx"
        write_coordinates(pattern, 2, 2, [(0, 0), (0, 0), (1, 1)], "pattern")
        for values in ((), ("--values", "ones")):
            araia("multiply", pattern, *values, "-o", out)
            self.assertEqual(read_array(out), [[1.0], [1.0]])
        write_coordinates(self.matrix, 2, 2, [(0, 0, 1.0), (1, 1, 1.0)])
        araia("multiply", self.matrix, "--rhs", pattern, "-o", out)  # an operand alike
        self.assertEqual(read_array(out), [[1.0, 0.0], [0.0, 1.0]])

    # ---- multiply ----

    def product(self, x, transpose, alpha, beta, initial):
        rows = 9 if transpose else 13
        y = [[beta * initial[i][c] for c in range(len(x[0]))] for i in range(rows)]
        for i, j, a in self.entries:
            to, source = (j, i) if transpose else (i, j)
            for c in range(len(x[0])):
                y[to][c] += alpha * a * x[source][c]
        return y

    def test_multiply_equals_the_reference(self):
        out = self.path / "Y.mtx"
        rhs, initial = self.path / "X.mtx", self.path / "Y0.mtx"
        cases = list(itertools.product(FORMATS, (False, True), (1, 4)))
        for number, (format, transpose, columns) in enumerate(cases):
            alpha, beta = ((1, 0), (2.5, -1), (0, 0.5))[number % 3]
            rows, cols = (9, 13) if transpose else (13, 9)
            x = [[self.random.uniform(-1, 1) for _ in range(columns)] for _ in range(cols)]
            y0 = [[self.random.uniform(-1, 1) for _ in range(columns)] for _ in range(rows)]
            write_array(rhs, x)
            write_array(initial, y0)
            arguments = ["multiply", self.matrix, "--rhs", rhs, "--initial", initial, "--format", format,
                         "--alpha", alpha, "--beta", beta, "-o", out, "--verify"]
            with self.subTest(format=format, transpose=transpose, columns=columns):
                warning = araia(*arguments, *(["--transpose"] if transpose else [])).stderr
                self.assertEqual("--initial does not count" in warning, beta == 0)
                expected = self.product(x, transpose, alpha, beta, y0)
                for got, want in zip(itertools.chain(*read_array(out)), itertools.chain(*expected), strict=True):
                    self.assertAlmostEqual(got, want, delta=1e-14)

    def test_every_kernel_that_tune_names_multiplies(self):
        reference = self.path / "reference.mtx"
        araia("multiply", self.matrix, "-o", reference, "--format", "csr")
        out = self.path / "Y.mtx"
        for candidate in araia_json("tune", self.matrix, "--budget", "0", "--assume-bandwidth")["candidates"]:
            arguments = ("multiply", self.matrix, "--format", candidate["format"], "--kernel", candidate["kernel"])
            araia(*arguments, "-o", out)
            for got, want in zip(read_array(out), read_array(reference), strict=True):
                self.assertAlmostEqual(got[0], want[0], delta=1e-14)

    def test_kernels_are_taken_as_tune_prints_them(self):
        text = araia("tune", self.matrix, "--budget", "0", "--assume-bandwidth").stdout
        printed = [line.strip().split(": ")[0] for line in text.splitlines() if line.startswith("   ")]
        self.assertIn("csr/thread_per_row{rows_per_team 128}", printed)
        for kernel in printed:
            done = araia("multiply", self.matrix, "-o", self.path / "Y.mtx", "--kernel", kernel)
            self.assertIn(f" by {kernel}\n", done.stdout)
        kernel = "thread_per_row{rows_per_team 128}"
        done = araia("multiply", self.matrix, "-o", self.path / "Y.mtx", "--kernel", kernel, "--format", "csr")
        self.assertIn(f" by csr/{kernel}\n", done.stdout)

    def test_beta_without_an_initial_result_is_warned_of(self):
        multiply = ("multiply", self.matrix, "-o", self.path / "Y.mtx")
        self.assertEqual(araia(*multiply, "--beta", "-2.5").stderr,
                         "araia: warning: --beta is -2.5, but without --initial Y0 is zeros, so that it does not count\n")
        for beta in ("0", "-0"):
            self.assertEqual(araia(*multiply, f"--beta={beta}").stderr, "")

    def test_fill_that_is_multiplied_is_warned_of(self):
        write_coordinates(self.matrix, 4, 4, [(0, 0, 1.0), (1, 1, 1.0), (3, 2, 1.0)])
        rhs = self.path / "X.mtx"
        arguments = ("multiply", self.matrix, "--rhs", rhs, "-o", self.path / "Y.mtx", "--format")
        for value, format, warned in ((float("nan"), "bsr", True), (float("inf"), "bsr", True), (2.0, "bsr", False),
                                      (float("nan"), "csr", False), (float("inf"), "sell", False)):
            write_array(rhs, [[value], [1.0], [1.0], [1.0]])
            with self.subTest(value=value, format=format):
                self.assertEqual("warning: X has" in araia(*arguments, format).stderr, warned)

    def test_shapes_that_do_not_fit_exit_with_3(self):
        short = self.path / "X.mtx"
        write_array(short, [[1.0]] * 8)
        for option, expected in (("--rhs", "expected 9 rows"), ("--initial", "expected 13 x 1")):
            refused = araia("multiply", self.matrix, option, short, "-o", self.path / "Y.mtx", code=3).stderr
            self.assertIn(f"{option} '{short}' is 8 x 1, {expected}", refused)
            self.assertFalse((self.path / "Y.mtx").exists())

    def test_conjugate_transpose_conjugates(self):
        if not has_all_types():
            self.skipTest("complex matrices are not in this build")
        write_coordinates(self.matrix, 1, 1, [(0, 0, 1.0, 2.0)], "complex")
        out = self.path / "Y.mtx"
        araia("multiply", self.matrix, "--conjugate-transpose", "-o", out)
        self.assertEqual(read_array(out), [[1 - 2j]])
        araia("multiply", self.matrix, "--transpose", "-o", out)
        self.assertEqual(read_array(out), [[1 + 2j]])
        araia("multiply", self.matrix, "--conjugate", "-o", out)
        self.assertEqual(read_array(out), [[1 - 2j]])
        araia("tune", self.matrix, "--type", "f64", code=2)

    def test_conjugate_keeps_rows_rows(self):
        out = self.path / "Y.mtx"
        araia("multiply", self.matrix, "-o", out)
        plain = read_array(out)
        said = araia_json("multiply", self.matrix, "--conjugate", "--verify", "-o", out)
        self.assertEqual(said["op"], "conjugate")
        self.assertTrue(said["verified"]["ok"])
        self.assertEqual(read_array(out), plain)
        for other in ("--transpose", "--conjugate-transpose"):
            araia("multiply", self.matrix, "--conjugate", other, "-o", out, code=2)


if __name__ == "__main__":
    unittest.main()
