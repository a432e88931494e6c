# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""araia conv: what it reports of layers and nets, tensors in and out, what it refuses."""

import gzip
import itertools
import json
import os
import pathlib
import struct
import unittest

from command import RefusalTest, araia, araia_json, has_all_types, write_coordinates

NETS = pathlib.Path(__file__).parents[2] / "examples" / "nets"
QUICK = ("--budget", "0.01")


def write_npy(path, shape, values, kind="f8"):
    text = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}{'d' if kind == 'f8' else 'f'}", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)


def read_npy(path):
    """Shape and values."""
    data = path.read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    size = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + size])  # what the command wrote
    kind = {"<f8": "d", "<f4": "f"}[header["descr"]]
    values = data[10 + size:]
    return header["shape"], struct.unpack(f"<{len(values) // struct.calcsize(kind)}{kind}", values)


class Conv(RefusalTest):
    def net(self, layers, **more):
        path = self.path / "net.json"
        path.write_text(json.dumps({"input": [2, 5, 4], "layers": layers} | more))
        return path

    def test_a_layer_is_timed_and_checked(self):
        report = araia_json("conv", "--layer", "6,9,9,8,3,3,2,1", "--sparsity", "0.75", "--bias", "--relu", *QUICK)
        (layer,) = report["layers"]
        self.assertEqual(layer["shape"], "6,9,9,8,3,3,2,1,1,1")
        self.assertEqual((layer["filters"], layer["columns"], layer["entries"]), (8, 54, 108))
        self.assertTrue(report["ok"] and layer["check"]["ok"])
        self.assertEqual(layer["check"]["outputs"], 8 * 5 * 5)
        timed = [c for c in layer["candidates"] if c["reason"] is None]
        self.assertEqual(timed[0]["method"], layer["method"])
        self.assertEqual(timed[0]["seconds"], min(c["seconds"] for c in timed))
        self.assertLessEqual({"shifted_columns", "im2col"}, {c["method"] for c in timed})
        self.assertEqual(len(layer["flip"]["at"]), len(layer["flip"]["seconds"]))
        text = araia("conv", "--layer", "6,9,9,8,3,3,2,1", *QUICK).stdout
        self.assertIn("6,9,9,8,3,3,2,1,1,1", text)
        self.assertIn("all sparse", text)

    def test_methods_give_what_the_definition_gives(self):
        c, h, w, k = 2, 4, 5, 3
        weights = {(i, j): (i + 2 * j) % 5 - 2.0 for i in range(k) for j in range(c * 9) if (i + j) % 3}
        matrix, x, y = self.path / "w.mtx", self.path / "x.npy", self.path / "y.npy"
        write_coordinates(matrix, k, c * 9, [(i, j, v) for (i, j), v in weights.items()])
        values = [float(i % 7) for i in range(2 * c * h * w)]
        expected = {}
        for n, i, p, q in itertools.product(range(2), range(k), range(h), range(w)):
            expected[n, i, p, q] = max(0, sum(
                weights.get((i, ch * 9 + r * 3 + s), 0) * values[((n * c + ch) * h + p + r - 1) * w + q + s - 1]
                for ch in range(c) for r in range(3) for s in range(3)
                if 0 <= p + r - 1 < h and 0 <= q + s - 1 < w))
        types = ("f64", "f32") if has_all_types() else ("f64",)
        for kind, method, layout in itertools.product(types, ("shifted_columns", "im2col"), ("nchw", "nhwc")):
            last = layout == "nhwc"
            order = [(n, ch, p, q) for n in range(2) for p in range(h) for q in range(w) for ch in range(c)]
            shape = (2, h, w, c) if last else (2, c, h, w)
            laid = [values[((n * c + ch) * h + p) * w + q] for n, ch, p, q in order] if last else values
            write_npy(x, shape, laid, "f8" if method == "im2col" else "f4")
            report = araia_json("conv", "--layer", f"{c},{h},{w},{k},3,3,1,1", "--weights", matrix, "--relu", "--input",
                                x, "-o", y, "--method", method, "--layout", layout, "--type", kind, *QUICK)
            self.assertEqual((report["batch"], report["output"], report["layers"][0]["method"]), (2, str(y), method))
            out_shape, out = read_npy(y)
            self.assertEqual(out_shape, (2, h, w, k) if last else (2, k, h, w))
            for (n, i, p, q), value in expected.items():
                at = ((n * h + p) * w + q) * k + i if last else ((n * k + i) * h + p) * w + q
                self.assertEqual(out[at], value)

    def test_outputs_that_end_in_gz_are_compressed(self):
        layer = ("conv", "--layer", "2,3,3,2,3,3", "--budget", "0", "-o")
        plain, compressed = self.path / "y.npy", self.path / "y.npy.gz"
        for out in (plain, compressed):
            araia(*layer, out)
        self.assertEqual(gzip.decompress(compressed.read_bytes()), plain.read_bytes())
        x = self.path / "x.npy.gz"
        araia("conv", "--layer", "2,5,5,2,3,3", "--budget", "0", "-o", x)  # a tensor of 2 x 3 x 3
        for given, out in ((x, compressed), (self.path / "x.npy", plain)):
            (self.path / "x.npy").write_bytes(gzip.decompress(x.read_bytes()))
            araia(*layer, out, "--input", given)
        self.assertEqual(gzip.decompress(compressed.read_bytes()), plain.read_bytes())

    def test_values_beyond_f32_are_refused(self):
        if not has_all_types():
            self.skipTest("f32 is not in this build")
        matrix, x, out = self.path / "w.mtx", self.path / "x.npy", self.path / "y.npy"
        write_coordinates(matrix, 3, 3, [(0, 0, 1.0), (1, 2, 1e300)])
        layer = ("conv", "--layer", "3,4,4,3,1,1", "--budget", "0", "-o", out)
        says = (f"araia: --weights {matrix}: the value at (2, 3) is 1e+300, beyond the range of f32", "--type f64")
        self.refused(*layer, "--weights", matrix, code=3, says=says)
        araia(*layer, "--weights", matrix, "--type", "f64")
        out.unlink()
        write_coordinates(matrix, 3, 3, [(0, 0, 1.0), (1, 2, 1e-60)])
        self.assertIn("1 value turned into 0 by f32", araia(*layer, "--weights", matrix).stderr)
        out.unlink()
        write_npy(x, (1, 3, 4, 4), [0.0] * 47 + [-1e40])
        self.refused(*layer, "--input", x, code=3, says=("--input", "x.npy: the value at place 48 is -1e+40",))
        write_coordinates(matrix, 3, 3, [(1, 2, 1e300)])
        net = self.net([{"name": "a", "filters": 3, "kernel": 1, "weights": "w.mtx"}], input=[3, 4, 4])
        self.refused("conv", "--net", net, "--budget", "0", code=3,
                     says=("net.json: layer a: ", "w.mtx: the value at (2, 3) is 1e+300"))
        net = self.net([{"filters": 1, "kernel": 1, "bias": [1e300]}])
        self.refused("conv", "--net", net, "--budget", "0", code=3, says=("net.json: layer layer1: bias: the value",))

    def test_depthwise_layers_stay_dense(self):
        (layer,) = araia_json("conv", "--layer", "8,6,6,8,3,3,1,1,1,8", "--sparsity", "0", "--budget", "0")["layers"]
        self.assertEqual((layer["method"], layer["dense"], layer["seconds"]), ("depthwise", True, None))
        self.assertEqual(layer["flip"]["reason"], "nothing was timed")

    def test_a_net(self):
        net = self.net([{"name": "a", "filters": 4, "kernel": 3, "pad": 1, "relu": True, "bias": True},
                        {"name": "b", "filters": 4, "kernel": [1, 1], "add": "a"},
                        {"op": "max_pool", "kernel": 2, "stride": 2},
                        {"op": "global_average_pool"},
                        {"name": "fc", "op": "linear", "filters": 3, "bias": [1, 2, 3]}], sparsity=0.5)
        y = self.path / "y.npy"
        report = araia_json("conv", "--net", net, "--batch", "2", "-o", y, *QUICK)
        self.assertEqual([layer["name"] for layer in report["layers"]], ["a", "b", "fc"])
        self.assertEqual([layer["entries"] for layer in report["layers"]], [36, 8, 6])
        self.assertEqual(report["checked"], 2 * (4 * 5 * 4 + 4 * 5 * 4 + 3))
        self.assertEqual(read_npy(y)[0], (2, 3, 1, 1))
        self.assertGreater(report["total"]["whole_seconds"], 0)
        self.assertAlmostEqual(report["total"]["seconds"], sum(layer["seconds"] for layer in report["layers"]))
        out = [read_npy(y)[1]]
        for option in (("--seed", "2"), ("--layout", "nhwc"), ("--method", "shifted_columns")):
            araia("conv", "--net", net, "--batch", "2", "-o", y, *QUICK, *option)
            out.append(read_npy(y)[1])
        self.assertNotEqual(out[0], out[1])
        for a, b in zip(out[0], out[3]):
            self.assertAlmostEqual(a, b, places=4)

    def test_one_threshold_over_a_net(self):
        layers = [{"filters": 2, "kernel": 1, "weights": "small.mtx"}, {"filters": 2, "kernel": 1, "weights": "large.mtx"}]
        for name, values in (("small", (1, 2, 3, 4)), ("large", (10, 20, 30, 3.5))):
            write_coordinates(self.path / f"{name}.mtx", 2, 2, [(i // 2, i % 2, v) for i, v in enumerate(values)])
        for prune, entries in (("layer", [2, 2]), ("global", [1, 3])):
            net = self.net(layers, sparsity=0.5, prune=prune)
            self.assertEqual([layer["entries"] for layer in araia_json("conv", "--net", net, *QUICK)["layers"]], entries)

    def test_shipped_nets_are_read(self):
        for name, layers in (("resnet50", 54), ("mobilenet_v1", 28)):
            net = json.loads((NETS / f"{name}.json").read_text())
            small = self.path / f"{name}.json"
            small.write_text(json.dumps(net | {"input": [3, 32, 32]}))
            report = araia_json("conv", "--net", small, "--budget", "0")
            self.assertEqual(len(report["layers"]), layers)
            self.assertTrue(report["ok"])

    def test_refusals(self):
        x = self.path / "x.npy"
        write_npy(x, (1, 2, 3, 3), [0.0] * 18)
        layer = ("--layer", "2,3,3,2,3,3")
        for arguments, code, part in (
                ((), 2, "--layer or --net"),
                ((*layer, "--net", x), 2, "exclude"),
                (("--layer", "2,3,3,2,3"), 2, "of 5 numbers"),
                (("--layer", "2,3,3,2,3,a"), 2, "--layer"),
                (("--layer", "2,3,3,2,4,3"), 2, "--layer is '2,3,3,2,4,3': the kernel takes 4 lines, the padded input has 3"),
                (("--layer", "2,3,3,2,3,3,0"), 2, "--layer: stride is '0', expected an integer from 1 to 2147483647"),
                (("--layer", "2,-1,3,2,3,3"), 2, "--layer: height is '-1', expected an integer from 1 to 2147483647"),
                (("--layer", "0,3,3,2,3,3"), 2, "--layer: channels is '0', expected an integer from 1"),
                (("--layer", "2,3,3,2,3,3,1,99999999999"), 2, "--layer: pad is '99999999999', expected an integer from 0"),
                (("--layer", "2,3,3,2,3,3,1x0"), 2, "--layer: stride is '0'"),
                (("--layer", "2,3,3,2,3,3,1,0,1,3"), 2, "groups is 3"),
                (("--layer", "99999,99999,1,2,1,1"), 4, "elements"),
                ((*layer, "--sparsity", "2"), 2, "--sparsity"),
                ((*layer, "--method", "in_place"), 2, "araia: --method is in_place for 2,3,3,2,3,3"),
                ((*layer, "--method", "depthwise"), 2, "araia: --method is depthwise for 2,3,3,2,3,3"),
                ((*layer, "--method", "dense", "--no-dense"), 2, "--method dense multiplies zeros, which --no-dense"),
                ((*layer, "--method", "depthwise", "--no-dense"), 2, "--no-dense"),
                ((*layer, "--precision", "tf32", "--type", "f64"), 2, "--precision"),
                ((*layer, "--input", self.path / "none.npy"), 3, "none.npy"),
                ((*layer, "--weights", self.path / "none.mtx"), 3, f"araia: --weights {self.path / 'none.mtx'}: cannot open: No such"),
                ((*layer, "--weights", self.matrix), 3,
                 f"araia: --weights {self.matrix}: the matrix is 2 x 2, expected filters by channels / groups * kernel, 2 x 18"),
                ((*layer, "--weights", self.path), 3, "Is a directory"),
                (("--net", self.path), 3, f"araia: --net {self.path}: cannot read: Is a directory"),
                ((*layer, "--input", x, "--batch", "2"), 3, "expected 2 x 2 x 3 x 3"),
                (("--layer", "2,4,3,2,3,3", "--input", x), 3, "expected 1 x 2 x 4 x 3"),
                ((*layer, "-o", self.path / "y.txt"), 2, "-o"),
                ((*layer, "--input", x, "-o", x), 2, "--input"),
                (("--net", self.path / "none.json"), 3, "none.json: cannot open: No such file or directory"),
        ):
            self.assertIn(part, araia("conv", *arguments, code=code).stderr)
        x.write_bytes(x.read_bytes()[:-1])
        self.assertIn("x.npy", araia("conv", *layer, "--input", x, code=3).stderr)

    def test_nets_are_refused_with_file_and_layer(self):
        good = {"name": "a", "filters": 4, "kernel": 3}
        for layers, part in (
                ([good | {"kernel": 9}], "layer 1 (a) cannot be: the kernel takes 9 lines"),
                ([good | {"stride": 0}], "layer 1 (a) cannot be: "),
                ([good, {"name": "b", "kernel": 1}], 'layer 2 (b) lacks "filters"'),
                ([good | {"kernal": 3}], 'layer 1 (a) has "kernal"'),
                ([good, good], "a name that is taken, a"),
                ([good | {"from": "b"}], "no layer before it is called that"),
                ([good, good | {"name": "b", "kernel": 2, "add": "a"}], "adds a, whose output is of another shape"),
                ([good | {"op": "conf"}], "expected conv, linear"),
                ([good | {"sparsity": 1.5}], "from 0 to 1"),
                ([good | {"filters": 1.5}], "no integer"),
                ([good | {"bias": [1]}], "expected 4"),
                ([good | {"kernel": [1, 2, 3]}], "two numbers"),
                ([], "expected an array of one layer or more"),
        ):
            message = araia("conv", "--net", self.net(layers), code=3).stderr
            self.assertIn("net.json", message)
            self.assertIn(part, message)
        net = self.path / "net.json"
        for text in ("", "{", "[]", '{"input": [1, 1]}', "[" * 1000, '{"input": [2, 5, 4], "layers": 3}'):
            net.write_text(text)
            self.assertIn("net.json", araia("conv", "--net", net, code=3).stderr)
        self.assertIn("for --layer", araia("conv", "--net", self.net([good]), "--relu", code=2).stderr)
        net = self.net([good])
        self.assertIn("layer a: --method is depthwise for", araia("conv", "--net", net, "--method", "depthwise", code=2).stderr)
        net = self.net([good | {"weights": "A.mtx"}])
        said = f"araia: --net {net}: {self.matrix}: layer a: the matrix is 2 x 2, expected"
        self.assertIn(said, araia("conv", "--net", net, code=3).stderr)
        message = araia("conv", "--net", self.net([good | {"weights": "none.mtx"}]), code=3).stderr
        self.assertIn('layer 1 (a) has "weights" none.mtx, expected a regular file', message)

    def test_a_net_opens_nothing_but_regular_files_below_its_folder(self):
        good = {"name": "a", "filters": 2, "kernel": 1}
        folder = self.path / "nets"
        (folder / "w").mkdir(parents=True)
        write_coordinates(self.path / "w.mtx", 2, 2, [(0, 1, 3)])
        write_coordinates(folder / "w" / "w.mtx", 2, 2, [(0, 1, 3)])
        os.mkfifo(folder / "pipe.mtx")
        (folder / "zero.mtx").symlink_to("/dev/zero")
        net = folder / "net.json"
        for weights in (str(self.path / "w.mtx"), "../w.mtx", "w/../../w.mtx", "/dev/zero", "pipe.mtx", "zero.mtx", "w", "-"):
            net.write_text(json.dumps({"input": [2, 5, 4], "layers": [good | {"weights": weights}]}))
            message = araia("conv", "--net", net, code=3).stderr
            self.assertIn("net.json", message)
            self.assertIn(f'layer 1 (a) has "weights" {weights}, expected a', message)
        net.write_text(json.dumps({"input": [2, 5, 4], "layers": [good | {"weights": "w/w.mtx"}]}))
        self.assertEqual(araia_json("conv", "--net", net, "--budget", "0")["layers"][0]["entries"], 1)

    def test_descriptions_have_limits(self):
        net = self.path / "net.json"
        whole = json.dumps({"input": [2, 5, 4], "layers": [{"filters": 2, "kernel": 1}]})
        net.write_text(whole.replace('"filters": 2', '"filters": 2, "filters": 3'))
        self.assertIn('"filters" is there twice', araia("conv", "--net", net, code=3).stderr)
        for depth, part in ((16, '"bias" with what is no number'), (17, "more than 16 deep")):
            arrays = depth - 3  # beside the net, its layers and the layer
            net.write_text(whole.replace('"kernel"', f'"bias": {"[" * arrays}{"]" * arrays}, "kernel"'))
            self.assertIn(part, araia("conv", "--net", net, code=3).stderr)
        net.write_text(whole + " " * (1 << 20))
        self.assertIn("limit of a net's description", araia("conv", "--net", net, code=4).stderr)
        net.write_text(whole + " " * ((1 << 20) - len(whole)))
        self.assertTrue(araia_json("conv", "--net", net, "--budget", "0")["ok"])

    def test_what_nobody_checked_is_not_called_right(self):
        pool = self.net([{"op": "max_pool", "kernel": 2}])
        report = araia_json("conv", "--net", pool, "--budget", "0")
        self.assertEqual((report["layers"], report["checked"], report["ok"]), ([], 0, None))
        self.assertIn("no output was checked", araia("conv", "--net", pool, "--budget", "0").stdout)


if __name__ == "__main__":
    unittest.main()
