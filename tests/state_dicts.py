"""State dicts in the formats of published weights, with random numbers in them."""

import hashlib

import torch

import modadd.networks.foreign
from modadd.networks.foreign import read_external


def drawn(shapes, seed=0):
    """Random tensors of these shapes, by name."""
    generator = torch.Generator().manual_seed(seed)
    return {name: torch.randn(shape, generator=generator) / 2 for name, shape in shapes.items()}


def two_layer_state(n=7, d_model=5, d_mlp=9):
    """As [M]'s notebook saves it."""
    return drawn({"W_E": (n, d_model), "W_in": (d_model, d_mlp), "W_U": (d_mlp, n)})


def chughtai_state(n=7, d_model=5, d_mlp=9):
    """As the code of Chughtai et al. saves an embedding MLP: bilal-chughtai/rep-theory-mech-interp, C113_MLP_seed1."""
    return drawn({"W_x": (n, d_model), "W_y": (n, d_model), "W": (2 * d_model, d_mlp), "W_U": (d_mlp, n)})


def chughtai_transformer_state():
    """As it saves a transformer, C113_T_seed1: in the layout of TransformerLens, its embedding under three names."""
    state = lens_state()
    return {"x_embed": state["embed.W_E"], "y_embed": state["embed.W_E"]} | state


def shared_state(n=7, d_mlp=9, d_model=None):
    """As Y-Agent/modular-addition-feature-learning saves `final.pth`, its embedding one-hot or learned."""
    embedding = {"embed.W_E": (d_model, n)} if d_model else {}
    weights = {"mlp.W_in": (d_mlp, d_model or n), "mlp.W_out": (n, d_mlp), "mlp.basis": (n, n)}
    return {
        "model": drawn(embedding | weights),
        "optimizer": {
            "state": {0: {"step": torch.tensor(3.0), "exp_avg": torch.ones(9, 7), "exp_avg_sq": torch.ones(9, 7)}}
        },
        "scheduler": {"last_epoch": 3, "base_lrs": [0.1]},
        "train_losses": [2.0, 1.0],
        "epoch": 3,
    }


def nanda_run(**beside):
    """As neelnanda-io/Grokking saves `mod_addition_no_wd.pth`: losses as tensors without an axis beside the network."""
    losses = {"train_loss": torch.tensor(0.5, dtype=torch.float64), "test_loss": torch.tensor(0.5, dtype=torch.float64)}
    return {"model": nanda_state(), "config": {"lr": 0.001}, "train_losses": [0.5], **losses, **beside}


def linear_state(n=7, d_mlp=9, biases=True):
    """As two layers of torch.nn.Linear in a torch.nn.Sequential save it."""
    weights = {"0.weight": (d_mlp, 2 * n), "2.weight": (n, d_mlp)}
    return drawn(weights | ({"0.bias": (d_mlp,), "2.bias": (n,)} if biases else {}))


def transformer_state(layers=1, n=7, d_model=5, n_heads=3, d_head=2, d_mlp=9):
    """As [Z]'s code saves it; no two sizes are equal, and the heads together are wider than the stream."""
    shapes = {"embed.W_E": (d_model, n), "pos_embed.W_pos": (2, d_model), "unembed.W_U": (d_model, n)}
    for layer in range(layers):
        block = {f"attn.{name}": (n_heads, d_head, d_model) for name in ("W_K", "W_Q", "W_V")}
        block |= {"attn.W_O": (d_model, n_heads * d_head), "attn.mask": (2, 2), "mlp.W_in": (d_mlp, d_model)}
        block |= {"mlp.b_in": (d_mlp,), "mlp.W_out": (d_model, d_mlp), "mlp.b_out": (d_model,)}
        shapes |= {f"blocks.{layer}.{name}": shape for name, shape in block.items()}
    return drawn(shapes)


def nanda_state(layers=1, n=7, answers=8, d_model=5, d_mlp=9):
    """As the code of Nanda et al. saves it: a third position, whose token '=' is the last, with or without a logit."""
    state = transformer_state(layers, n, d_model, d_mlp=d_mlp)
    masks = {name: torch.ones(3, 3).tril() for name in state if name.endswith("mask")}
    ends = {"embed.W_E": (d_model, n + 1), "pos_embed.W_pos": (3, d_model), "unembed.W_U": (d_model, answers)}
    return state | masks | drawn(ends, seed=1)


def lens_state(layers=1, n=7, answers=7, biases=False):
    """As TransformerLens saves a transformer on three positions; no LayerNorm."""
    n_heads, d_head, d_model, d_mlp = 3, 2, 5, 9
    shapes = {"embed.W_E": (n + 1, d_model), "pos_embed.W_pos": (3, d_model)}
    zero = {}
    for layer in range(layers):
        block = {f"attn.{name}": (n_heads, d_model, d_head) for name in ("W_Q", "W_K", "W_V")}
        block |= {"attn.W_O": (n_heads, d_head, d_model), "mlp.W_in": (d_model, d_mlp), "mlp.W_out": (d_mlp, d_model)}
        block |= {"mlp.b_in": (d_mlp,), "mlp.b_out": (d_model,)}
        shapes |= {f"blocks.{layer}.{name}": shape for name, shape in block.items()}
        attention = {f"attn.{name}": (n_heads, d_head) for name in ("b_Q", "b_K", "b_V")} | {"attn.b_O": (d_model,)}
        zero |= {f"blocks.{layer}.{name}": shape for name, shape in attention.items()}
    shapes["unembed.W_U"], zero["unembed.b_U"] = (d_model, answers), (answers,)
    masks = {f"blocks.{layer}.attn.mask": torch.ones(3, 3, dtype=torch.bool).tril() for layer in range(layers)}
    masks |= {f"blocks.{layer}.attn.IGNORE": torch.tensor(-torch.inf) for layer in range(layers)}
    return drawn(shapes | zero) if biases else drawn(shapes) | {k: torch.zeros(s) for k, s in zero.items()} | masks


def bridge_state(below, layers=1):
    """The same network as TransformerLens saves it from version 4: `TransformerBridge.boot_native`, Linear for matrices."""
    state = {"embed.weight": below["embed.W_E"], "pos_embed.weight": below["pos_embed.W_pos"]}
    for layer in range(layers):
        attn, mlp = f"blocks.{layer}.attn.", f"blocks.{layer}.mlp."
        for part in "QKV":
            state[f"{attn}{part.lower()}.weight"] = below[f"{attn}W_{part}"].mT.flatten(0, 1)
            state[f"{attn}{part.lower()}.bias"] = below[f"{attn}b_{part}"].flatten()
        state |= {f"{attn}o.weight": below[f"{attn}W_O"].flatten(0, 1).T, f"{attn}o.bias": below[f"{attn}b_O"]}
        for part in ("in", "out"):
            state |= {f"{mlp}{part}.weight": below[f"{mlp}W_{part}"].T, f"{mlp}{part}.bias": below[f"{mlp}b_{part}"]}
    return state | {"unembed.weight": below["unembed.W_U"].T, "unembed.bias": below["unembed.b_U"]}


def saved(state, path):
    """The state dict as a file, and its hash."""
    torch.save(state, path)
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def imported(state, format, tmp_path, **said):
    """The network that the importer makes of a state dict, and of what its entry says."""
    path, sha256 = saved(state, tmp_path / "weights.pt")
    return read_external(path, format, sha256, **said)


def found_in(path, external):
    """All lines that are said of an imported network."""
    return "\n".join(modadd.networks.foreign.found_in(path, external))
