"""The page on networks of others: each format with its tensors and an example file, and what becomes of other files."""

import re
from collections.abc import Iterator

from modadd.networks.checkpoints import NO_TENSORS, SAVING
from modadd.networks.formats import EVERYTHING, FORMATS, WITHOUT_FORM, Format
from modadd.page.manual import markdown_table

EXAMPLE_SIZES = {"n": 113, "d_model": 128, "d_mlp": 512, "n_heads": 4, "d_head": 32}  # of the example files

# Checkpoints of the field: the format that reads them, what their entry says besides, and what of them is analysed, or
# the words of their refusal.
ANALYSED = {
    "C. Kissane's two-layer MLP": ("two_layer_mlp", {}, EVERYTHING),
    "an embedding MLP with biases (McCracken et al.)": ("embedding_mlp", {"activation": "relu"}, EVERYTHING),
    "Chughtai et al., mod 113": ("chughtai_mlp", {}, EVERYTHING),
    "Chughtai et al., an even modulus such as 118": ("chughtai_mlp", {}, EVERYTHING),
    "one-hot inputs into `nn.Linear`, ReLU (arXiv 2602.16849)": ("linear_mlp", {"activation": "relu"}, EVERYTHING),
    "the same with u² neurons (arXiv 2301.02679, one-hot)": ("linear_mlp", {"activation": "square"}, WITHOUT_FORM),
    "Nanda et al., with their own code": ("nanda_transformer", {}, WITHOUT_FORM),
    "Nanda et al., through TransformerLens": ("nanda_transformer", {}, WITHOUT_FORM),
    "C. Kissane's subtraction transformer": ("nanda_transformer", {"operation": "subtraction"}, WITHOUT_FORM),
    "Zhong et al., attention all ones, one layer (Model A)": ("zhong_ones", {}, EVERYTHING),
    "Zhong et al., attention all ones, several layers": ("zhong_ones", {}, WITHOUT_FORM),
    "Zhong et al., softmax attention (Model B)": ("zhong_softmax", {}, WITHOUT_FORM),
    "Zhong et al., GeLU": ("zhong_ones", {"activation": "gelu"}, WITHOUT_FORM),
}
NOT_ANALYSED = {
    "Zhong et al., linear models": ("zhong_ones", "a linear model of Zhong et al. (it has 'embed.weight')"),
    "Zhong et al., attention between ones and softmax, its settings beside it": (
        "zhong_ones",
        "attn_coeff 0.5 is attention between all ones (0) and softmax (1), which is not read",
    ),
    "Zhong et al., two vocabularies": ("zhong_ones", "a network of that kind is not read"),
    "a transformer with LayerNorm": ("nanda_transformer", "a network with LayerNorm (it has 'blocks.0.ln1.w')"),
    "a transformer on a, b without '=', through TransformerLens": (
        "nanda_transformer",
        "tensor 'pos_embed.W_pos': expected shape (3, d_model)",
    ),
    "a transformer of attention alone": ("nanda_transformer", "tensor 'blocks.0.mlp.W_in' is missing"),
}

# Kinds of files that people have, and what is said of them; those that are read say what was done.
READ = {
    "a state dict inside a dict, beside an optimiser, a step or a config": "tensors taken from ['model']",
    "names with a common prefix (`module.`, `_orig_mod.`, `model.`)": "prefix 'module.' taken off all names",
    "buffers beside the parameters, such as `attn.mask`": "buffers left out: blocks.0.attn.mask",
    "a number beside the tensors": "entries left out that are no tensors: epoch (int)",
    "`.npz`": "",
    "`.safetensors`": "",
    "float64": "float64 kept",
    "float16 or bfloat16": "bfloat16 made float32, which is exact",
    "layers of any name (`linear_mlp`)": "read by shape: 0.weight is first.weight, 2.weight is second.weight",
    "the layout of TransformerLens (`nanda_transformer`)": "laid out as TransformerLens saves it; axes put in the order",
    "its biases, where the attention was trained without them": "biases left out, which are 0: blocks.0.attn.b_Q",
}
REFUSED = {
    "several state dicts in one file": "torch.save(torch.load('mine.pt', weights_only=True)['model'], 'mine.pt')",
    "a list of state dicts": "torch.save(torch.load('mine.pt', weights_only=True)['checkpoints'][-1], 'mine.pt')",
    "a whole module, or any other object in a pickle": SAVING,
    "an optimiser alone, or a dict without tensors": "expected a dict of tensors, found step",
    "a Git LFS pointer": NO_TENSORS[b"version https://git-lfs"],
    "a web page": NO_TENSORS[b"<"],
    "a compressed file": NO_TENSORS[b"\x1f\x8b"],
    "HDF5 (Keras)": NO_TENSORS[b"\x89HDF"],
    "`.npy`": NO_TENSORS[b"\x93NUMPY"],
    "objects in a `.npz`": "expected arrays of numbers, found what NumPy does not read",
    "whole or complex numbers, quantised or sparse tensors": "expected dense numbers of float16, bfloat16, float32, float64",
    "NaN or infinity": "2 values that are not finite",
    "a damaged or truncated file": "expected a dict of tensors, found what torch does not read",
    "another file than the one that was meant": "this is not the file that was meant",
    "tensors of another format": "unknown tensor 'W_E'; did you mean 'embed.W_E'?",
    "LayerNorm, also in the layout of TransformerLens": "a network with LayerNorm (it has 'ln_final.w')",
    "LayerNorm whose weights are folded into the next layer": "with LayerNorm without weights accuracy 1",
    "a linear model of Zhong et al.": "a linear model of Zhong et al. (it has 'embed.weight'), which no format reads",
    "more or fewer positions than a, b and '='": "tensor 'pos_embed.W_pos': expected shape (3, d_model)",
    "neurons of u² or GeLU, where the entry does not say so": "write `activation: square` into its entry",
    "ReLUs that answer every input, where u² would have a smaller loss": "`activation: square` or `activation: relu`",
    "another attention than that of the format": "write `format: zhong_softmax` into its entry",
    "another operation than that of the entry": "write `operation: subtraction` into its entry",
    "two vocabularies, of which the second number has its own": "a network of that kind is not read",
}


