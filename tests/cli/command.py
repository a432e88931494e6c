# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the command and reads what it wrote: shared by the tests of this folder."""

import json
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest
import zlib

ARAIA = os.environ["ARAIA_COMMAND"]

FORMATS = ("csr", "csr+by_length", "coo", "csc", "ell", "ell+by_length", "hyb", "sell", "sell+by_length",
           "sell+diagonals", "sell+narrow", "sell+by_length+diagonals+narrow", "bsr", "bcsc", "bcsc+compact",
           "bcsc+split", "bcsc+compact+split")


def araia(*arguments, code=0, **options):
    """The finished process; fails where the exit code is another, or where an error is not one clear line."""
    done = subprocess.run(
        [ARAIA, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options
    )
    context = f"araia {' '.join(map(str, arguments))}\n{done.stdout}\n{done.stderr}"
    assert done.returncode == code, f"exit code {done.returncode}, expected {code}: {context}"
    if code >= 2:
        lines = done.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("araia: "), f"not one line: {context}"
        assert done.stdout == "", f"output beside an error: {context}"
    return done


def has_all_types():
    """False where the build has f64 alone (Araia_TYPES=minimal)."""
    return araia_json("devices")["types"] == "full"


def host_device():
    """A device of this build that is no GPU."""
    return next(d["device"] for d in araia_json("devices")["devices"] if d["device"] != "cuda")


def araia_json(*arguments, **options):
    return json.loads(araia(*arguments, "--json", **options).stdout)


def read_array(path):
    """Rows and columns of a Matrix Market array file, values as nested lists [row][column]."""
    lines = [line for line in pathlib.Path(path).read_text().splitlines() if not line.startswith("%")]
    banner = pathlib.Path(path).read_text().splitlines()[0].split()
    rows, columns = map(int, lines[0].split())
    parse = (lambda text: complex(*map(float, text.split()))) if banner[3] == "complex" else float
    values = [parse(line) for line in lines[1:]]
    assert len(values) == rows * columns
    return [[values[i + j * rows] for j in range(columns)] for i in range(rows)]


def write_array(path, values):
    rows, columns = len(values), len(values[0])
    body = "".join(f"{values[i][j]!r}\n" for j in range(columns) for i in range(rows))
    pathlib.Path(path).write_text(f"%%MatrixMarket matrix array real general\n{rows} {columns}\n{body}")


def write_coordinates(path, rows, cols, entries, field="real"):
    body = "".join(" ".join(map(str, (i + 1, j + 1, *value))) + "\n" for i, j, *value in entries)
    pathlib.Path(path).write_text(
        f"%%MatrixMarket matrix coordinate {field} general\n{rows} {cols} {len(entries)}\n{body}"
    )


def write_native(path, rows, cols, entries, scalar="float32"):
    """An .araia file of coordinates, ordered by row: docs/formats/container.md. Two numbers are a complex value."""
    types = {"float16": (9, "e"), "float32": (11, "f"), "float64": (12, "d"), "complex_float64": (14, "d")}
    number, letter = types[scalar]
    i, j = zip(*(entry[:2] for entry in entries))
    values = [part for entry in entries for part in entry[2:]]
    arrays = ((2, 3, "i", j), (3, number, letter, values), (5, 3, "i", i))  # col_indices, values, row_indices
    begin = -(-(128 + 24 * len(arrays)) // 64) * 64
    table, data = b"", b""
    for name, kind, code, items in arrays:
        data += bytes(-len(data) % 64)
        packed = struct.pack(f"<{len(items)}{code}", *items)
        table += struct.pack("<HHIQQ", name, kind, zlib.crc32(packed), begin + len(data), len(entries))
        data += packed
    table += bytes(begin - 128 - len(table))

    def head(checksum):
        return (b"\x89ARAIA\r\n" + struct.pack("<IIIIQ", 0x01020304, 1, checksum, begin, begin + len(data))
                + struct.pack("<HHBBBB", 1, len(arrays), number, 3, 3, 0)
                + struct.pack("<3q8q", rows, cols, len(entries), 1, *[0] * 7))

    pathlib.Path(path).write_bytes(head(zlib.crc32(head(0) + table)) + table + data)


class FolderTest(unittest.TestCase):
    """A folder of its own, and the name of a matrix in it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.matrix = self.path / "A.mtx"


class CommandTest(FolderTest):
    """A matrix of 13 x 9 whose entries are known."""

    def setUp(self):
        super().setUp()
        self.random = random.Random(5)
        cells = [(i, j) for i in range(13) for j in range(9) if (i * 7 + j * 5) % 4 == 0 or i == 6]
        self.entries = [(i, j, self.random.uniform(-1, 1)) for i, j in cells]
        write_coordinates(self.matrix, 13, 9, self.entries)


class RefusalTest(FolderTest):
    """A matrix of 2 x 2, and what holds a refusal to its promises."""

    def setUp(self):
        super().setUp()
        self.missing = self.path / "missing.mtx"  # whoever reads it exits with 3
        write_coordinates(self.matrix, 2, 2, [(0, 0, 1.5), (1, 0, -2.0)])

    def names(self):
        return sorted(entry.name for entry in self.path.iterdir())

    def refused(self, *arguments, code=2, says=(), **options):
        """Nothing is changed, and one line says all of `says`."""
        before = {entry.name: entry.read_bytes() for entry in self.path.iterdir() if entry.is_file()}
        line = araia(*arguments, code=code, **options).stderr
        for word in says:
            self.assertIn(word, line)
        after = {entry.name: entry.read_bytes() for entry in self.path.iterdir() if entry.is_file()}
        self.assertEqual(before, after)
        return line
