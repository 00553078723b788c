"""Training recipes as data, frozen and checked, each with its source: published, recovered, or ours."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from modadd.core.groups import ADDITION, right_answers
from modadd.core.wording import unknown
from modadd.networks.architectures import ACTIVATIONS, ARCHITECTURES

DRAWS = ("seed", "perturbation")  # what makes another network of the same recipe
ADAMW, ADAM, OPTAX_ADAM, DESCENT = OPTIMISERS = ("adamw", "adam", "optax_adam", "descent")
ALL, KERNELS, TABLES = DECAYED = ("all", "kernels", "tables")
NOTHING, FREQUENCY, CONTROL, REST, FACTORS = SCALED = ("none", "frequency", "control", "rest", "factors")


DIRECTIONS = 8  # that `rest` leaves as they are: as many as four frequencies span
# By architecture, the factors of A and of B, without biases: those whose sizes can move between A, B and W.
FACTORED = {
    "group_mlp": ("U", "V"),
    "factored_mlp": ("E_a", "E_b", "W_a", "W_b"),
    "twice_factored_mlp": ("E_a", "E_b", "W_mid_a", "W_mid_b", "W_a", "W_b"),
}


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
    # adamw: decay apart from the gradient; adam: decay added to it, so L2 penalty λ‖θ‖² is decay 2λ; descent: likewise, and
    # the update is the rate times that; optax_adam: adam with the rounding of optax
    optimiser: str
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
    # of the initial weights: their part at a frequency that the seed draws, or in a random plane, or outside of eight random
    # directions; or every factor of A and B, with W by so much smaller that the first logits stay as they are
    scaled: str = NOTHING
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
        if self.decayed == TABLES and self.optimiser == "adamw":
            raise ValueError(f"decayed: expected {ALL} or {KERNELS} with the optimiser {self.optimiser}, got {TABLES}")
        if self.scaled not in SCALED:
            raise ValueError(unknown("scaled", "choice", self.scaled, SCALED))
        if self.scaled == NOTHING and self.scaled_by != 1:
            raise ValueError(f"scaled_by: expected 1 where `scaled` is {NOTHING}, got {self.scaled_by:g}")
        if self.scaled != NOTHING and (self.operation != ADDITION or self.modulus < 3):
            raise ValueError(f"scaled: expected {ADDITION} mod 3 or more, got {self.operation} mod {self.modulus}")
        if self.scaled == REST and self.modulus < DIRECTIONS:
            raise ValueError(f"scaled: expected a modulus of at least {DIRECTIONS} with {REST}, got {self.modulus}")
        if self.scaled == FACTORS and self.architecture not in FACTORED:
            raise ValueError(
                f"scaled: expected no {FACTORS} with {self.architecture}, as only {', '.join(FACTORED)} have them"
            )
        if self.scaled == FACTORS and not self.scaled_by > 0:
            raise ValueError(f"scaled_by: expected more than 0 with {FACTORS}, got {self.scaled_by:g}")
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

# 59 batches of 59 pairs, for 2,500 epochs. The launcher as it is kept starts four hidden layers; here is one.
RECIPES["flax_two_embedding_mlp"] = replace(
    RECIPES["embedding_mlp"],
    architecture="flax_two_embedding_mlp",
    modulus=59,
    d_model=128,
    d_mlp=1024,
    train_pairs=59 * 59,
    batch_size=59,
    optimiser=OPTAX_ADAM,
    learning_rate=0.00075,
    weight_decay=2e-5,  # a penalty of 1e-5 · ‖θ‖²
    steps=2500 * 59,
    source="[L] a coauthor's launcher for the models and moduli of [C1] Fig. 4, with the numbers of its Table 5, with one "
    "hidden layer; that the networks of [C1] were trained by this program is inferred",
)
RECIPES["flax_one_embedding_mlp"] = replace(RECIPES["flax_two_embedding_mlp"], architecture="flax_one_embedding_mlp")
RECIPES["flax_one_hot_mlp"] = replace(RECIPES["flax_two_embedding_mlp"], architecture="flax_one_hot_mlp", d_model=0)

_BATCHES_OF_C = RECIPES["embedding_mlp"]

# [C1] Table 4: n, learning rate, penalty L2 · ‖θ‖², training pairs, pairs per update. As printed: 169 pairs one by one for
# n = 17, and 13,568 pairs for n = 128, are likely slips.
_TABLE_4 = (
    (3, 0.01, 0.005, 9, 3),
    (5, 0.01, 0.005, 25, 5),
    (7, 0.01, 0.005, 49, 7),
    (13, 0.009, 0.004, 169, 13),
    (17, 0.009, 0.004, 169, 1),
    (59, 0.008, 0.001, 1770, 59),
    (64, 0.005, 0.0005, 2048, 64),
    (113, 0.004, 0.0003, 6780, 113),
    (128, 0.002, 0.0002, 13_568, 128),
    (193, 0.003, 0.0001, 18_914, 193),
    (256, 0.001, 0.0001, 34_560, 256),
    (310, 0.0009, 0.00007, 51_150, 310),
    (433, 0.0006, 0.00005, 86_600, 433),
    (499, 0.0005, 0.00003, 124_750, 499),
    (720, 0.0004, 0.000015, 259_200, 720),
)
_FIG_3 = {
    n: replace(
        _BATCHES_OF_C,
        modulus=n,
        d_model=128,
        d_mlp=8 * n,
        train_pairs=pairs,
        batch_size=batch,
        learning_rate=rate,
        weight_decay=2 * penalty,
        source="[C1] Table 4; updates, initial weights and β are not printed: those of embedding_mlp",
    )
    for n, rate, penalty, pairs, batch in _TABLE_4
}
_OF_FIG_4 = (
    "[C1] Table 5; batches, updates, initial weights, biases and β are not printed: batches of n, the rest that of "
)


def _fig_4(like: Recipe) -> dict[int, Recipe]:
    """The networks of 1,024 neurons of [C1] Fig. 4 by modulus, with what is not printed as in another recipe."""
    printed = {"d_mlp": 1024, "learning_rate": 0.00075, "weight_decay": 2e-5}
    return {
        n: replace(
            like,
            modulus=n,
            train_pairs=9 * n // 10 * n,
            batch_size=n,
            steps=_BATCHES_OF_C.steps,
            source=_OF_FIG_4 + like.architecture,
            **printed,
        )
        for n in range(59, 67)
    }


# Recipes whose numbers are printed modulus by modulus.
BY_MODULUS = {
    "embedding_mlp_8n": _FIG_3,
    # Alike but for the embedding: neither has biases.
    "embedding_mlp_1024": _fig_4(RECIPES["factored_mlp"]),
    "one_hot_mlp_1024": _fig_4(RECIPES["group_mlp"]),
}
_MOD_89 = replace(_BATCHES_OF_C, modulus=89, train_pairs=53 * 89, batch_size=89)
_FULL_BATCH = {"batch_size": 0, "steps": 1500}  # the paper does not state the steps
PUBLISHED_RECIPES = (
    *RECIPES.values(),
    replace(_BATCHES_OF_C, **_FULL_BATCH),
    _MOD_89,
    replace(_MOD_89, **_FULL_BATCH),
    *(recipe for table in BY_MODULUS.values() for recipe in table.values()),
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
