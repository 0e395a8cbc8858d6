"""The second reader's net as it is borrowed: cut out of the package that ships it, and made plain.

``pip download --no-deps rapidocr==3.10.0 -d build`` brings the package; nothing of it is installed or run. Of its net
that reads lines of print and writing in 18,710 letters only what sees is taken, 3.0 million parameters: what it sees is
120 numbers for every eight columns. The nodes are put in the plainest form, which OpenCV 4 and 5 both run at any width.
What its last layer knew of our letters begins our own last layer.
"""

import hashlib
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from pipeline.problems import stop
from pipeline.reading.net.alphabet import BLANK, CLASS_OF, CLASSES, SYMBOLS
from pipeline.reading.net.network import Head

PACKAGE = Path("build/rapidocr-3.10.0-py3-none-any.whl")
INSIDE = "rapidocr/models/PP-OCRv6_rec_small.onnx"
SHA256 = "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"  # as its MODEL_LICENSES.md names it
OPSET = 20  # the first with Gelu
LAST_LAYER = ("linear_8.w_0", "linear_8.b_0")
HEADS, WIDE = 8, 120  # of attention; features of a frame
BEGINS_UNSEEN = -4.0  # log odds of a class of ours that the borrowed net never knew, such as ink that was struck out

Floats = NDArray[np.float32]


def borrowed(package: Path = PACKAGE) -> onnx.ModelProto:
    """Take the net out of the package; stops where it is not the one that is known."""
    if not package.is_file():
        raise stop("not there; pip download --no-deps rapidocr==3.10.0 -d build", str(package))
    with zipfile.ZipFile(package) as wheel:
        kept = wheel.read(INSIDE)
    found = hashlib.sha256(kept).hexdigest()
    if found != SHA256:
        raise stop(f"{INSIDE} has the SHA-256 {found}, wanted {SHA256}", str(package))
    return onnx.load_from_string(kept)


def first_head(model: onnx.ModelProto) -> Head:
    """Begin our last layer with what the borrowed one knows: of a letter, the mean of its two forms."""
    weights = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer if i.name in LAST_LAYER}
    kernel, bias = weights[LAST_LAYER[0]].T, weights[LAST_LAYER[1]]
    letters = ["", *next(p.value for p in model.metadata_props if p.key == "character").splitlines(), " "]
    rows: dict[int, list[int]] = {}
    for number, letter in enumerate(letters):
        rows.setdefault(class_of(letter), []).append(number)
    found, biases = np.zeros((CLASSES, kernel.shape[1])), np.full(CLASSES, BEGINS_UNSEEN)
    for ours in range(CLASSES):
        if ours in rows:
            found[ours], biases[ours] = kernel[rows[ours]].mean(0), bias[rows[ours]].mean()
    return Head(found, biases)


def class_of(letter: str) -> int:
    """Our class of a letter of the borrowed net: that of its plain form; -1 for what nobody writes in an order."""
    if letter in ("", " "):
        return BLANK if letter == "" else -1
    plain = unicodedata.normalize("NFKD", letter).lower()
    return CLASS_OF[plain] if letter.isascii() and plain in SYMBOLS else -1


@dataclass
class Plain:
    """A net's nodes while they are made plain."""

    nodes: list[Any]
    weights: dict[str, NDArray[Any]]
    ends: str
    users: dict[str, list[Any]] = field(default_factory=dict)
    makers: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, model: onnx.ModelProto, ends: str) -> "Plain":
        """Take a file's nodes up to a result, those that do nothing left out."""
        weights = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
        same: dict[str, str] = {}
        nodes = []
        for node in model.graph.node:
            wanted = [same.get(name, name) for name in node.input]
            if node.op_type == "Identity":
                same[node.output[0]] = wanted[0]
                continue
            node.ClearField("input")
            node.input.extend(wanted)
            nodes.append(node)
        return cls(nodes, weights, same.get(ends, ends)).indexed()

    def indexed(self) -> "Plain":
        """Note who makes and who uses each result, without what nobody uses any more."""
        needed, left = {self.ends}, []
        for node in reversed(self.nodes):
            if needed.intersection(node.output):
                left.append(node)
                needed |= set(node.input)
        self.nodes = left[::-1]
        self.weights = {name: numbers for name, numbers in self.weights.items() if name in needed}
        self.makers = {name: node for node in self.nodes for name in node.output}
        self.users = {}
        for node in self.nodes:
            for name in node.input:
                self.users.setdefault(name, []).append(node)
        return self

    def only(self, node: Any) -> Any:
        """The one node that uses what another makes."""
        (user,) = self.users[node.output[0]]
        return user

    def other(self, node: Any, name: str) -> str:
        """The other of a node's two inputs."""
        return next(each for each in node.input if each != name)

    def become(self, old: Any, new: list[Any]) -> None:
        """Put nodes in the place of one, whose result the last of them makes."""
        new[-1].output[0] = old.output[0]
        at = next(k for k, node in enumerate(self.nodes) if node is old)
        self.nodes[at : at + 1] = new

    def weight(self, name: str, numbers: NDArray[Any]) -> str:
        """Add a weight."""
        self.weights[name] = np.ascontiguousarray(numbers)
        return name

    def of_kind(self, kind: str) -> list[Any]:
        """The nodes of one kind."""
        return [node for node in self.nodes if node.op_type == kind]


