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
        line = self.refused(*multiply, "segmented", "--transpose", says=("no kernel with op transpose", "by_columns"))
        self.assertNotIn("balanced", line)
        line = self.refused(*multiply, "balanced", "--format", "coo", says=("no kernel of coo", "segmented"))
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
        for kernel, says in (("no_such", ("no kernel with op none is called so", "balanced", "naive")),
                             ("csr/no_such", ("no kernel of csr with op none is called so", "balanced")),
                             ("sub_warp", (f"no such kernel with op none runs on {host}", "balanced", "naive")),
                             ("bsr/tensor_cores", (f"no such kernel of bsr with op none runs on {host}", "host_simd"))):
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

    def test_integers_of_kernels_beyond_every_range_are_told_theirs(self):
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx", "--kernel")
        for number in ("16777217", "2147483648", "99999999999999999999", "-1", "-99999999999999999999"):
            self.refused(*multiply, f"csr/thread_per_row{{rows_per_team {number}}}",
                         says=("rows_per_team must be an integer from 0 to 16777216",))

    def test_kernels_are_read_before_the_file(self):
        multiply = ("multiply", self.missing, "-o", self.path / "Y.mtx")
        self.refused(*multiply, "--kernel", "csr/balanced", "--format", "ell", says=("--kernel", "--format is ell"))
        self.refused(*multiply, "--kernel", "dia/balanced", says=("--kernel", "'dia'"))
        self.refused(*multiply, "--kernel", "balancd", says=("--kernel", "no kernel with op none", "balanced"))
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
