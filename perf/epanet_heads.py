#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heads of `araia solve` beside those of EPANET 2.2, at time 0, and the time that they take.

EPANET is the toolkit that the Python package wntr carries (pip install wntr six); without it this says so and ends with
0. It runs a copy of each file with ACCURACY 1e-6 and TRIALS 1000. A network passes where the largest difference of a
head, of nodes that an open way joins to a known head, is at most 0.01 m or 0.03 ft. Where EPANET reports that the system
is unbalanced there is nothing to compare with, and the difference is only shown.

  epanet_heads.py --command build/bin/araia shared/data/epanet/*.inp*
"""

import argparse
import contextlib
import ctypes
import gzip
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from arguments import count

LIMITS = {"m": 0.01, "ft": 0.03}


def tightened(text):
    """The file with its accuracy and number of trials replaced, all else as it is."""
    lines, section = [], b""
    for line in text.replace(b"\r\n", b"\n").split(b"\n"):
        word = line.strip().upper()
        if word.startswith(b"["):
            section = word
            lines.append(line)
            if section.startswith(b"[OPTI"):
                lines += [b"ACCURACY 0.000001", b"TRIALS 1000"]
        elif not (section.startswith(b"[OPTI") and re.match(rb"(ACCU|TRIAL)", word)):
            lines.append(line)
    return b"\n".join(lines)


def of_epanet(path, toolkit, constants):
    """Heads by node, and what EPANET warns of."""
    text = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "copy.inp")
        report = copy.with_suffix(".rpt")
        copy.write_bytes(tightened(text))
        epanet = toolkit(version=2.2)
        with contextlib.redirect_stdout(sys.stderr):
            epanet.ENopen(str(copy), str(report), str(copy.with_suffix(".bin")))
            epanet.ENopenH()
            epanet.ENinitH(0)
            epanet.ENrunH()
        heads = {}
        name = ctypes.create_string_buffer(64)
        for i in range(1, epanet.ENgetcount(constants.NODECOUNT) + 1):
            epanet.ENlib.EN_getnodeid(epanet._project, i, name)
            heads[name.value.decode("latin-1")] = epanet.ENgetnodevalue(i, constants.HEAD)
        epanet.ENcloseH()
        epanet.ENclose()
        warnings = re.findall(r"WARNING: (.*?)(?: at .*)?$", report.read_text(errors="replace"), re.M)
    return heads, warnings


def of_araia(command, path, method, runs):
    """The report of one run, with the median of the seconds of several."""
    reports = []
    for _ in range(runs):
        done = subprocess.run([command, "solve", path, "--method", method, "--json"], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{path}: {done.stderr.strip()}")
        reports.append(json.loads(done.stdout))
    reports[0]["seconds"] = statistics.median(report["seconds"] for report in reports)
    return reports[0]


def compared(command, path, runs, toolkit, constants):
    """A row of the table, and whether the network passes."""
    heads, warnings = of_epanet(path, toolkit, constants)
    row, good = {"file": path.name}, True
    for method in ("cg", "direct"):
        report = of_araia(command, path, method, runs)
        unit = report["units"]["length"]
        off = [(abs(node["head"] - heads[node["id"]]), node["connected"]) for node in report["junctions"]]
        largest = max(difference for difference, connected in off if connected)
        apart = [difference for difference, connected in off if not connected]
        balanced = not any("unbalanced" in warning for warning in warnings)
        good = good and (not balanced or (report["status"] in ("converged", "balanced") and largest <= LIMITS[unit]))
        row |= {"junctions": len(off), f"{method}": report, "unit": unit, f"{method} difference": largest,
                "epanet": "; ".join(warnings) or "balanced", "apart": apart}
    return row, good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE", help="networks, .inp or .inp.gz")
    parser.add_argument("--command", default="araia", help="the command (default: araia)")
    parser.add_argument("--runs", type=count, default=5, help="runs of each method, whose median counts (default: 5)")
    arguments = parser.parse_args()
    try:
        from wntr.epanet.toolkit import ENepanet
        from wntr.epanet.util import EN
    except ImportError as error:
        print(f"epanet_heads.py: nothing compared, as EPANET's toolkit is not here ({error}): pip install wntr six")
        return 0
    print("| file | junctions | EPANET 2.2 | status, trials | largest difference, cg | direct | cg | iterations | direct |")
    print("|---|---:|---|---|---:|---:|---:|---:|---:|")
    failed = []
    for path in arguments.files:
        row, good = compared(arguments.command, path, arguments.runs, ENepanet, EN)
        if not good:
            failed.append(path.name)
        cg, direct, unit = row["cg"], row["direct"], row["unit"]
        apart = f" ({len(row['apart'])} of no known head)" if row["apart"] else ""
        print(f"| {row['file']} | {row['junctions']}{apart} | {row['epanet']} | {cg['status']}, {cg['trials']} "
              f"| {row['cg difference']:.1e} {unit} | {row['direct difference']:.1e} {unit} "
              f"| {1e3 * cg['seconds']:.3g} ms | {cg['iterations']} | {1e3 * direct['seconds']:.3g} ms |")
    for name in failed:
        print(f"{name}: heads differ from EPANET's by more than {LIMITS['m']} m or {LIMITS['ft']} ft", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