def plainly(model: onnx.ModelProto) -> onnx.ModelProto:
    """Put the net in its plainest form, from one channel of paper 1 and ink -1 to features by frame."""
    sees = next(node.input[0] for node in model.graph.node if LAST_LAYER[0] in node.input)
    net = Plain.of(model, sees)
    for step in (one_channel, with_biases, without_norms, with_means, with_gelu, with_layer_norms, with_attention):
        step(net)
        net.indexed()
    without_height(net)
    return file_of(net.indexed())


def one_channel(net: Plain) -> None:
    """A grey picture need not be shown three times."""
    first = net.of_kind("Conv")[0]
    net.weights[first.input[1]] = net.weights[first.input[1]].sum(1, keepdims=True)


def with_biases(net: Plain) -> None:
    """What is added to a convolution is its bias."""
    for node in net.of_kind("Conv"):
        after = net.users[node.output[0]]
        if len(node.input) > 2 or len(after) != 1 or after[0].op_type != "Add":
            continue
        name = net.other(after[0], node.output[0])
        if name in net.weights:
            node.input.append(net.weight(f"{name}.bias", net.weights[name].reshape(-1)))
            net.become(after[0], [helper.make_node("Conv", node.input, [""], **attributes(node))])


def without_norms(net: Plain) -> None:
    """What a batch norm does is done by the convolution before it."""
    for norm in net.of_kind("BatchNormalization"):
        node = net.makers[norm.input[0]]
        scale, shift, mean, variance = (net.weights[name] for name in norm.input[1:])
        times = scale / np.sqrt(variance + attributes(norm)["epsilon"])
        kernel = net.weights[node.input[1]] * times[:, None, None, None]
        wanted = [
            node.input[0],
            net.weight(f"{norm.output[0]}.w", kernel),
            net.weight(f"{norm.output[0]}.b", shift - mean * times),
        ]
        net.become(norm, [helper.make_node("Conv", wanted, [""], **attributes(node))])


def with_means(net: Plain) -> None:
    """The mean over a picture has a node of its own."""
    for node in net.of_kind("ReduceMean"):
        if list(attributes(node)["axes"]) == [2, 3]:
            net.become(node, [helper.make_node("GlobalAveragePool", node.input, [""])])


def with_gelu(net: Plain) -> None:
    """X (1 + erf(x / √2)) / 2 has a node of its own (Hendrycks & Gimpel 2016)."""
    for node in net.of_kind("Erf"):
        x = net.makers[node.input[0]].input[0]
        halved = net.only(net.only(net.only(node)))
        net.become(halved, [helper.make_node("Gelu", [x], [""])])


def with_layer_norms(net: Plain) -> None:
    """So has the norm over a frame's features (Ba et al. 2016)."""
    for node in net.of_kind("Sqrt"):
        added, divided = net.makers[node.input[0]], net.only(node)
        x = net.makers[divided.input[0]].input[0]
        scaled = net.only(divided)
        shifted = net.only(scaled)
        epsilon = next(float(net.weights[name]) for name in added.input if name in net.weights)
        wanted = [x, net.other(scaled, divided.output[0]), net.other(shifted, scaled.output[0])]
        net.become(shifted, [helper.make_node("LayerNormalization", wanted, [""], axis=-1, epsilon=epsilon)])


