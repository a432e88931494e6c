# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--kernel and --format: what the command refuses, and what it says there is instead."""

import os
import unittest

from command import RefusalTest, araia, host_device, write_coordinates


class Kernels(RefusalTest):
    def test_kernels_that_are_not_there_are_told_those_that_are(self):
        multiply = ("multiply", self.matrix, "-o", self.path / "Y.mtx", "--kernel")
        for kernel in ("no_such", "csr/no_such"):
            line = self.refused(*multiply, kernel, says=(f"--kernel is '{kernel}'", "thread_per_row", "balanced"))
            self.assertNotIn("araia::", line)
        line = self.refused(*multiply, "segmented", "--transpose", says=("it is not for products with --transpose", "by_columns"))
        self.assertNotIn("balanced", line)
        self.refused(*multiply, "csr/transposed", says=("it is for --transpose alone", "balanced"))
        line = self.refused(*multiply, "balanced", "--format", "coo", says=("no such kernel of coo", "segmented"))
        self.assertNotIn("by_columns", line)
        host = host_device()
        line = self.refused(*multiply, "sell/thread_per_row{block_width 3}", "--device", host,
                            says=("block_width is 3, expected 1, 2 or 4",))
        self.assertNotIn("araia::", line)
        self.refused(*multiply, "thread_per_row{rows 3}", says=("no parameter is called 'rows'",))
        self.refused(*multiply, "csr/thread_per_row{rows_per_team -3}", says=("--kernel", "rows_per_team"))

    def test_kernels_of_other_devices_are_neither_taken_nor_offered(self):
        host = host_device()
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", "--device", host, "--kernel")
        for kernel, says in (("no_such", ("there is no such kernel, expected", "balanced", "naive")),
                             ("csr/no_such", ("there is no such kernel of csr, expected", "balanced")),
                             ("sub_warp", (f"it does not run on {host}", "balanced", "naive")),
                             ("bsr/tensor_cores", (f"it does not run on {host}", "host_simd"))):
            with self.subTest(kernel=kernel):
                offered = self.refused(*multiply, kernel, says=says).partition("expected one of ")[2]
                for other in ("sub_warp", "equal_chunks", "column_panels", "row_per_warp", "jammed", "tensor_cores",
                              "rows_per_lane", "short_blocks"):
                    self.assertNotIn(other, offered)

    def test_parameters_that_a_kernel_does_not_read_are_refused(self):
        host = host_device()
        device = ("--device", host)
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", *device, "--kernel")
        for kernel, says in (("host_simd{team_size 2}", "csr/host_simd does not read team_size; it reads no parameter"),
                             ("csr/thread_per_row{rows_per_team 2, vector_length 2}",
                              "csr/thread_per_row does not read vector_length; it reads rows_per_team, team_size"),
                             ("sell+narrow/host_simd{slice_height 8, entries 2}", "sell/host_simd does not read entries"),
                             ("bcsc/naive{k_tile 16, team_size 2}",
                              "bcsc/naive does not read k_tile; it reads team_size, columns_per_lane"),
                             ("balanced{entries 0}", "csr/balanced does not read entries; it reads team_size")):
            with self.subTest(kernel=kernel):
                self.refused(*multiply, kernel, says=(f"--kernel is '{kernel}': {says}",))
        multiply = ("multiply", self.matrix, "-o", self.path / "Y.mtx", *device, "--kernel")
        for kernel in ("csr/vector_per_row{vector_length 2}", "coo/segmented{entries 3, team_size 1}", "balanced{team_size 1}",
                       "ell/thread_per_row{rows_per_team 3}", "hyb/ell_then_tail{entries 2, width 1}",
                       "sell/thread_per_row{rows_per_team 2, slice_height 4}"):
            araia(*multiply, kernel)
        # Without a format, that of the first whose kernel reads them.
        self.assertIn(" by sell/thread_per_row{vector_length 2}\n", araia(*multiply, "thread_per_row{vector_length 2}").stdout)

    def test_formats_without_kernels_are_told_those_that_have_some(self):
        host = host_device()
        device = ("--device", host)
        formats = "expected one of csr, coo, csc, ell, hyb, sell, bsr, bcsc\n"
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", *device)
        self.refused(*multiply, "--kernel", "dense/cublas",
                     says=(f"'dense/cublas': dense has no kernel for this product on {host}, {formats}",))
        self.refused(*multiply, "--kernel", "dense/cublas", "--transpose", says=("for products with --transpose on",))
        for command in (multiply, ("tune", self.missing, *device), ("solve", self.missing, *device)):
            self.refused(*command, "--format", "dense", says=("--format is 'dense', which has no kernel", formats))
        for command in ("spgemm", "sddmm"):
            line = self.refused(command, self.missing, "--kernel", "ell/hash", *device, says=("ell has no kernel",))
            self.assertIn("expected one of csr/", line)

    def test_kernels_that_run_are_all_named(self):
        """Whatever the refusal of another one lists runs, and what runs is listed."""
        several = self.path / "X.mtx"
        several.write_text("%%MatrixMarket matrix array real general\n2 3\n" + "1\n" * 6)
        out = ("-o", self.path / "Y.mtx", "--device", host_device())
        for rhs, other in (((), "several columns, and X has 1"), (("--rhs", several), "one column, and X has 3")):
            multiply = ("multiply", self.matrix, *out, *rhs, "--kernel")
            wrong = "bcsc/tiled" if not rhs else "bcsc/block_per_team"
            line = self.refused(*multiply, wrong, says=("it is for " + other, "for this product bcsc has "))
            bcsc = line.rstrip().partition("bcsc has ")[2].split(", ")
            self.assertEqual(sorted(bcsc), sorted({"block_per_team"} if not rhs else set(bcsc) | {"naive", "tiled", "warp_centric"}))
            line = self.refused(*multiply, "csr/" + ("columns_on_lanes" if not rhs else "balanced"), says=("csr has ", "reference"))
            listed = line.rstrip().partition("csr has ")[2].split(", ")
            if not rhs:
                self.assertLessEqual({"thread_per_row", "vector_per_row", "balanced"}, set(listed))
            for kernels, storage in ((bcsc, "bcsc"), (listed, "csr")):
                for kernel in kernels:
                    araia(*multiply, f"{storage}/{kernel}")

    def test_parameters_of_other_devices_are_not_offered(self):
        host = host_device()
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", "--device", host, "--kernel")
        line = self.refused(*multiply, "bcsc/tiled{stages 2}",
                            says=(f"bcsc/tiled does not read stages on {host}; it reads ", "buffers"))
        self.assertEqual(line.count("stages"), 2)  # as given, and as refused
        line = self.refused(*multiply, "bcsc/tiled{lanes 8}", says=("bcsc/tiled does not read lanes; it reads ", "k_tile"))
        self.assertNotIn("stages", line)
        line = self.refused(*multiply, "bcsc/warp_centric{stages 2}", says=("does not read stages; it reads ", "lanes"))
        self.assertNotIn("warp_size", line)

    def test_flags_of_formats_are_called_as_they_are_given(self):
        self.refused("multiply", self.matrix, "-o", self.path / "Y.mtx", "--kernel", "sell/thread_per_row{sort_window 3}",
                     says=("sort_window is for +by_length",))

    def test_integers_of_kernels_beyond_every_range_are_told_theirs(self):
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", "--kernel")
        for number in ("16777217", "2147483648", "99999999999999999999", "-1", "-99999999999999999999"):
            self.refused(*multiply, f"csr/thread_per_row{{rows_per_team {number}}}",
                         says=("rows_per_team must be an integer from 0 to 16777216",))

    def test_kernels_are_read_before_the_file(self):
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx")
        self.refused(*multiply, "--kernel", "csr/balanced", "--format", "ell", says=("--kernel", "--format is ell"))
        self.refused(*multiply, "--kernel", "dia/balanced", says=("--kernel", "'dia'"))
        self.refused(*multiply, "--kernel", "balancd", says=("--kernel", "there is no such kernel", "balanced"))
        for kernel in ("csr/", "{}", "Balanced", b"\xff", "balanced{", "balanced{rows_per_team}", "balanced{rows_per_team x}", "balanced{rows_per_team 1,2}",
                       "balanced{rows_per_team 1, }", "balanced{, rows_per_team 1}"):
            self.refused(*multiply, "--kernel", os.fsdecode(kernel), says=("--kernel", "{rows_per_team 128}"))
        self.refused(*multiply, "--kernel", "balanced{rows_per_team 1, rows_per_team 2}",
                     says=("--kernel", "'rows_per_team' is given twice"))
        self.refused(*multiply, "--format", "sell+narrow+narrow", says=("--format", "twice", "expected sell+narrow"))

    def test_options_that_leave_no_kernel_are_named_with_the_file(self):
        tune = ("tune", self.matrix, "--assume-bandwidth", "--budget", "0", "--deterministic")
        for columns in ((), ("--columns", "4")):
            says = ("A.mtx: with", *map(str, columns), "--format coo --deterministic: no deterministic kernel",
                    "in the formats asked for (coo)", "sums by atomics")
            line = self.refused(*tune, "--format", "coo", *columns, says=says)
            self.assertNotIn("araia::", line)
        says = ("A.mtx: with --columns 4 --transpose --format bsr --deterministic: no ", "spmm with op transpose")
        self.refused(*tune, "--format", "bsr", "--columns", "4", "--transpose", says=says)

    def test_a_format_that_memory_does_not_allow_is_named_with_file_and_option(self):
        rows = 300000  # one row with an entry in each column: in ell all have as many slots
        write_coordinates(self.matrix, rows, rows, [(0, j, 1.0) for j in range(rows)])
        host = host_device()
        reason = ("thread_per_row", "needs ", "bytes, the limit is")
        left = ("no candidate is left in the formats asked for (ell); ell/", *reason)
        tune = ("tune", self.matrix, "--assume-bandwidth", "--budget", "0", "--format", "ell", "--device", host)
        self.refused(*tune, code=4, says=("A.mtx: with --format ell: ", *left))
        multiply = ("multiply", self.matrix, "-o", self.path / "y.mtx", "--device", host)
        self.refused(*multiply, "--format", "ell", code=4, says=("A.mtx: with --format ell: ", *left))
        says = ("A.mtx: with --kernel 'ell/thread_per_row': the choice ell/thread_per_row is out: ", *reason)
        self.refused(*multiply, "--kernel", "ell/thread_per_row", code=4, says=says)


if __name__ == "__main__":
    unittest.main()
