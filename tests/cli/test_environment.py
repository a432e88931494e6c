# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables of the environment that the command refuses, or that change nothing of its reports."""

import os
import resource
import shutil
import subprocess
import sys
import unittest

from command import ARAIA, RefusalTest, araia, araia_json


class Environment(RefusalTest):
    def test_wrong_numbers_of_threads_are_named(self):
        for variable, values in (
            ("KOKKOS_NUM_THREADS", ("0", "-1", "foo", "", "2x", "2,2", "513", "99999", "99999999999999999999")),
            ("OMP_NUM_THREADS", ("513", "1000000", "2,1000000")),
        ):
            for value in values:
                with self.subTest(variable=variable, value=value):
                    surroundings = {**os.environ, variable: value}
                    says = (variable, f"'{value}'", "threads from 1 to 512")
                    self.refused("info", self.matrix, says=says, env=surroundings)
                    self.assertIn("Exit codes:", araia("info", "--help", env=surroundings).stdout)
        for value in ("0", "-1", "foo", "2,", "99999999999999999999"):  # OpenMP speaks of these first, in lines of its own
            done = subprocess.run([ARAIA, "info", str(self.matrix)], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "OMP_NUM_THREADS": value})
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"araia: OMP_NUM_THREADS is '{value}'", done.stderr)
        for value in ("1", " 2 ", "2,1"):
            araia("info", self.matrix, env={**os.environ, "OMP_NUM_THREADS": value})
        for variable in ("KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"):
            surroundings = {**os.environ, variable: "512", "OMP_WAIT_POLICY": "passive"}
            araia("convert", self.matrix, self.path / "B.mtx", env=surroundings)

    def test_threads_that_cannot_be_made_are_an_error_of_resources(self):
        def within(bytes_of_memory):
            resource.setrlimit(resource.RLIMIT_AS, (bytes_of_memory, bytes_of_memory))

        limit = 300 << 20  # of addresses: some 30 stacks of 8 MiB
        few = {**os.environ, "OMP_NUM_THREADS": "1"}
        starts = subprocess.run([ARAIA, "devices"], capture_output=True, timeout=60, env=few,
                                preexec_fn=lambda: within(limit))
        names = [device["device"] for device in araia_json("devices")["devices"]]
        if starts.returncode != 0 or "openmp" not in names:
            self.skipTest("needs OpenMP, and a build that starts within 300 MiB of addresses")
        done = subprocess.run([ARAIA, "devices"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "OMP_NUM_THREADS": "200"}, preexec_fn=lambda: within(limit))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("araia: 200 threads cannot be made", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_a_host_of_more_threads_than_kokkos_keeps(self):
        compiler = shutil.which("cc")
        names = [device["device"] for device in araia_json("devices")["devices"]]
        if not compiler or not sys.platform.startswith("linux") or "openmp" not in names:
            self.skipTest("needs OpenMP, a C compiler and LD_PRELOAD")
        large, source = self.path / "large.so", self.path / "large.c"
        source.write_text("void omp_set_num_threads(int);\n"
                          "__attribute__((constructor)) static void many(void) { omp_set_num_threads(600); }\n")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", str(large), str(source)], check=True, timeout=60)
        surroundings = {name: value for name, value in os.environ.items()
                        if name not in ("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS")}
        surroundings.update(LD_PRELOAD=str(large), OMP_WAIT_POLICY="passive",
                            ASAN_OPTIONS=":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0"))))
        for asked, threads in (({}, 512), ({"KOKKOS_NUM_THREADS": "3"}, 3)):
            devices = araia_json("devices", env={**surroundings, **asked})["devices"]
            self.assertEqual([device["threads"] for device in devices if device["device"] == "openmp"], [threads])

    def test_wrong_devices_are_named(self):
        for variable, values, expected in (
            ("KOKKOS_DEVICE_ID", ("-1", "foo", "", "2x", "99999999999999999999"), "a device, 0 or more"),
            ("KOKKOS_MAP_DEVICE_ID_BY", ("foo", "", "random,mpi_rank"), "random or mpi_rank"),
        ):
            for value in values:
                with self.subTest(variable=variable, value=value):
                    self.refused("info", self.matrix, says=(variable, f"'{value}'", expected),
                                 env={**os.environ, variable: value})

    def test_kokkos_prints_nothing_into_a_report(self):
        for variable in ("KOKKOS_PRINT_CONFIGURATION", "KOKKOS_DISABLE_WARNINGS", "KOKKOS_TUNE_INTERNALS"):
            for value in ("1", "true", "neither"):
                report = araia_json("info", self.matrix, env={**os.environ, variable: value})
                self.assertEqual(report["command"], "info")


if __name__ == "__main__":
    unittest.main()
