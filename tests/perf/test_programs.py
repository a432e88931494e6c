# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark programs as a user starts them: what they refuse, and how they end."""

import os
import pathlib
import subprocess
import tempfile
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


if __name__ == "__main__":
    unittest.main()
