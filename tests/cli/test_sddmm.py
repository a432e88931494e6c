# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""araia sddmm: products by hand and by every kernel, what is measured, refusals."""

import unittest

from command import CommandTest, RefusalTest, araia, araia_json, has_all_types, host_device, write_array, write_coordinates


def read_entries(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    rows, cols, stored = map(int, lines[0].split())
    entries = {(int(i) - 1, int(j) - 1): tuple(map(float, value)) for i, j, *value in map(str.split, lines[1:])}
    assert len(entries) == stored == len(lines) - 1
    return (rows, cols), entries


class Sddmm(CommandTest):
    def setUp(self):
        super().setUp()
        self.d, self.x, self.y = (self.path / name for name in ("D.mtx", "X.mtx", "Y.mtx"))
        self.values_of_x = [[self.random.uniform(-1, 1) for _ in range(6)] for _ in range(13)]
        self.values_of_y = [[self.random.uniform(-1, 1) for _ in range(6)] for _ in range(9)]
        write_array(self.x, self.values_of_x)
        write_array(self.y, self.values_of_y)

    def expected(self, alpha=1.0, pattern=False):
        return {(i, j): alpha * (1 if pattern else value) * sum(map(float.__mul__, self.values_of_x[i], self.values_of_y[j]))
                for i, j, value in self.entries}

    def check(self, expected):
        shape, got = read_entries(self.d)
        self.assertEqual(shape, (13, 9))
        self.assertEqual(sorted(got), sorted(expected))
        for place, (value,) in got.items():
            self.assertAlmostEqual(value, expected[place], delta=1e-13)

    def test_a_product_by_hand(self):
        small = self.path / "small.mtx"
        write_coordinates(small, 2, 3, [(0, 0, 1), (0, 2, 2), (1, 1, 3)])
        write_array(self.x, [[1, 2], [3, 4]])
        write_array(self.y, [[5, 6], [7, 8], [9, 10]])
        araia("sddmm", small, "--x", self.x, "--y", self.y, "-o", self.d)
        self.assertEqual(read_entries(self.d), ((2, 3), {(0, 0): (17,), (0, 2): (58,), (1, 1): (159,)}))
        araia("sddmm", small, "--columns", 5, "-o", self.d)  # of ones
        self.assertEqual(read_entries(self.d)[1], {(0, 0): (5,), (0, 2): (10,), (1, 1): (15,)})

    def test_every_kernel_alpha_and_pattern(self):
        device = host_device()
        listed = araia_json("sddmm", self.matrix, "--x", self.x, "--y", self.y, "--device", device)
        kernels = [candidate["kernel"] for candidate in listed["candidates"]]
        self.assertIn("equal_chunks", kernels)
        for kernel in [*kernels, "csr/equal_chunks", "equal_chunks{entries 3, team_size 1}"]:
            with self.subTest(kernel=kernel):
                for extra, expected in (((), self.expected()),
                                        (("--alpha", -2, "--pattern"), self.expected(-2, pattern=True))):
                    report = araia_json("sddmm", self.matrix, "--x", self.x, "--y", self.y, "--kernel", kernel, "--verify",
                                        "-o", self.d, "--device", device, *extra)
                    self.check(expected)
                    self.assertTrue(report["verified"]["ok"] and report["verified"]["whole"])
                    self.assertEqual(report["verified"]["entries_checked"], len(self.entries))
                    self.assertEqual((report["op"], report["columns"], len(report["candidates"])), ("sddmm", 6, 1))
                    self.assertIn(report["winner"]["kernel"], kernel)

    def test_measures_within_the_budget(self):
        report = araia_json("sddmm", self.matrix, "--columns", 24, "--budget", 5)
        self.assertEqual((report["columns"], report["output"], report["verified"]["done"]), (24, None, False))
        timed = [candidate for candidate in report["candidates"] if candidate["status"] == "timed"]
        self.assertTrue(report["measured"] and timed, report["remark"])
        self.assertTrue(all(candidate["verified"]["ok"] for candidate in timed))
        self.assertEqual(report["winner"], report["candidates"][0]["choice"])
        text = araia("sddmm", self.matrix, "--columns", 24, "--budget", 5, "--verify").stdout
        for word in ("sddmm of 24 columns", "winner: ", "verified: all of the result"):
            self.assertIn(word, text)

    def test_without_a_budget_the_model_decides(self):
        report = araia_json("sddmm", self.matrix)
        self.assertEqual((report["measured"], report["columns"]), (False, 32))
        self.assertIn("modelled at", araia("sddmm", self.matrix).stdout)

    def test_types(self):
        if not has_all_types():
            self.skipTest("this build has f64 alone")
        for types, bound in (("f32", 1e-5), ("f32_f64", 1e-6), ("c64", 1e-13)):
            report = araia_json("sddmm", self.matrix, "--x", self.x, "--y", self.y, "--type", types, "--verify", "-o", self.d)
            self.assertTrue(report["verified"]["ok"], types)
            for place, value in read_entries(self.d)[1].items():
                self.assertAlmostEqual(value[0], self.expected()[place], delta=bound)


class Refusals(RefusalTest):
    def test_before_the_file_is_read(self):
        self.refused("sddmm", self.missing, "--kernel", "thread_per_row", says=("--kernel", "there is no such kernel"))
        self.refused("sddmm", self.missing, "--kernel", "csr/equal_chunks{rows_per_team 3}", says=("does not read",))
        self.refused("sddmm", self.missing, "--columns", 0)
        self.refused("sddmm", self.missing, "--budget", -1)
        self.refused("sddmm", self.missing, "-o", self.path / "D.txt", says=(".mtx",))
        self.refused("sddmm", self.matrix, "-o", self.matrix, says=("FILE",))

    def test_operands_that_do_not_fit(self):
        x, y = self.path / "X.mtx", self.path / "Y.mtx"
        write_array(x, [[1.0, 2.0]])
        write_array(y, [[1.0], [2.0]])
        self.refused("sddmm", self.matrix, "--x", x, code=3, says=("--x", "1 x 2", "expected 2 rows"))
        write_array(x, [[1.0, 2.0], [3.0, 4.0]])
        self.refused("sddmm", self.matrix, "--x", x, "--y", y, code=3, says=("--y", "1 columns", "--x"))
        self.refused("sddmm", self.matrix, "--x", x, "--columns", 3, code=3, says=("--x", "2 columns", "--columns"))


if __name__ == "__main__":
    unittest.main()
