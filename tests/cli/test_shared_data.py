# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every matrix file of the data folder tunes and verifies, or is refused for the right reason."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from command import ARAIA, has_all_types

FOLDER = pathlib.Path(os.environ["ARAIA_TEST_DATA_DIR"])
BOEING = (".rb", ".rua", ".rsa", ".rra", ".cua")
REFUSED = ("f02_two_sizes.mtx",)  # beside those of the folder invalid
ENDINGS = tuple(kind + packed for kind in (".mtx", ".smtx", *BOEING) for packed in ("", ".gz")) + (".mtx.bz2",)


class SharedData(unittest.TestCase):
    def setUp(self):
        if not FOLDER.is_dir():
            self.skipTest(f"no test data in {FOLDER}: set ARAIA_TEST_DATA_DIR")

    def files(self, least, folder=""):
        """At least so many: a folder that lost them, or names that are no longer known, are no success."""
        found = sorted(path for path in (FOLDER / folder).rglob("*") if path.is_file() and path.name.endswith(ENDINGS))
        self.assertGreaterEqual(len(found), least, f"matrices in {FOLDER / folder}")
        return found

    def tune(self, path):
        return subprocess.run(
            [ARAIA, "tune", str(path), "--budget", "0.02", "--assume-bandwidth", "--json"],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "OMP_NUM_THREADS": "1"},  # several files at once instead
        )

    def test_the_model_alone_is_the_same_for_tune_and_multiply(self):
        files = [p for folder in ("tiny", "small", "dnn") for p in self.files(5, folder)
                 if p.suffix != ".bz2" and p.stat().st_size < 120_000]
        env = {**os.environ, "OMP_NUM_THREADS": "1"}

        def choices(path, op):
            with tempfile.TemporaryDirectory() as folder:
                tune = [ARAIA, "tune", str(path), "--budget", "0", "--json", *op]
                multiply = [ARAIA, "multiply", str(path), "-o", os.path.join(folder, "y.mtx"), "--json", *op]
                done = [subprocess.run(c, capture_output=True, text=True, timeout=120, env=env) for c in (tune, multiply)]
            if any(d.returncode for d in done):
                return [d.returncode for d in done]
            return [json.loads(done[0].stdout)["winner"], json.loads(done[1].stdout)["choice"]]

        cases = [(path, op) for path in files for op in ((), ("--transpose",))]
        self.assertGreaterEqual(len(cases), 80)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (path, op), (tuned, multiplied) in zip(cases, pool.map(lambda case: choices(*case), cases)):
                with self.subTest(file=path.relative_to(FOLDER), op=op):
                    self.assertEqual(tuned, multiplied)

    def test_every_valid_file_tunes_and_verifies(self):
        full = has_all_types()
        valid = [p for p in self.files(100)
                 if "invalid" not in p.parts and p.name not in REFUSED and not p.name.endswith(".bz2")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(zip(valid, pool.map(self.tune, valid)))
        for path, done in results:
            with self.subTest(file=path.relative_to(FOLDER)):
                if not full and "Araia_TYPES is minimal" in done.stderr:
                    self.assertEqual(done.returncode, 3)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                report = json.loads(done.stdout)
                self.assertTrue(report["verified"]["ok"])
                self.assertEqual(report["verified"]["entries_checked"] > 0, report["stats"]["rows"] > 0)

    def test_every_format_multiplies_the_tiny_files(self):
        if not has_all_types():
            self.skipTest("complex and wide formats are not in this build")
        formats = ("csr", "coo", "csc", "ell", "hyb", "sell+by_length", "sell+diagonals+narrow", "bsr", "bcsc",
                   "bcsc+compact")
        files = [p for p in self.files(100) if p.parent.name in ("tiny", "headers") and not p.name.endswith(".bz2")]
        self.assertGreaterEqual(len(files), 20)
        with tempfile.TemporaryDirectory() as folder:
            def multiply(job):
                number, (path, format) = job
                out = pathlib.Path(folder) / f"{number}.mtx"
                done = subprocess.run(
                    [ARAIA, "multiply", str(path), "--format", format, *(["--transpose"] if number % 3 == 0 else []),
                     "--verify", "-o", str(out)],
                    capture_output=True, text=True, timeout=120, env={**os.environ, "OMP_NUM_THREADS": "1"})
                out.unlink(missing_ok=True)
                return done

            jobs = list(enumerate((path, format) for path in files for format in formats))
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                for (_, (path, format)), done in zip(jobs, pool.map(multiply, jobs)):
                    with self.subTest(file=path.relative_to(FOLDER), format=format):
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertIn("verified", done.stdout)

    def test_invalid_files_are_refused_with_their_place(self):
        known = [p for p in self.files(100) if p.name in REFUSED]
        for path in self.files(10, "headers/invalid") + known:
            with self.subTest(file=path.name):
                done = self.tune(path)
                self.assertEqual(done.returncode, 3, done.stdout)
                self.assertEqual(done.stdout, "")
                self.assertIn(f"{path.name}:", done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_other_compressions_are_refused_by_name(self):
        packed = [path for path in self.files(100) if path.name.endswith(".bz2")]
        self.assertGreaterEqual(len(packed), 1)
        for path in packed:
            done = self.tune(path)
            self.assertEqual(done.returncode, 3)
            self.assertIn("bzip2", done.stderr)


if __name__ == "__main__":
    unittest.main()
