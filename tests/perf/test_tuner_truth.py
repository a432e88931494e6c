# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tuner.py on results with known answers, and bench_tuner on tiny matrices: no time is looked at."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "perf")]

import tuner  # noqa: E402

PROGRAM = pathlib.Path(os.environ["ARAIA_BENCHMARKS"]) / "bench_tuner"
TINY = ("--classes=stencil27", f"--size-mb={27 * 6**3 * 12 / 1e6:.9g}", "--loops=3", "--products=2", "--budget=0.05")
HEAD = "%%MatrixMarket matrix coordinate"


def loops(product, loop=None, fastest=None):
    """Three loops, of which the middle one counts."""
    times = {"loop_medians": product, "loop_means": loop or product, "loop_fastest": fastest or product}
    return {key: [time, time / 10, time * 10] for key, time in times.items()}


def plan(label, product, busy=False, **others):
    return {"role": "", "label": label, "timed": True, "busy": busy, "tuning_s": 1, **loops(product, **others)}


def pair(name, default, measured, kind="pair"):
    return {"name": name, "kind": kind, "class": "fem", "types": "f64", "plans": [default, measured]}


def with_candidates(name, measured, *others):
    cell = pair(name, plan("csr/a", 1), plan("csr/b", 1), "candidates")
    cell["candidates"] = {"tried": 9, "measured": loops(measured),
                          "finalists": [{"label": label, **loops(time)} for label, time in others]}
    return cell


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)


class Judged(InFolder):
    def judged(self, cells, *flags, failed=()):
        """Exit status, output, and the rules that are said not to hold."""
        file = self.path / "results.json"
        file.write_text(json.dumps({"cells": cells, "failed": list(failed)}))
        written = self.path / "again.json"
        with contextlib.redirect_stdout(io.StringIO()) as output:
            status = tuner.main([f"--results={file}", f"--json={written}", *flags])
        rules = json.loads(written.read_text())["rules"]
        return status, output.getvalue(), {rule["rule"] for rule in rules if not rule["holds"]}

    def test_rules_that_hold_end_with_0(self):
        status, text, broken = self.judged([pair("a", plan("csr/a", 2), plan("csr/b", 1)),
                                            pair("b", plan("csr/a", 1), plan("csr/b", 1.2)),
                                            with_candidates("c", 1.0, ("csr/x", 1.1)),
                                            pair("d", plan("csr/a", 1), plan("csr/b", 1.2), "busy")])
        self.assertEqual((status, broken), (0, set()))
        self.assertRegex(text, r"a +\| fem +\| f64 +\| csr/a +\| csr/b +\| 2e\+06 +\| 1e\+06 +\| 0.50 ")

    def test_the_mean_is_geometric_and_at_most_1(self):
        half = pair("a", plan("csr/a", 2), plan("csr/b", 1))
        twice = pair("b", plan("csr/a", 1), plan("csr/b", 2))
        self.assertEqual(self.judged([half, twice], "--most-worst=3")[::2], (0, set()))
        self.assertEqual(self.judged([half, twice, twice], "--most-worst=3")[::2], (1, {"mean"}))
        self.assertEqual(self.judged([half, twice, twice], "--most-worst=3", "--most-mean=2")[0], 0)

    def test_one_slow_cell_breaks_the_rule_of_the_worst_and_is_named(self):
        cells = [pair("quick", plan("csr/a", 9), plan("csr/b", 1)), pair("slow", plan("csr/a", 1), plan("csr/b", 1.3))]
        status, text, broken = self.judged(cells)
        self.assertEqual((status, broken), (1, {"worst"}))
        self.assertRegex(text, r"worst +\| 1.300 +\| 1.25 +\| NO +\| slow ")
        self.assertEqual(self.judged(cells, "--most-worst=1.4")[0], 0)

    def test_the_ratio_of_one_choice_is_noise(self):
        status, text, _ = self.judged([pair("a", plan("csr/a", 1), plan("csr/a", 5))])
        self.assertEqual(status, 0)
        self.assertIn("noise: 1 measured plans run what the default runs, at 5.00 to 5.00 of its time", text)

    def test_the_measured_plan_is_held_to_the_fastest_candidate(self):
        cell = with_candidates("a", 1.2, ("csr/x", 1.5), ("csr/y", 1.0))
        status, text, broken = self.judged([cell])
        self.assertEqual((status, broken), (1, {"candidates"}))
        self.assertRegex(text, r"csr/y +\| 1.2e\+06 +\| 1e\+06 +\| 1.20 ")
        self.assertEqual(self.judged([cell], "--most-over-best=1.25")[0], 0)
        # A plan that is faster than all others makes up for none that is slower.
        ahead = with_candidates("b", 0.5, ("csr/x", 1.0))
        self.assertRegex(self.judged([cell, ahead])[1], r"candidates +\| 1.095 ")
        self.assertEqual(self.judged([with_candidates("c", 1.0)])[0], 0)

    def test_each_plan_made_beside_busy_processes_counts_unless_it_says_so(self):
        silent = pair("a", plan("csr/a", 1), plan("csr/b", 1), "busy")
        silent["plans"].append(plan("csr/c", 2))
        self.assertEqual(self.judged([silent])[::2], (1, {"busy"}))
        self.assertEqual(self.judged([silent], "--most-busy=2.5")[0], 0)
        silent["plans"][2]["busy"] = True
        self.assertEqual(self.judged([silent])[0], 0)
        every = pair("b", plan("csr/a", 1), plan("csr/b", 2, busy=True), "busy")
        status, text, _ = self.judged([every])
        self.assertEqual(status, 0)
        self.assertIn("every report says that the machine was busy", text)

    def test_what_is_judged_is_the_median_product_the_loop_or_the_fastest_product(self):
        for time, slow in (("loop", {"loop": 2}), ("fastest", {"fastest": 2})):
            cell = pair("a", plan("csr/a", 1), plan("csr/b", 1, **slow))
            for by in ("product", "loop", "fastest"):
                broken = {"mean", "worst"} if by == time else set()
                self.assertEqual(self.judged([cell], f"--by={by}")[::2], (int(by == time), broken))

    def test_cells_that_failed_or_none_at_all_are_no_success(self):
        status, text, _ = self.judged([pair("a", plan("csr/a", 1), plan("csr/b", 1))], failed=["b: ended with 1"])
        self.assertEqual(status, 2)
        self.assertIn("failed: b: ended with 1", text)
        self.assertEqual(self.judged([])[0], 2)

    def test_files_that_are_no_results_are_named(self):
        file = self.path / "other.json"
        for content in ("[", "[]", '{"cells": [{"kind": "pair"}], "failed": []}'):
            file.write_text(content)
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                self.assertEqual(tuner.main([f"--results={file}"]), 2)
            self.assertIn(f"{file}: expected what --json", errors.getvalue())
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(tuner.main([f"--results={self.path / 'none.json'}"]), 2)
        self.assertIn("No such file", errors.getvalue())

    def test_cells_are_those_of_the_page(self):
        files = [("real", ["--matrix=real.mtx"])]

        def names(*flags):
            return [cell.name for cell in tuner.cells_of(tuner.parse(["--results=x", *flags]), files)]

        cells = tuner.cells_of(tuner.parse(["--results=x"]), files)
        self.assertEqual(sum(cell.kind == "candidates" for cell in cells), 8)
        self.assertEqual(sum(cell.kind == "busy" for cell in cells), 2)
        for name in ("stencil27_100/spmv/f32", "stencil7_64/spmv/f64", "real/spmv/f32", "stencil7_40/spmm16/f64"):
            self.assertIn(name, names())
        self.assertEqual(len(set(names())), len(names()))
        self.assertEqual(names("--cells=^real/"), ["real/spmv/f64", "real/spmv/f32"])
        self.assertLess(len(names("--quick")), len(names()))