def with_attention(net: Plain) -> None:
    """Query, key and value by three products, where the net has one that is cut apart in five dimensions."""
    parted = net.weight("heads", np.array([0, -1, HEADS, WIDE // HEADS], np.int64))
    for node in net.of_kind("Squeeze"):
        cut = net.makers[node.input[0]]
        if cut.op_type != "Slice" or net.makers[cut.input[0]].op_type != "Transpose":
            continue
        part = slice(WIDE * (which := int(net.weights[cut.input[1]][0])), WIDE * (which + 1))
        added = net.makers[net.makers[net.makers[cut.input[0]].input[0]].input[0]]
        product = net.makers[added.input[0]]
        name = node.output[0]
        kernel = net.weight(f"{name}.w", net.weights[product.input[1]][:, part])
        bias = net.weight(f"{name}.b", net.weights[added.input[1]][part])
        new = [
            helper.make_node("MatMul", [product.input[0], kernel], [f"{name}.product"]),
            helper.make_node("Add", [f"{name}.product", bias], [f"{name}.sum"]),
            helper.make_node("Reshape", [f"{name}.sum", parted], [f"{name}.parted"]),
            helper.make_node("Transpose", [f"{name}.parted"], [""], perm=[0, 2, 1, 3]),
        ]
        net.become(node, new)


def without_height(net: Plain) -> None:
    """Frames are one high where attention begins: no shape has to be asked for, and none put back."""
    flat = net.weight("flat", np.array([0, WIDE, -1], np.int64))
    asked = next(node for node in net.of_kind("Reshape") if net.makers.get(node.input[1]) is not None)
    asked.input[1] = flat
    beside = net.makers[net.makers[net.makers[net.ends].input[0]].input[0]]  # what goes past attention, added
    lying = next(name for name in beside.input if net.makers[name].op_type == "Transpose")
    past, through = net.other(beside, lying), net.makers[net.makers[lying].input[0]].input[0]
    last = net.makers[net.ends]
    new = [
        helper.make_node("Transpose", [through], ["through"], perm=[0, 2, 1]),
        helper.make_node("Reshape", [past, flat], ["past"]),
        helper.make_node("Add", ["through", "past"], [""]),
    ]
    net.become(last, new)


def attributes(node: Any) -> dict[str, Any]:
    """A node's attributes by their names."""
    return {each.name: helper.get_attribute_value(each) for each in node.attribute}


def file_of(net: Plain) -> onnx.ModelProto:
    """Write the nodes as a file."""
    row = helper.make_tensor_value_info("row", onnx.TensorProto.FLOAT, [1, 1, 48, "columns"])
    features = helper.make_tensor_value_info("features", onnx.TensorProto.FLOAT, [1, WIDE, "frames"])
    called = {"x": "row", net.ends: "features"}
    for node in net.nodes:
        for names in (node.input, node.output):
            for at, name in enumerate(names):
                names[at] = called.get(name, name)
    weights = [numpy_helper.from_array(numbers, name) for name, numbers in net.weights.items()]
    graph = helper.make_graph(net.nodes, "second reader", [row], [features], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    onnx.checker.check_model(model)
    return model


def halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """Keep the large weights as 16-bit numbers, with a node each that makes them long again: half the size."""
    small = onnx.ModelProto()
    small.CopyFrom(model)
    kept: list[onnx.TensorProto] = list(model.graph.initializer)
    longer, weights = [], []
    for each in kept:
        numbers = numpy_helper.to_array(each)
        if numbers.dtype == np.float32 and numbers.size >= 256:
            weights.append(numpy_helper.from_array(numbers.astype(np.float16), f"{each.name}.half"))
            longer.append(helper.make_node("Cast", [f"{each.name}.half"], [each.name], to=onnx.TensorProto.FLOAT))
        else:
            weights.append(each)
    del small.graph.node[:], small.graph.initializer[:]
    small.graph.node.extend([*longer, *model.graph.node])
    small.graph.initializer.extend(weights)
    onnx.checker.check_model(small)
    return small


def kinds(model: onnx.ModelProto) -> Mapping[str, int]:
    """Count the nodes of each kind."""
    return Counter(node.op_type for node in model.graph.node)


def sizes(model: onnx.ModelProto) -> Iterator[int]:
    """How many numbers each weight has."""
    return (int(numpy_helper.to_array(each).size) for each in model.graph.initializer)
