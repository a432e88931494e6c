# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What commands hold at most, beside what --memory lets them."""

import os
import subprocess
import sys
import unittest

from command import ARAIA, RefusalTest


@unittest.skipUnless(sys.platform.startswith("linux"), "needs ru_maxrss in KiB")
class Memory(RefusalTest):
    def peak(self, *arguments):
        """Exit code, and the most resident bytes; what is freed goes back to the system at once."""
        with open(self.path / "stderr", "wb") as stderr:
            process = subprocess.Popen([ARAIA, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=stderr,
                                       env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"})
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_maxrss << 10

    def test_peaks_stay_within_the_limit(self):
        rows = 400000
        with open(self.matrix, "w") as out:
            out.write(f"%%MatrixMarket matrix coordinate real general\n{rows} {rows} {3 * rows - 2}\n")
            for i in range(1, rows + 1):
                out.writelines(f"{i} {j} 0.5\n" for j in (i - 1, i, i + 1) if 1 <= j <= rows)
        code, program = self.peak("info", self.matrix, "--memory", 1)
        self.assertEqual(code, 4)
        if program > 32 << 20 or "ARAIA_UNDER_SANITIZERS" in os.environ:
            self.skipTest("a sanitizer's own memory is more than the command's")
        out = self.path / "A.araia"
        for command in (("multiply", "--verify", "-o", self.path / "y.mtx"),
                        ("multiply", "--verify", "--format", "sell", "-o", self.path / "y.mtx"),
                        ("tune", "--budget", "0"), ("tune", "--budget", "0.2"),
                        ("convert", out, "--format", "hyb"), ("convert", out, "--format", "csc"),
                        ("convert", out, "--format", "sell+by_length"), ("convert", out, "--format", "sell+diagonals")):
            code, limit = 4, 36 << 20  # bytes: what reading needs, and a little
            while code == 4:
                with self.subTest(command=command, limit=limit):
                    code, peak = self.peak(command[0], self.matrix, *command[1:], "--memory", limit)
                    self.assertIn(code, (0, 4), (self.path / "stderr").read_text())
                    pages = 5 << 20  # of the program's own that it touches on the way, of threads and of text
                    self.assertLessEqual(peak, program + limit + pages)
                limit += limit // 8


if __name__ == "__main__":
    unittest.main()
