# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark programs as a user starts them: what they refuse, and how they end."""

import gzip
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

FOLDER = pathlib.Path(os.environ["ARAIA_BENCHMARKS"])
SHORT = ("--size-mb=0.01", "--samples=1", "--batch-ms=0", "--cache-mb=0.01", "--bandwidth-mb=0.1", "--regimes=warm",
         "--contenders=araia", "--benchmark_filter=csr/automatic")


def start(program, *arguments):
    return subprocess.run([FOLDER / program, *arguments], capture_output=True, text=True, timeout=120)


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def assert_refused(self, done, reason):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(reason, done.stderr)

    def test_a_run_that_flags_leave_nothing_of_is_refused(self):
        self.assert_refused(start("bench_spmv", *SHORT, "--classes=none"), "no benchmark of this build is left")
        self.assert_refused(start("bench_spmv", *SHORT, "--classes=fem", "--contenders=cusparse,mkl"), "--contenders")
        self.assertEqual(start("bench_spmv", *SHORT, "--classes=fem").returncode, 0)

    def test_memory_is_stated_and_what_does_not_fit_is_left_out_by_name(self):
        output = self.path / "results.json"
        run = ("bench_spmv", "--classes=power_law", "--size-mb=0.5", "--samples=1", "--batch-ms=0", "--cache-mb=0.01",
               "--bandwidth-mb=0.1", "--types=f64", "--regimes=warm", "--contenders=araia", "--most-padding=1000",
               f"--benchmark_out={output}")
        errors = {}
        for budget in ("2", "4", "0.2"):
            done = start(*run, f"--memory-mb={budget}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            document = json.loads(output.read_text())
            self.assertAlmostEqual(float(document["context"]["memory_budget_mb"]), float(budget), delta=0.5)
            errors[budget] = {result["name"].split("/f64")[0]: result.get("error_message", "")
                              for result in document["benchmarks"]}
        self.assertEqual(errors["4"]["spmv/coo/segmented"], "")
        for budget, name, reason in (("2", "spmv/ell/thread_per_row", "left out: takes"),
                                     ("2", "spmv/sell/diagonals", "left out: takes"),
                                     ("0.2", "spmv/csr/automatic", "left out: matrix and operands take")):
            self.assertTrue(errors[budget][name].startswith(reason), errors[budget][name])
            self.assertIn("--memory-mb", errors[budget][name])
        self.assertIn("--memory-mb=N", start("bench_spmv", "--help").stdout)

    def test_a_plan_and_one_call_are_contenders_and_plans_name_their_choice(self):
        for program, extra in (("bench_spmv", ()), ("bench_spmm", ("--columns=3",))):
            output = self.path / "results.json"
            done = start(program, "--classes=fem", "--size-mb=0.01", "--samples=1", "--batch-ms=0", "--cache-mb=0.01",
                         "--bandwidth-mb=0.1", "--types=f64", "--contenders=araia", "--benchmark_filter=plan|one_call",
                         "--measured-plan=0.05", *extra, f"--benchmark_out={output}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            labels = {result["run_name"].split("/f64")[0].split("/", 1)[1]: result["label"]
                      for result in json.loads(output.read_text())["benchmarks"] if result["run_type"] == "iteration"}
            for kernel in ("plan/default", "plan/measured"):
                self.assertRegex(labels[kernel], r"^owner=araia choice=[a-z]+\S*/\S+ class=")
            self.assertRegex(labels["one_call/default"], r"^owner=araia class=")

    def test_what_lies_between_products_is_stated(self):
        for flags, stated in (((), "nothing"), (("--between",), "a kernel")):
            done = start("bench_spmv", *SHORT, "--classes=fem", "--benchmark_format=json", *flags)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(json.loads(done.stdout)["context"]["between_products"].startswith(stated))

    def test_programs_without_google_benchmark_refuse_what_they_do_not_know(self):
        fem = ("--classes=fem", "--size-mb=0.01", "--samples=1")
        output = self.path / "results.json"
        for program in (("bench_convert",), ("bench_spmm", "--steps", "--columns=1")):
            for wrong in ("--sample=5", f"--benchmark_out={output}", "fem"):
                with self.subTest(program=program, wrong=wrong):
                    self.assert_refused(start(*program, *fem, wrong), f"unknown argument '{wrong}'")
            done = start(*program, *fem, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("--samples=N", done.stdout)
            self.assertNotIn("fem_0.01MB", done.stdout)  # no matrix is measured
            self.assertEqual(start(*program, *fem, "--kokkos-disable-warnings").returncode, 0)

    def test_results_that_cannot_be_written_are_no_success(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        done = start("bench_spmv", *SHORT, "--classes=fem", "--benchmark_out=/dev/full")
        self.assert_refused(done, "cannot write")
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([FOLDER / "bench_spmv", *SHORT, "--classes=fem", "--benchmark_format=json"],
                                  stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write", done.stderr)

    def test_complex_matrices_are_left_out_and_the_others_measured(self):
        head = "%%MatrixMarket matrix coordinate"
        (self.path / "a.mtx").write_text(f"{head} complex general\n2 2 2\n1 1 1 2\n2 2 3 4\n")
        (self.path / "b.mtx").write_text(f"{head} real general\n2 2 2\n1 1 1.5\n2 2 2.5\n")
        for program in (("bench_spmv", *SHORT), ("bench_convert", "--samples=1"),
                        ("bench_spmm", "--steps", "--samples=1", "--columns=1", "--batch-ms=0")):
            with self.subTest(program=program[:2]):
                done = start(*program, f"--data={self.path}")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("left out: the values are complex", done.stdout)
                self.assertRegex(done.stdout, r"(?m)^(# b,|b .* coo|.*csr/automatic/f64_i32/b/)")

    def test_results_are_written_as_json_alone(self):
        output = self.path / "results.csv"
        for wrong in ("--benchmark_format=csv", "--benchmark_out_format=csv", "--benchmark_out_format=console"):
            with self.subTest(wrong):
                self.assert_refused(start("bench_spmv", *SHORT, "--classes=fem", f"--benchmark_out={output}", wrong), wrong)
                self.assertFalse(output.exists())

    def test_rates_of_readers_are_of_text_and_compressed_files_have_none(self):
        text = b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2 2 2.5\n"
        files = {self.path / "plain.mtx": text, self.path / "packed.mtx.gz": gzip.compress(text)}
        for file, content in files.items():
            file.write_bytes(content)
            done = start("bench_io", f"--matrix={file}", "--benchmark_format=json", "--benchmark_min_time=0.001",
                         "--benchmark_filter=/read/")
            runs = json.loads(done.stdout)["benchmarks"]
            self.assertEqual(len(runs), 2)
            for run in runs:
                self.assertEqual("bytes_per_second" in run, file.suffix == ".mtx", run)

    def test_an_interrupted_reader_leaves_no_file(self):
        running = subprocess.Popen([FOLDER / "bench_io", "--size-mb=1", "--benchmark_min_time=30"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "TMPDIR": str(self.path)})
        while running.poll() is None and not list(self.path.glob("araia_bench_io_*.mtx")):
            time.sleep(0.01)
        running.terminate()
        self.assertEqual(running.wait(timeout=60), -signal.SIGTERM)
        self.assertEqual(list(self.path.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
