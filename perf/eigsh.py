#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eigenvalues of `araia eig` beside those of SciPy's eigsh (ARPACK), and the time that both take.

Neither factorises the matrix (which="SA" or "LA" of eigsh). A matrix passes where araia says
converged and all values agree to 1e-6 of the largest magnitude met; what has not converged is shown, and does not count.
Files that are not square, real and symmetric are left out. Needs scipy (pip install scipy); without it this says so and
ends with 0.

  eigsh.py --command build/bin/araia -k 4 shared/data/small/*.mtx*
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

from arguments import count

LIMIT = 1e-6


def of_araia(command, path, pairs, largest, options):
    call = [command, "eig", path, "-k", str(pairs), "--json", *options] + (["--largest"] if largest else [])
    done = subprocess.run(call, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode in (0, 1) else done.stderr.strip()


def of_scipy(matrix, pairs, largest, tolerance):
    """Values in araia's order and seconds; of small matrices by a dense solver."""
    import numpy
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    start = time.perf_counter()
    if matrix.shape[0] <= 3 * pairs + 10:
        values = numpy.linalg.eigvalsh(matrix.toarray())
        values = values[-pairs:] if largest else values[:pairs]
    else:
        try:
            values = eigsh(matrix, k=pairs, which="LA" if largest else "SA", tol=tolerance, maxiter=20000,
                           return_eigenvectors=False)
        except ArpackNoConvergence:
            return None, time.perf_counter() - start
    return sorted(values, reverse=largest), time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE", help="Matrix Market, gzip or not")
    parser.add_argument("--command", default="araia", help="the command (default: araia)")
    parser.add_argument("-k", type=count, default=4, help="pairs (default: 4)")
    parser.add_argument("--tolerance", type=float, default=1e-9, help="of both (default: 1e-9)")
    parser.add_argument("--precondition", default="none", help="of araia: none or jacobi (default: none)")
    arguments = parser.parse_args()
    try:
        import scipy.io
        import scipy.sparse
    except ImportError as error:
        print(f"eigsh.py: nothing compared, as SciPy is not here ({error}): pip install scipy")
        return 0
    options = ["--tolerance", str(arguments.tolerance), "--precondition", arguments.precondition]
    print("| file | rows | end | status | iterations | araia | eigsh | largest difference |")
    print("|---|---:|---|---|---:|---:|---:|---:|")
    failed = []
    for path in arguments.files:
        for largest in (False, True):
            report = of_araia(arguments.command, path, arguments.k, largest, options)
            if isinstance(report, str):
                print(f"{path.name}: {report}", file=sys.stderr)
                break
            matrix = scipy.sparse.csr_matrix(scipy.io.mmread(path)).astype(float)
            values, seconds = of_scipy(matrix, arguments.k, largest, arguments.tolerance)
            size = max(report["norm"], *map(abs, values)) if values else 1
            off = max(abs(pair["value"] - value) for pair, value in zip(report["pairs"], values)) if values else None
            relative = off / size if values and size > 0 else off
            if report["status"] == "converged" and relative is not None and relative > LIMIT:
                failed.append(path.name)
            shown = "eigsh did not converge" if off is None else f"{relative:.1e}"
            print(f"| {path.name} | {matrix.shape[0]} | {report['end']} | {report['status']} | {report['iterations']} "
                  f"| {report['seconds']:.3g} s | {seconds:.3g} s | {shown} |")
    for name in failed:
        print(f"{name}: values differ by more than {LIMIT} of the matrix", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
