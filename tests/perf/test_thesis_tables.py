# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "perf"))

import thesis_tables  # noqa: E402

SHAPE = "threads_x 16, threads_y 16, items_x 4, items_y 8, k_tile 16"


def tiling(us, wide=True, prefetch="none"):
    return {"owner": "thesis", "table": "4.4", "kernel": "tiling", "parameters": SHAPE, "wide_loads": wide,
            "prefetch": prefetch, "us": us}


def other(owner, kernel, us, parameters="x"):
    return {"owner": owner, "kernel": kernel, "parameters": parameters, "us": us}


def cell(matrix, columns, results, tables="4.2,4.3,4.4"):
    return {"cell": f"{tables} {matrix} {columns}", "set": "pruned", "matrix": matrix, "columns": columns,
            "results": results}


class ThesisTables(unittest.TestCase):
    def test_the_thesis_is_its_fastest_kernel_without_prefetching(self):
        row = thesis_tables.best(cell("a", 64, [tiling(9), tiling(5, prefetch="double"), tiling(4, wide=False),
                                                {**other("thesis", "naive", 20), "table": "4.2"},
                                                other("araia", "plan", 3), other("araia", "bcsc", 4)]))
        self.assertEqual(row["thesis"]["us"], 9)
        self.assertEqual(row["ours"]["us"], 3)
        self.assertEqual(row["ours, BCSC"]["us"], 4)
        self.assertIsNone(row["cuSPARSE"])

    def test_cusparse_is_told_apart_by_what_becomes_of_b(self):
        row = thesis_tables.best(cell("a", 64, [other("cusparse", "row_major", 8, "alg2"),
                                                other("cusparse", "column_major", 7, "alg1"),
                                                other("cusparse", "transposed", 5, "alg1"),
                                                other("cusparse", "transposition_and_transposed", 6, "alg1")]))
        self.assertEqual([row[name]["us"] for name in thesis_tables.CONTENDERS[2:]], [7, 5, 6])

    def test_means_are_geometric_and_within_a_cell(self):
        cells = [cell("a", 64, [tiling(4), other("araia", "plan", 2)]),
                 cell("b", 64, [tiling(8), other("araia", "plan", 1)])]
        lines = thesis_tables.means(thesis_tables.merged(cells), lambda key: key[2])
        self.assertEqual(lines[0][:2], ["64", "4.00"])
        self.assertEqual(lines[-1][:2], ["all", "4.00"])

    def test_of_lines_of_one_cell_the_thesis_fastest_counts(self):
        naive = {**other("thesis", "naive", 30), "table": "4.2"}
        cells = [cell("a", 64, [naive, other("araia", "plan", 2)], "4.2"),
                 cell("a", 64, [tiling(8), other("araia", "plan", 2)], "4.4")]
        rows = thesis_tables.merged(cells)
        self.assertEqual(len(rows), 1)
        self.assertEqual(rows["pruned", "a", 64]["thesis"]["kernel"], "tiling")

    def test_ablation_is_over_wide_loads_without_prefetching(self):
        found = thesis_tables.ablation([cell("a", 64, [tiling(10), tiling(12, prefetch="single"),
                                                       tiling(15, wide=False)])])
        self.assertEqual(found[64, True, "single"], (1.2, 1))
        self.assertAlmostEqual(found[64, False, "none"][0], 1.5)

    def run_main(self, lines):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "thesis.jsonl")
            with open(path, "w") as file:
                file.writelines(lines)
            output, errors = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                try:
                    code = thesis_tables.main([path])
                except SystemExit as end:
                    code = end.code
        return code, output.getvalue(), errors.getvalue()

    def test_prints_tables_and_fails_for_wrong_products(self):
        good = cell("a", 64, [tiling(4), other("araia", "plan", 2, "csr/row_per_warp")])
        code, output, _ = self.run_main([json.dumps(good) + "\n"])
        self.assertEqual(code, 0)
        self.assertIn("| a | 64 | 4.0 |", output)
        self.assertIn("csr/row_per_warp", output)
        wrong = other("cusparse", "row_major", 1)
        del wrong["us"]
        good["results"].append({**wrong, "error": "row 3"})
        code, output, _ = self.run_main([json.dumps(good) + "\n"])
        self.assertEqual(code, 1)
        self.assertIn("failed: 4.2,4.3,4.4 a 64: cusparse row_major", output)

    def test_refuses_what_is_not_of_bench_thesis(self):
        code, _, errors = self.run_main(["{}\n"])
        self.assertEqual(code, 2)
        self.assertIn("thesis.jsonl:1 is no line of bench_thesis", errors)


if __name__ == "__main__":
    unittest.main()
