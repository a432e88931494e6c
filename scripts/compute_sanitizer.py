#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every test of the given binaries under compute-sanitizer, each in a process of its own, several at once, on every
GPU of the machine. Tests that take hours so go in parts: --parts=16 --filter='*EveryShape*' (those whose checks ask
in_this_part(), tests/support/part.hpp; others run whole in each part, and those that expect a refusal of such a check
want none).

One process for a whole binary keeps one processor busy and dies with its first error. Side by side on one GPU want MPS,
or they take turns: nvidia-cuda-mps-control -d before, and echo quit | nvidia-cuda-mps-control after. There a kernel
that is stopped takes all processes with it, and a server may go by itself: run what broke again without, by --again.
synccheck stops kernels with more mbarriers than it tracks, and says so: --with=--num-cuda-barriers=N.

Exit code: 0 where every test passed without a report, 1 otherwise, and where the time was over before a test had ended.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import time

# A test of host code alone: the tool has nothing to say of it.
UNTOUCHED = "terminated before first instrumented API call"


def tests_of(binary, pattern):
    command = [binary, "--gtest_list_tests", f"--gtest_filter={pattern}"]
    suite = ""
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if line.startswith(" ") and suite:
            yield suite + words[0]
        else:
            suite = words[0] if words and words[0].endswith(".") else ""


def gpus():
    """What CUDA_VISIBLE_DEVICES may be, one a process: its own parts, or the number of each GPU. None: left alone."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None or not shutil.which("nvidia-smi"):
        return visible.split(",") if visible else [None]
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout
    return [str(k) for k in range(listed.count("GPU "))] or [None]


def run(tool, more, binary, test, environment, deadline):
    """What became of a test or a part of one, its seconds, and what was printed where something is wrong."""
    sanitizer = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", *more]
    start = time.monotonic()
    try:
        done = subprocess.run([*sanitizer, binary, f"--gtest_filter={test}"], capture_output=True, text=True,
                              env=os.environ | environment, timeout=max(0.1, deadline - start))
    except subprocess.TimeoutExpired:
        return "late", time.monotonic() - start, ""
    passed = "[  PASSED  ] 1 test." in done.stdout or "[  SKIPPED ] 1 test" in done.stdout
    if passed and UNTOUCHED in done.stdout:
        kind = "host"
    else:
        kind = "clean" if passed and done.returncode == 0 else "broken"
    return kind, time.monotonic() - start, (done.stdout + done.stderr) if kind == "broken" else ""


def of_part(environment):
    """The column of a report that says which part of a test, where it has several."""
    return [environment["ARAIA_TEST_PART"]] if "ARAIA_TEST_PART" in environment else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", nargs="+", type=pathlib.Path, help="test programs, build/cuda/tests/araia_test_*")
    parser.add_argument("--tool", default="memcheck", choices=["memcheck", "racecheck", "initcheck", "synccheck"])
    parser.add_argument("--with", dest="more", action="append", default=[], metavar="OPTION", help="of the tool itself")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once (%(default)s)")
    parser.add_argument("--parts", type=int, default=1,
                        help="processes a test, each with so many times fewer of its checks (%(default)s)")
    parser.add_argument("--first-part", type=int, default=0, metavar="K",
                        help="of them: parts before it have run already (%(default)s)")
    parser.add_argument("--seconds", type=float, default=3600, help="for all of them (%(default)s)")
    parser.add_argument("--filter", default="*", help="of tests, in gtest's patterns")
    parser.add_argument("--again", type=pathlib.Path, metavar="REPORT",
                        help="only what this report says broke or was late, by the same --parts")
    parser.add_argument("--report", type=pathlib.Path, help="a line a test: kind, seconds, binary, test")
    options = parser.parse_args()
    if not shutil.which("compute-sanitizer"):
        parser.error("no compute-sanitizer on PATH: it is in the CUDA toolkit's bin")

    if options.parts < 1:
        parser.error("--parts is at least 1")
    if not 0 <= options.first_part < options.parts:
        parser.error("--first-part is at least 0 and less than --parts")

    again = None  # (name of the binary, test, part)
    if options.again:
        lines = [line.split("\t") for line in options.again.read_text().splitlines()]
        again = {tuple(line[2:]) for line in lines if line[0] in ("broken", "late")}

    deadline = time.monotonic() + options.seconds
    binaries = [binary.resolve() for binary in options.binaries]  # a bare name would be looked for on PATH
    devices = gpus()
    tests = [(binary, test) for binary in binaries for test in tests_of(binary, options.filter)]
    work = []
    for part in range(options.first_part, options.parts):  # of all tests: each has had some when the time is over
        for index, (binary, test) in enumerate(tests):
            device = devices[(index + part) % len(devices)]
            environment = {"CUDA_VISIBLE_DEVICES": device} if device is not None else {}
            if options.parts > 1:
                environment["ARAIA_TEST_PART"] = f"{part}/{options.parts}"
            if again is None or (binary.name, test, *of_part(environment)) in again:
                work.append((binary, test, environment))
    kinds = collections.Counter()
    lines = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {pool.submit(run, options.tool, options.more, *task, deadline): task for task in work}
        for job in concurrent.futures.as_completed(jobs):
            (binary, test, environment), (kind, seconds, output) = jobs[job], job.result()
            what = "\t".join([test, *of_part(environment)])
            kinds[kind] += 1
            lines.append(f"{kind}\t{seconds:.1f}\t{binary.name}\t{what}\n")
            if kind == "broken":
                print(f"==> {binary.name} {what}\n{output[-4000:]}", flush=True)
    if options.report:
        options.report.write_text("".join(sorted(lines)))
    name = "tests" if options.parts == 1 else "parts of tests"
    print(f"{options.tool}: {len(work)} {name}, {', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}")
    return 0 if kinds["clean"] + kinds["host"] == len(work) else 1


if __name__ == "__main__":
    sys.exit(main())