def formats_page() -> str:
    """Markdown of every format and of every kind of file."""
    return "\n".join(
        [
            "# Networks of others\n",
            "<!-- Written by `workflow/dev/manual.py` from the formats in workflow/scripts/modadd/networks/formats.py. -->\n",
            "A file is read by its format, which you name. Nothing in it is executed.",
            "`make network FILE=mine.pt FORMAT=two_layer_mlp` checks it and shows it; an entry of the",
            "[config](../config/README.md) adds it to every build. f is ReLU, unless the entry has an `activation`: no file",
            "says what its neurons compute. If the network learned another `operation` than addition, the entry says that",
            "as well.\n",
            f"Of neurons that are not ReLUs, and where a format says so, only this is analysed: {WITHOUT_FORM}.",
            "Notebooks that need the [separable form](architecture.md#the-one-equation) leave such a network out, as does the",
            "explorer.\n",
            "## Which format is mine?\n",
            *markdown_table(("checkpoint", "`FORMAT`", "its entry says", "analysed"), _analysed()),
            "\nThese are not read:\n",
            *markdown_table(
                ("checkpoint", "in these words"), ((name, _code(words)) for name, (_, words) in NOT_ANALYSED.items())
            ),
            "",
            *(line for name, format in FORMATS.items() for line in _section(name, format)),
            "## What becomes of other files\n",
            "What is done to a file before it is read is printed. What is not certain is refused in one line.\n",
            "These are read:\n",
            *markdown_table(("file", "what is said"), ((kind, _code(words)) for kind, words in READ.items())),
            "\nThese are refused:\n",
            *markdown_table(("file", "in these words"), ((kind, _code(words)) for kind, words in REFUSED.items())),
            "",
        ]
    )


def example(name: str) -> str:
    """Python that writes an example file of a format, with random numbers."""
    layout = FORMATS[name].layout({})
    used = [
        size for size in EXAMPLE_SIZES if any(size in re.findall(r"\w+", dimensions) for dimensions in layout.values())
    ]
    tensors = [f'    "{tensor}": torch.randn({_sizes(dimensions)}),' for tensor, dimensions in layout.items()]
    return "\n".join(
        [
            "import torch\n",
            f"{', '.join(used)} = {', '.join(str(EXAMPLE_SIZES[size]) for size in used)}",
            "example = {",
            *tensors,
            "}",
            f'torch.save(example, "{name}.pt")',
        ]
    )


def _section(name: str, format: Format) -> list[str]:
    """What a format is, its tensors, what of it is analysed, and an example."""
    rows = ((f"`{tensor}`", f"({_sizes(dimensions)})") for tensor, dimensions in format.layout({}).items())
    return [
        f"## {name}\n",
        f"{format.says}\n",
        f"Analysed: {format.analysed}.\n",
        *markdown_table(("tensor", "shape"), rows),
        "\nAn example file:\n",
        f"```python\n{example(name)}\n```\n",
    ]


def _analysed() -> Iterator[tuple[str, str, str, str]]:
    """The rows of ANALYSED."""
    for name, (format, said, analysed) in ANALYSED.items():
        keys = ", ".join(f"`{key}: {value}`" for key, value in said.items())
        yield name, f"[`{format}`](#{format})", keys or "–", analysed.partition(":")[0]


def _sizes(dimensions: str) -> str:
    """Dimensions of a layout as Python writes them."""
    return ", ".join(re.sub(r"([*+])", r" \1 ", dimension) for dimension in dimensions.split())


def _code(words: str) -> str:
    """Words of a message as code, which may hold code themselves; a dash for none."""
    return f"`` {words} ``" if words else "–"
