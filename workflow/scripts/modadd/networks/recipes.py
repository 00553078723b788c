"""Training recipes as data, frozen and checked, each with its source: published, recovered, or ours."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from modadd.core.groups import ADDITION, right_answers
from modadd.core.wording import unknown
from modadd.networks.architectures import ACTIVATIONS, ARCHITECTURES

DRAWS = ("seed", "perturbation")  # what makes another network of the same recipe
OPTIMISERS = ("adamw", "adam")
ALL, KERNELS, TABLES = DECAYED = ("all", "kernels", "tables")
NOTHING, FREQUENCY, CONTROL = SCALED = ("none", "frequency", "control")


@dataclass(frozen=True)
class Recipe:
    """Everything but the seed that decides a trained network; the loss is mean cross-entropy."""

    architecture: str
    modulus: int
    d_model: int  # width of the residual stream, or of each embedding; 0 for an architecture without
    n_heads: int  # 0 for an architecture without attention
    d_mlp: int
    init_scale: float  # times the standard deviation that the architecture's initialisation states
    train_pairs: int  # of the n² pairs; where they are all of them, none is held out
    batch_size: int  # pairs per update, 0 for all of them
    optimiser: str  # adamw: decay apart from the gradient; adam: decay added to it, so L2 penalty λ‖θ‖² is decay 2λ
    learning_rate: float
    beta1: float
    beta2: float
    epsilon: float
    weight_decay: float  # on the parameters that `decayed` names
    steps: int  # updates
    source: str
    perturbation: int = 0  # 0 for none, p for the p-th change of the initial parameters in their last bit
    decayed: str = (
        ALL  # all parameters; kernels: the matrices that are no embedding; tables: A, B, W, C and D themselves
    )
    reshuffled: bool = (
        False  # whether every pass cuts new batches; if not, they are cut once and visited in the same order
    )
    operation: str = ADDITION  # what the network learns, on `modulus` elements: one of core.groups
    scaled: str = NOTHING  # of the initial weights: their part at a frequency that the seed draws, or in a random plane
    scaled_by: float = 1.0  # the factor of that part
    activation: str = ""  # what the neurons compute; if none is named, the architecture's own

    def __post_init__(self) -> None:
        """Name the activation where none is named; raise ValueError for what no range of a single key can say."""
        if not self.activation and self.architecture in ARCHITECTURES:
            object.__setattr__(self, "activation", ARCHITECTURES[self.architecture].activation)
        if self.activation and self.activation not in ACTIVATIONS:
            raise ValueError(unknown("activation", "activation", self.activation, ACTIVATIONS))
        if self.optimiser not in OPTIMISERS:
            raise ValueError(unknown("optimiser", "optimiser", self.optimiser, OPTIMISERS))
        if self.decayed not in DECAYED:
            raise ValueError(unknown("decayed", "choice", self.decayed, DECAYED))
        if self.decayed == TABLES and self.optimiser != "adam":
            raise ValueError(f"decayed: expected {ALL} or {KERNELS} with the optimiser {self.optimiser}, got {TABLES}")
        if self.scaled not in SCALED:
            raise ValueError(unknown("scaled", "choice", self.scaled, SCALED))
        if self.scaled == NOTHING and self.scaled_by != 1:
            raise ValueError(f"scaled_by: expected 1 where `scaled` is {NOTHING}, got {self.scaled_by:g}")
        if self.scaled != NOTHING and (self.operation != ADDITION or self.modulus < 3):
            raise ValueError(f"scaled: expected {ADDITION} mod 3 or more, got {self.operation} mod {self.modulus}")
        if self.n_heads and self.d_model % self.n_heads:
            raise ValueError(f"n_heads: expected a divisor of d_model = {self.d_model}, got {self.n_heads}")
        if not 1 <= self.train_pairs <= self.modulus**2:
            raise ValueError(f"train_pairs: expected 1 to {self.modulus}² = {self.modulus**2}, got {self.train_pairs}")
        if self.train_pairs % self.pairs_per_update:
            raise ValueError(
                f"batch_size: expected a divisor of the {self.train_pairs} training pairs, got {self.batch_size}"
            )
        right_answers(self.operation, self.modulus)

    @property
    def pairs_per_update(self) -> int:
        """The batch size, or all training pairs."""
        return self.batch_size or self.train_pairs

    def decays(self, parameter: str) -> bool:
        """Whether weight decay applies to the parameter of this name."""
        kernel = parameter.startswith("W_") and parameter not in ("W_E", "W_pos")
        return self.decayed == ALL or (self.decayed == KERNELS and kernel)

    @property
    def has_own_activation(self) -> bool:
        """Whether the neurons compute what the architecture says, and no other activation."""
        return self.activation == ARCHITECTURES[self.architecture].activation

    @property
    def sizes(self) -> dict[str, int]:
        """Widths that, with the modulus, fix every parameter's shape."""
        return {"d_model": self.d_model, "n_heads": self.n_heads, "d_mlp": self.d_mlp}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for metadata."""
        return asdict(self)

    def without_draws(self) -> dict[str, Any]:
        """What all networks of a recipe have in common: its data without DRAWS and source."""
        return {key: value for key, value in asdict(self).items() if key not in (*DRAWS, "source")}


RECIPES = {
    "pizza_transformer": Recipe(
        architecture="pizza_transformer",
        modulus=59,
        d_model=128,
        n_heads=4,
        d_mlp=512,
        init_scale=0.8,
        train_pairs=2784,  # ⌊0.8 · 59²⌋
        batch_size=0,
        optimiser="adamw",
        learning_rate=1e-3,
        beta1=0.9,
        beta2=0.98,
        epsilon=1e-8,
        weight_decay=1.0,
        steps=10_000,
        source="[Q] mainline: Yip, Agrawal, Chan, Gross, arXiv 2412.03773; recovered: no text prints it, but with it the "
        "printed frequencies, coefficients and R² come out",
    ),
    "two_layer_mlp": Recipe(
        architecture="two_layer_mlp",
        modulus=113,
        d_model=128,
        n_heads=0,
        d_mlp=512,
        init_scale=1.0,
        train_pairs=3830,  # ⌊0.3 · 113²⌋
        batch_size=0,
        optimiser="adamw",
        learning_rate=1e-3,
        beta1=0.9,
        beta2=0.95,
        epsilon=1e-8,
        weight_decay=1.0,
        steps=50_000,
        source="[M] Kissane, notebook on a two-layer MLP trained on modular addition",
    ),
    "embedding_mlp": Recipe(
        architecture="embedding_mlp",
        modulus=91,
        d_model=32,
        n_heads=0,
        d_mlp=128,
        init_scale=1.0,
        train_pairs=56 * 91,
        batch_size=91,
        optimiser="adam",
        learning_rate=8e-3,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        weight_decay=2e-4,
        steps=14_000,  # 250 epochs of 56 batches; the paper does not state it, nor initialisation and order of batches
        source="[C] §4: McCracken et al., arXiv 2505.18266 (earlier version)",
    ),
    "group_mlp": Recipe(
        architecture="group_mlp",
        modulus=31,
        d_model=0,
        n_heads=0,
        d_mlp=128,
        init_scale=1.0,
        train_pairs=31**2,
        batch_size=0,
        optimiser="adam",
        learning_rate=1e-3,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        weight_decay=2e-4,  # a penalty of 1e-4 · ‖θ‖²
        steps=20_000,
        source="[T] one hidden layer on a group, after Gromov, arXiv 2301.02679, and Morwani et al., arXiv 2311.07568; the "
        "numbers are ours",
    ),
}
RECIPES["square_mlp"] = replace(RECIPES["group_mlp"], architecture="square_mlp", activation="square")
RECIPES["factored_mlp"] = replace(
    RECIPES["group_mlp"],
    architecture="factored_mlp",
    d_model=128,
    source="ours: group_mlp behind embeddings of 128 dimensions, as [C1] has them",
)
RECIPES["twice_factored_mlp"] = replace(
    RECIPES["factored_mlp"],
    architecture="twice_factored_mlp",
    source="ours: factored_mlp with a square linear layer behind each embedding",
)

_BATCHES_OF_C = RECIPES["embedding_mlp"]
_MOD_89 = replace(_BATCHES_OF_C, modulus=89, train_pairs=53 * 89, batch_size=89)
_FULL_BATCH = {"batch_size": 0, "steps": 1500}  # the paper does not state the steps
PUBLISHED_RECIPES = (
    *RECIPES.values(),
    replace(_BATCHES_OF_C, **_FULL_BATCH),
    _MOD_89,
    replace(_MOD_89, **_FULL_BATCH),
)


def deviations(used: Mapping[str, Any]) -> dict[str, str]:
    """Where numbers of a recipe are not those of the nearest published one of its architecture, in words by key."""
    return min((_deviations(used, p) for p in PUBLISHED_RECIPES if p.architecture == used["architecture"]), key=len)


def _deviations(used: Mapping[str, Any], published: Recipe) -> dict[str, str]:
    pairs = same_share(published, used.get("modulus", published.modulus))
    stated = published.as_dict() | {"train_pairs": pairs, "source": used.get("source")}
    differing = (key for key in used if used[key] != stated[key])
    return {key: f"{key} {used[key]} (published {stated[key]})" for key in differing}


def same_share(published: Recipe, n: int) -> int:
    """The published share of the n² pairs of another modulus, rounded down."""
    return published.train_pairs * n**2 // published.modulus**2
