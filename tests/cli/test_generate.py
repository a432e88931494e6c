# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices that the command makes: sizes, files, and what it refuses."""

import gzip
import re
import unittest

from command import FolderTest, RefusalTest, araia, araia_json

KINDS = ("stencil7", "stencil27", "fem", "lattice4", "orbitals", "power_grid", "banded", "uniform", "power_law",
         "circuit", "lp", "pruned", "row_lengths")


def entries(path):
    """Size and entries of a Matrix Market file, from 0."""
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)
    with opened as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("%")]
    rows, cols, count = map(int, lines[0].split())
    found = [(int(i) - 1, int(j) - 1, float(value)) for i, j, value in (line.split() for line in lines[1:])]
    assert len(found) == count
    return rows, cols, found


class Generate(FolderTest):
    def test_every_kind_makes_what_it_reports(self):
        for kind in (*KINDS, "like:cant", "like:mac_econ_fwd500", "like:SiO"):
            with self.subTest(kind=kind):
                report = araia_json("generate", kind, "--rows", 200, "-o", self.matrix)
                self.assertEqual((report["command"], report["kind"], report["seed"]), ("generate", kind, 0))
                self.assertEqual((report["file"], report["format"]), (str(self.matrix), "matrix_market"))
                self.assertEqual(report["file_bytes"], self.matrix.stat().st_size)
                rows, cols, found = entries(self.matrix)
                self.assertGreaterEqual(rows, 200)
                self.assertEqual((rows, cols, len(found)), (report["rows"], report["cols"], report["nnz"]))
                places = [(i, j) for i, j, _ in found]
                self.assertEqual(places, sorted(set(places)))
                self.assertTrue(all(value != 0 and 0 <= i < rows and 0 <= j < cols for i, j, value in found))
                self.assertTrue(report["class"])

    def test_help_names_every_kind(self):
        text = araia("generate", "--help").stdout
        for kind in (*KINDS, "like:webbase-1M"):
            self.assertIn(kind, text)

    def test_symmetric_kinds_are(self):
        for kind in ("stencil7", "fem", "orbitals", "power_grid", "like:pwtk"):
            with self.subTest(kind=kind):
                araia("generate", kind, "--rows", 150, "--seed", 3, "-o", self.matrix)
                found = {(i, j): value for i, j, value in entries(self.matrix)[2]}
                self.assertEqual(found, {(j, i): value for (i, j), value in found.items()})

    def test_all_but_kind_and_output_have_defaults(self):
        report = araia_json("generate", "lp", "-o", self.matrix)
        self.assertEqual((report["rows"], report["cols"]), (2000, 100000))
        report = araia_json("generate", "like:TSC_OPF_1047", "-o", self.path / "A.araia")
        self.assertEqual((report["rows"], report["cols"]), (8140, 8140))
        self.assertAlmostEqual(report["nnz"] / 2012833, 1, delta=0.03)

    def test_options_set_size_and_entries(self):
        report = araia_json("generate", "uniform", "--rows", 30, "--cols", 50, "--entries-per-row", 7, "-o", self.matrix)
        self.assertEqual((report["rows"], report["cols"], report["nnz"]), (30, 50, 210))
        report = araia_json("generate", "uniform", "--rows", 30, "--cols", 50, "--fill", 0.2, "-o", self.matrix)
        self.assertEqual(report["nnz"], 300)
        report = araia_json("generate", "pruned", "--rows", 30, "--cols", 50, "--fill", 1, "-o", self.matrix)
        self.assertEqual(report["nnz"], 1500)
        self.assertEqual(araia_json("generate", "stencil27", "--rows", 28, "-o", self.matrix)["rows"], 64)

    def test_seeds_differ_and_the_same_seed_gives_the_same_bytes(self):
        def made(*seed):
            araia("generate", "pruned", "--rows", 40, *seed, "-o", self.matrix)
            return entries(self.matrix)

        self.assertEqual(made(), made("--seed", 0))
        self.assertEqual(made("--seed", 2**64 - 1), made("--seed", 2**64 - 1))
        self.assertNotEqual(made("--seed", 1), made("--seed", 2))

    def test_files_of_all_suffixes_hold_the_same_matrix(self):
        native, packed, text = self.path / "A.araia", self.path / "A.araia.gz", self.path / "B.mtx"
        zipped = self.path / "A.mtx.gz"
        for out in (self.matrix, native, packed, zipped):
            report = araia_json("generate", "circuit", "--rows", 300, "-o", out)
            self.assertEqual(report["format"], "csr" if "araia" in out.name else "matrix_market")
        expected = entries(self.matrix)
        self.assertEqual(entries(zipped), expected)
        for file in (native, packed):
            araia("convert", file, text)
            self.assertEqual(entries(text), expected)

    def test_the_comment_makes_it_again(self):
        araia("generate", "uniform", "--rows", 9, "--cols", 20, "--fill", 0.25, "--seed", 5, "-o", self.matrix)
        comment = re.search(r"^% ?araia (.*)$", self.matrix.read_text(), re.M)[1]
        self.assertEqual(comment, "generate uniform --rows 9 --cols 20 --fill 0.25 --seed 5")
        again = self.path / "B.mtx"
        araia(*comment.split(), "-o", again)
        self.assertEqual(again.read_text(), self.matrix.read_text())

    def test_text_and_standard_output(self):
        done = araia("generate", "banded", "--rows", 50, "-o", self.matrix)
        self.assertRegex(done.stdout, r"^banded, class banded, seed 0: 50 x 50, 800 entries written to .*A\.mtx, \d+ bytes\n$")
        done = araia("generate", "banded", "--rows", 50, "-o", "/dev/stdout")
        self.assertTrue(done.stdout.startswith("%%MatrixMarket matrix coordinate real general\n"))
        self.assertIn("banded, class banded", done.stderr)


