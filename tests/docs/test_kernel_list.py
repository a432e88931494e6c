# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel, one folder, one line: descriptors stand where their names say, the list has them all, prices are of
kernels that there are, and the engine names neither a kernel nor a storage.

Usage: test_kernel_list.py ROOT
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
BACKENDS = ROOT / "backends"
INFO = re.compile(r'\.operation = OpId::(\w+),\s*\.storage = "(\w+)",\s*\.name = "(\w+)"')
RUNS = {"by_host_simd": "openmp", "by_cuda": "cuda"}


def descriptors():
    return sorted(BACKENDS.glob("*/*/*/descriptor.hpp"))


def infos(path):
    """(operation, storage, name, space) of each descriptor in a file."""
    text = path.read_text()
    found = []
    for match in INFO.finditer(text):
        rest = text[match.start() : text.index(";", match.start())]
        runs = re.search(r"Runs::(\w+)", rest)
        space = RUNS.get(runs.group(1), "portable") if runs else "portable"
        if ".hosts_alone = true" in rest:
            space = "openmp"
        if ".cuda_alone = true" in rest:
            space = "cuda"
        found.append((*match.groups(), space))
    return found


class KernelList(unittest.TestCase):
    def test_descriptors_stand_where_their_names_say(self):
        self.assertGreater(len(descriptors()), 50)
        for path in descriptors():
            found = infos(path)
            self.assertTrue(found, path)
            for operation, storage, name, space in found:
                self.assertEqual(path.parent, BACKENDS / space / operation / f"{storage}_{name}")

    def test_the_list_has_every_descriptor(self):
        text = (BACKENDS / "all.hpp").read_text()
        included = set(re.findall(r'#include "backends/(.+)"', text))
        self.assertEqual(included, {str(path.relative_to(BACKENDS)) for path in descriptors()})
        listed = set(re.findall(r"\w+", re.search(r"using All =\s*List<([^>]*)>", text).group(1)))
        structs = set()
        for path in descriptors():
            structs |= set(re.findall(r"^struct (\w+)(?: : [^{]+)? \{", path.read_text(), re.MULTILINE))
        self.assertEqual(listed, structs)

    def test_prices_are_of_kernels_that_there_are(self):
        kernels = {f"{operation}/{storage}_{name}" for path in descriptors() for operation, storage, name, _ in infos(path)}
        for path in sorted((ROOT / "src/machine/prices").glob("*.hpp")):
            names = re.findall(r'^    \{"([^"]+)",', path.read_text(), re.MULTILINE)
            self.assertTrue(names, path)
            for name in names:
                if name.startswith(("spmv/", "spmm/", "sddmm/", "spgemm/")):
                    self.assertIn(name.split(".")[0], kernels, path)

    def test_the_page_of_spgemm_has_its_kernels(self):
        page = (ROOT / "docs/kernels/spgemm.md").read_text()
        table = re.search(r"^## Kernels\n\n\| name .*\n\|[-|]+\|\n((?:\|.*\n)+)", page, re.MULTILINE).group(1)
        listed = {name for path in descriptors() for operation, _, name, _ in infos(path) if operation == "spgemm"}
        self.assertEqual(set(re.findall(r"^\| `(\w+)` ", table, re.MULTILINE)), listed)

    def test_the_engine_names_no_kernel_and_no_storage(self):
        names = {word for path in descriptors() for _, storage, name, _ in infos(path) for word in (storage, name)}
        for path in sorted((ROOT / "src/engine").glob("*")):
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text()):
                self.assertNotIn(literal, names, f"{path}: the engine names a kernel or a storage")


if __name__ == "__main__":
    unittest.main()
