# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One kernel, one folder, one line: descriptors stand where their names say and tell where the code and the test are,
the list has them all, prices are of kernels that there are, and the engine names neither a kernel nor a storage.

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
# The last sentences of the comment below `#pragma once`. Price: the rule that prices the kernel or chooses its shape,
# where that is in neither the descriptor nor the code.
PATHS = r"[^\s,]+(?:, [^\s,]+)*"
PLACES = re.compile(rf"Code: (?P<code>{PATHS})\. Test: (?P<test>{PATHS})\.(?: Price: (?P<price>{PATHS})\.)?")
FORM = "// Code: PATH[, PATH]. Test: PATH[, PATH].[ Price: PATH[, PATH].]"


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


def sides(path):
    """Of each descriptor in a file: plain, transposed or both."""
    text = path.read_text()
    found = []
    for match in INFO.finditer(text):
        side = re.search(r"\.side = Side::(\w+)", text[match.start() : text.index(";", match.start())])
        found.append(side.group(1) if side else "plain")
    return found


def places(text):
    """Paths by label, {"code": [...], "test": [...], "price": [...]}, or None where the head comment lacks them."""
    head = re.search(r"^#pragma once\n((?://.*\n)+)", text, re.MULTILINE)
    lines = [line[2:].strip() for line in head.group(1).splitlines()] if head else []
    first = next((i for i, line in enumerate(lines) if line.startswith("Code: ")), len(lines))
    match = PLACES.fullmatch(" ".join(lines[first:]))
    return match and {label: paths.split(", ") if paths else [] for label, paths in match.groupdict().items()}


def what_is_wrong(text, exists):
    """What a descriptor's head comment lacks, a sentence each. exists(path): is there such a file?"""
    found = places(text)
    if found is None:
        return [f"the comment below `#pragma once` does not end with `{FORM}`"]
    wrong = [f"there is no file {p}, named as {label}" for label in found for p in found[label] if not exists(p)]
    wrong += [f"{path}, named as test, is not in tests/" for path in found["test"] if not path.startswith("tests/")]
    wrong += [f"{path}, named as code, is a test" for path in found["code"] if path.startswith("tests/")]
    return wrong


def kernel_table():
    """Of docs/command.md: names by product, format, and where they run."""
    found = {}  # (product, format) -> {(name, transposed): {"portable", "openmp", "cuda"}}
    for path in descriptors():
        for (operation, storage, name, space), side in zip(infos(path), sides(path), strict=True):
            names = found.setdefault((operation, storage), {})
            for transposed in (False, True):
                if side == "both" or (side == "transposed") == transposed:
                    names.setdefault((name, transposed), set()).add(space)
    products = {"spmv": "`multiply`, one column", "spmm": "`multiply`, several", "sddmm": "`sddmm`", "spgemm": "`spgemm`"}
    formats = ("csr", "coo", "csc", "ell", "hyb", "sell", "bsr", "bcsc", "dense")

    def cell(names, wanted, transposed=False):
        listed = []
        for (name, of_transpose), spaces in sorted(names.items()):
            where = {"openmp", "cuda"} if "portable" in spaces else spaces
            if of_transpose == transposed and (transposed or where == wanted):
                listed.append(f"`{name}`" + (" (hosts)" if transposed and where == {"openmp"} else ""))
        return ", ".join(listed)

    lines = ["| product | format | every device | hosts alone | CUDA alone | with `--transpose` |", "|---|---|---|---|---|---|"]
    for operation, product in products.items():
        for storage in (storage for storage in formats if (operation, storage) in found):
            names = found[operation, storage]
            cells = [cell(names, wanted) for wanted in ({"openmp", "cuda"}, {"openmp"}, {"cuda"})] + [cell(names, None, True)]
            of = "`tune --allow-dense`" if storage == "dense" else product
            lines.append(f"| {of} | `{storage}` | " + " | ".join(cells) + " |")
    return re.sub(" +", " ", "\n".join(lines)) + "\n"


class KernelList(unittest.TestCase):
    def test_descriptors_stand_where_their_names_say(self):
        self.assertGreater(len(descriptors()), 50)
        for path in descriptors():
            found = infos(path)
            self.assertTrue(found, path)
            for operation, storage, name, space in found:
                self.assertEqual(path.parent, BACKENDS / space / operation / f"{storage}_{name}")

    def test_descriptors_tell_where_the_code_and_the_test_are(self):
        wrong = [
            f"{path.relative_to(ROOT)}: {what}"
            for path in descriptors()
            for what in what_is_wrong(path.read_text(), lambda name: (ROOT / name).is_file())
        ]
        if wrong:
            self.fail("\n" + "\n".join(wrong))

    def test_what_a_head_comment_lacks_is_said(self):
        def wrong(comment, files=("a/k.cu", "a/p.cpp", "tests/t.cpp")):
            return what_is_wrong(f"#pragma once\n{comment}\n#include <x>\n", lambda name: name in files)

        self.assertEqual(wrong("// Code: a/k.cu. Test: tests/t.cpp.\n"), [])
        self.assertEqual(wrong("// More.\n// Code: a/k.cu,\n// a/p.cpp. Test: tests/t.cpp.\n// Price: a/p.cpp.\n"), [])
        for comment in (
            "",
            "// Code: a/k.cu.\n",
            "// Test: tests/t.cpp.\n",
            "// The code is a/k.cu. Test: tests/t.cpp.\n",
            "// Code: a/k.cu. Test: tests/t.cpp\n",
            "// Code: a/k.cu. Test: tests/t.cpp. More.\n",
            "\n// Code: a/k.cu. Test: tests/t.cpp.\n",
        ):
            self.assertIn("does not end with", "".join(wrong(comment)), comment)
        self.assertEqual(wrong("// Code: a/x.cu. Test: tests/t.cpp.\n"), ["there is no file a/x.cu, named as code"])
        self.assertEqual(
            wrong("// Code: a/k.cu. Test: tests/t.cpp. Price: a/y.cpp.\n"), ["there is no file a/y.cpp, named as price"]
        )
        self.assertEqual(wrong("// Code: a/k.cu. Test: a/p.cpp.\n"), ["a/p.cpp, named as test, is not in tests/"])
        self.assertEqual(wrong("// Code: tests/t.cpp. Test: tests/t.cpp.\n"), ["tests/t.cpp, named as code, is a test"])

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

    def test_the_page_of_the_command_has_the_kernels_by_product_and_format(self):
        page = (ROOT / "docs/command.md").read_text()
        table = re.search(r"^### Kernels\n(?:.*\n)+?(\| product \|.*\n(?:\|.*\n)+)", page, re.MULTILINE).group(1)
        self.assertEqual(table, kernel_table())

    def test_the_engine_names_no_kernel_and_no_storage(self):
        names = {word for path in descriptors() for _, storage, name, _ in infos(path) for word in (storage, name)}
        for path in sorted((ROOT / "src/engine").glob("*")):
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text()):
                self.assertNotIn(literal, names, f"{path}: the engine names a kernel or a storage")


if __name__ == "__main__":
    unittest.main()