class Program(InFolder):
    def start(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)

    def cells(self, *arguments):
        done = self.start(*arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def test_a_cell_has_both_plans_and_every_loop(self):
        cells = self.cells(*TINY, "--types=f64")
        self.assertEqual(len(cells), 1)
        cell = cells[0]
        known = {"operation": "spmv", "types": "f64", "columns": 1, "matrix": "stencil27_6x6x6", "class": "stencil",
                 "rows": 216, "cols": 216, "nnz": 16**3, "products": 2, "between": True}
        self.assertEqual({key: cell[key] for key in known}, known)
        self.assertEqual([plan["role"] for plan in cell["plans"]], ["default", "measured"])
        self.assertEqual([plan["timed"] for plan in cell["plans"]], [False, True])
        for one in cell["plans"]:
            self.assertRegex(one["label"], "^[a-z]+[+a-z_]*/[a-z_]+")
            for key in tuner.TIMES.values():
                self.assertEqual(len(one[key]), 3)
                self.assertTrue(all(0 < time < 10 for time in one[key]), one)
            for fastest, median, mean in zip(one["loop_fastest"], one["loop_medians"], one["loop_means"]):
                self.assertLessEqual(fastest, median)
                self.assertLessEqual(fastest, mean)
        self.assertNotIn("candidates", cell)

    def test_candidates_are_timed_beside_the_measured_plan(self):
        cell = self.cells(*TINY, "--types=f64", "--finalists=2", "--between=no")[0]
        found = cell["candidates"]
        self.assertGreater(found["tried"], 2)
        self.assertEqual(len(found["finalists"]), 2)
        self.assertEqual(found["refused"], 0)
        for one in (found["measured"], *found["finalists"]):
            self.assertEqual(len(one["loop_medians"]), 3)
        self.assertNotIn(cell["plans"][1]["label"], [one["label"] for one in found["finalists"]])
        few = self.cells(*TINY, "--types=f64", "--finalists=2", "--most-bytes=0.9")[0]["candidates"]
        self.assertLess(few["tried"], found["tried"])
        self.assertGreater(few["left_out"], 0)

    def test_spmm_scalars_and_several_plans(self):
        cells = self.cells(*TINY, "--operation=spmm", "--columns=2,3", "--plans=2")
        self.assertIn([(cell["types"], cell["columns"]) for cell in cells],
                      ([("f64", 2), ("f64", 3)], [("f64", 2), ("f64", 3), ("f32", 2), ("f32", 3)]))
        for cell in cells:
            self.assertEqual([plan["role"] for plan in cell["plans"]], ["default", "measured", "measured"])

    def test_names_of_files_are_json(self):
        file = self.path / 'a "b"\\\n.mtx'
        file.write_text(f"{HEAD} real general\n2 2 2\n1 1 1.5\n2 2 2.5\n")
        cell = self.cells(f"--matrix={file}", "--types=f64", "--loops=1", "--products=1", "--budget=0.01")[0]
        self.assertEqual(cell["matrix"], 'a "b"\\\n')

    def test_what_the_program_refuses(self):
        for wrong in ("--loops=0", "--products=1.5", "--budget=-1", "--operation=spgemm", "--between=", "--plans",
                      "--finalists=x", "--loop=3"):
            with self.subTest(wrong):
                done = self.start(*TINY, wrong)
                self.assertEqual(done.returncode, 2)
                self.assertIn(wrong.split("=")[0], done.stderr)
        self.assertIn("--finalists=N", self.start("--help").stdout)

    def run_tuner(self, *flags):
        results = self.path / "run.json"
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()):
            status = tuner.main([f"--json={results}", "--loops=1", "--products=2", "--budget=0.02", "--rest=0",
                                 "--busy-plans=2", *flags])
        return status, output.getvalue(), json.loads(results.read_text())

    def test_a_run_measures_judges_and_writes(self):
        (self.path / "complex.mtx").write_text(f"{HEAD} complex general\n2 2 2\n1 1 1 2\n2 2 3 4\n")
        (self.path / "real.mtx").write_text(f"{HEAD} real general\n2 2 2\n1 1 1.5\n2 2 2.5\n")
        flags = (f"--bin={PROGRAM}", f"--data={self.path}", "--cells=(real|complex|stencil27_20/(spmv|busy))/.*f64",
                 "--quick")
        anything = [f"--most-{rule}=1e9" for rule in ("mean", "worst", "over-best", "busy")]
        status, text, document = self.run_tuner(*flags, *anything)
        self.assertEqual(status, 0, text)
        self.assertIn("complex, left out", text)
        self.assertEqual([(cell["name"], cell["kind"]) for cell in document["cells"]],
                         [("stencil27_20/spmv/f64", "candidates"), ("real/spmv/f64", "pair"),
                          ("stencil27_20/busy/f64", "busy")])
        self.assertEqual(len(document["cells"][-1]["plans"]), 3)
        self.assertEqual([rule["rule"] for rule in document["rules"]], ["mean", "worst", "candidates", "busy"])
        self.assertEqual(document["failed"], [])
        self.assertEqual(self.run_tuner(*flags, *anything, "--most-mean=0")[0], 1)

    def test_cells_that_fail_are_reported_and_folders_that_are_not_there(self):
        for program in ("/bin/false", sys.executable):
            status, text, document = self.run_tuner(f"--bin={program}", "--cells=stencil27_20/(spmv|busy)/f64",
                                                    f"--data={self.path}/none")
            self.assertEqual(status, 2)
            self.assertEqual(document["cells"], [])
            self.assertEqual(len(document["failed"]), 2)
            self.assertIn("failed: stencil27_20/spmv/f64: ", text)
            self.assertIn(f"no real matrices: there is no folder '{self.path}/none'", text)

    def test_a_program_that_does_not_end_is_stopped(self):
        program = self.path / "endless"
        program.write_text("#!/bin/sh\nexec sleep 100\n")
        program.chmod(0o755)
        status, _, document = self.run_tuner(f"--bin={program}", "--cells=stencil27_20/(spmv|busy)/f64",
                                             "--cell-limit=0.2")
        self.assertEqual(status, 2)
        self.assertEqual(["longer than 0.2 s" in failure for failure in document["failed"]], [True, True])

    def test_a_program_without_plans_for_the_types_leaves_cells_out(self):
        program = self.path / "minimal"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        status, text, document = self.run_tuner(f"--bin={program}", "--cells=stencil27_20/spmv/f32")
        self.assertEqual((status, document["failed"]), (2, []))
        self.assertIn("stencil27_20/spmv/f32: left out: this build has no plans for f32", text)

    def test_programs_that_are_none_and_wrong_flags_are_refused(self):
        for flags in (["--bin=nothing"], ["--results=x", "--bin=x"], [], [f"--bin={PROGRAM}", "--loops=0"],
                      [f"--bin={PROGRAM}", "--most-mean=x"], [f"--bin={PROGRAM}", "--cells=("]):
            with self.subTest(flags), contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as ended:
                tuner.main(flags)
            self.assertEqual(ended.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