class Refused(RefusalTest):
    def made(self, *arguments, **options):
        return self.refused("generate", *arguments, "-o", self.path / "out.mtx", **options)

    def test_impossible_sizes_name_the_option(self):
        for arguments, says in (
            (("stencil9",), ("KIND is 'stencil9'", "stencil27", "like:cant")),
            (("like:",), ("KIND is 'like:'",)),
            (("uniform", "--rows", 0), ("--rows is '0'", "2147483647")),
            (("uniform", "--rows", 2**31), ("--rows is '2147483648'",)),
            (("uniform", "--rows", "many"), ("--rows is 'many'",)),
            (("uniform", "--rows", 5, "--cols", 2**31), ("--cols is '2147483648'",)),
            (("uniform", "--rows", 5, "--cols", -1), ("--cols is '-1'",)),
            (("stencil7", "--rows", 2**31 - 1), ("--rows is 2147483647", "stencil7")),
            (("pruned", "--fill", 1.5), ("--fill is '1.5'",)),
            (("pruned", "--fill", 0), ("--fill is '0'",)),
            (("pruned", "--fill", "nan"), ("--fill is 'nan'",)),
            (("uniform", "--rows", 5, "--entries-per-row", 6), ("--entries-per-row is 6", "5")),
            (("uniform", "--rows", 5, "--entries-per-row", 0), ("--entries-per-row is '0'",)),
            (("power_law", "--fill", 0.5), ("--fill is 0.5",)),
            (("fem", "--cols", 5), ("--cols is for",)),
            (("fem", "--fill", 0.5), ("--fill is for",)),
            (("like:cant", "--entries-per-row", 3), ("--entries-per-row is for",)),
            (("uniform", "--fill", 0.5, "--entries-per-row", 3), ("--fill", "--entries-per-row")),
            (("uniform", "--seed", -1), ("--seed is '-1'",)),
            (("uniform", "--seed", 2**64), ("--seed is",)),
        ):
            with self.subTest(arguments=arguments):
                self.made(*arguments, says=says)

    def test_what_would_not_fit_is_refused_before_it_is_made(self):
        for arguments in (("uniform", "--rows", 10**6, "--memory", "10MB"),
                          ("like:cant", "--memory", "10MB"),
                          ("pruned", "--rows", 2**31 - 1, "--fill", 1)):
            with self.subTest(arguments=arguments):
                self.made(*arguments, code=4, says=("needs", "the limit is"))

    def test_outputs_are_as_convert_has_them(self):
        for name in ("out.txt", "out", ".mtx", "out.smtx"):
            self.refused("generate", "uniform", "-o", self.path / name, says=("-o", name, "NAME.mtx or NAME.araia"))
        self.refused("generate", "uniform", "-o", self.path / "no" / "out.mtx", code=4, says=("No such file",))
        self.refused("generate", "uniform", "--rows", 5, "--json", "-o", "/dev/stdout", says=("--json", "standard output"))
        self.refused("generate", "uniform", says=("--output",))
        self.refused("generate", says=("KIND",))


if __name__ == "__main__":
    unittest.main()
