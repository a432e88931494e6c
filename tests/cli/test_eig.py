# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""araia eig: values that are known, residuals of the vectors that it writes, how it ends, what it refuses."""

import math
import unittest

from command import RefusalTest, araia, araia_json, read_array, write_coordinates


def path_entries(n, middle, beside):
    return [(i, j, middle if i == j else beside) for i in range(n) for j in (i - 1, i, i + 1) if 0 <= j < n]


def times(entries, x):
    y = [0.0] * len(x)
    for i, j, value in entries:
        y[i] += value * x[j]
    return y


class Eig(RefusalTest):
    def setUp(self):
        super().setUp()
        self.n = 120
        self.entries = path_entries(self.n, 2.0, -1.0)
        self.file = self.path / "path.mtx"
        write_coordinates(self.file, self.n, self.n, self.entries)
        self.values = [4 * math.sin(math.pi * i / (2 * (self.n + 1))) ** 2 for i in range(1, self.n + 1)]

    def expect_pairs(self, report, vectors, mass=None):
        for column, pair in enumerate(report["pairs"]):
            x = [row[column] for row in vectors]
            ax = times(self.entries, x)
            bx = times(mass, x) if mass else x
            residual = math.dist(ax, [pair["value"] * b for b in bx])
            self.assertAlmostEqual(residual, pair["residual"], delta=1e-13)
            self.assertAlmostEqual(sum(a * b for a, b in zip(x, bx)), 1, delta=1e-12)
            self.assertLessEqual(pair["relative_residual"], report["tolerance"])

    def test_smallest_and_largest_with_vectors(self):
        out = self.path / "vectors.mtx"
        for options, expected in (((), self.values), (("--largest",), self.values[::-1])):
            report = araia_json("eig", self.file, "-k", "5", "-o", out, *options)
            self.assertEqual(report["status"], "converged")
            self.assertEqual(report["end"], "largest" if options else "smallest")
            self.assertEqual(report["mass"], None)
            self.assertEqual(len(report["pairs"]), 5)
            for pair, value in zip(report["pairs"], expected):
                self.assertAlmostEqual(pair["value"], value, delta=1e-9)
            self.expect_pairs(report, read_array(out))
        text = araia("eig", self.file, "-k", "2").stdout
        self.assertRegex(text, r"^converged in \d+ iterations, .* s, smallest values first\n")
        self.assertEqual(len(text.splitlines()), 4)

    def test_a_mass_a_preconditioner_a_seed_and_a_small_matrix(self):
        mass, out = self.path / "mass.mtx", self.path / "x.mtx.gz"
        weights = path_entries(self.n, 4.0, 1.0)
        write_coordinates(mass, self.n, self.n, weights)
        values = [v / (6 - v) for v in self.values]  # 4 + 2 cos = 6 - (2 - 2 cos)
        for options in (("--precondition", "jacobi"), ("--seed", "9"), ("--tolerance", "1e-10")):
            report = araia_json("eig", self.file, "--mass", mass, "-k", "3", *options)
            self.assertEqual(report["status"], "converged")
            for pair, value in zip(report["pairs"], values):
                self.assertAlmostEqual(pair["value"], value, delta=1e-8)
        plain = self.path / "x.mtx"
        report = araia_json("eig", self.file, "--mass", mass, "-k", "3", "-o", plain)
        self.expect_pairs(report, read_array(plain), weights)
        araia("eig", self.file, "-o", out)
        self.assertEqual(out.read_bytes()[:2], b"\x1f\x8b")
        small = self.path / "small.mtx"
        write_coordinates(small, 2, 2, [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)])
        report = araia_json("eig", small, "-k", "2")
        self.assertEqual(report["form"], "dense")
        for pair, value in zip(report["pairs"], (1, 3)):
            self.assertAlmostEqual(pair["value"], value, delta=1e-14)

    def test_what_has_not_converged_ends_with_1(self):
        report = araia_json("eig", self.file, "-k", "2", "--max-iterations", "3", code=1)
        self.assertEqual((report["status"], report["iterations"]), ("iteration_limit", 3))
        self.assertTrue(all(pair["residual"] > 0 for pair in report["pairs"]))
        bad = self.path / "nan.mtx"
        write_coordinates(bad, 30, 30, [(i, i, "nan" if i == 7 else 1.0) for i in range(30)])
        never = self.path / "never.mtx"
        report = araia_json("eig", bad, "-o", never, code=1)
        self.assertEqual((report["status"], report["pairs"][0]["value"]), ("breakdown", None))
        self.assertIsNone(report["output"])
        self.assertFalse(never.exists())
        self.assertNotIn("written", araia("eig", bad, "-o", never, code=1).stdout)
        negative = self.path / "negative.mtx"
        write_coordinates(negative, self.n, self.n, [(i, i, -1.0) for i in range(self.n)])
        self.assertEqual(araia_json("eig", self.file, "--mass", negative, code=1)["status"], "breakdown")

    def test_refusals(self):
        def refused(code, text, *arguments):
            self.assertIn(text, araia("eig", *arguments, code=code).stderr)

        wide, skew, other = self.path / "wide.mtx", self.path / "skew.mtx", self.path / "other.mtx"
        write_coordinates(wide, 2, 3, [(0, 0, 1.0)])
        write_coordinates(skew, 3, 3, [(0, 1, 1.0), (1, 0, 1.0 + 1e-9), (2, 2, 1.0)])
        write_coordinates(other, 3, 3, [(i, i, 1.0) for i in range(3)])
        refused(3, "is 2 x 3, expected a square matrix", wide)
        refused(3, "is not symmetric: A(1, 2) is 1, but A(2, 1) is", skew)
        refused(3, "is not symmetric", other, "--mass", skew)
        refused(3, "has 3 rows, expected those of FILE, 120", self.file, "--mass", other)
        refused(2, "expected at most the rows", other, "-k", "4")
        refused(2, "--pairs is '0', expected an integer from 1 to 64", other, "-k", "0")
        refused(2, "--pairs is '65'", other, "--pairs", "65")
        refused(2, "--tolerance is", other, "--tolerance", "0")
        refused(2, "is the same file as --mass", self.file, "--mass", other, "-o", other)
        complex_file = self.path / "complex.mtx"
        empty = self.path / "empty.mtx"
        write_coordinates(empty, 0, 0, [])
        refused(3, "empty.mtx' is 0 x 0, expected a row at least", empty)
        refused(3, f"--mass {self.path / 'none.mtx'}: cannot open", other, "--mass", self.path / "none.mtx")
        write_coordinates(complex_file, 1, 1, [(0, 0, 1.0, 2.0)], field="complex")
        refused(3, "is complex, expected a real matrix", complex_file)


if __name__ == "__main__":
    unittest.main()
