"""Published training recipes as data: frozen, checked, each with its source."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from modadd.suggestions import unknown


@dataclass(frozen=True)
class Recipe:
    """Everything but the seed that decides a trained network; full batch, mean cross-entropy, AdamW."""

    architecture: str
    modulus: int
    d_model: int
    n_heads: int
    d_mlp: int
    init_scale: float  # standard deviation of every initial matrix entry, times √d_model
    train_share: float  # of the n² pairs
    learning_rate: float
    beta1: float
    beta2: float
    epsilon: float
    weight_decay: float  # decoupled (AdamW), on every parameter, per unit of learning rate
    steps: int  # full-batch updates
    source: str

    def __post_init__(self) -> None:
        """Raise ValueError for what no range of a single key can say."""
        if self.d_model % self.n_heads:
            raise ValueError(f"n_heads: expected a divisor of d_model = {self.d_model}, got {self.n_heads}")
        if not 1 <= self.n_train < self.modulus**2:
            raise ValueError(
                f"train_share: {self.train_share} of {self.modulus}² pairs leaves {self.n_train} to train on; "
                "expected at least one and fewer than all"
            )

    @property
    def n_train(self) -> int:
        """Number of training pairs, ⌊train_share · n²⌋."""
        return int(self.train_share * self.modulus**2)

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
        train_share=0.8,
        learning_rate=1e-3,
        beta1=0.9,
        beta2=0.98,
        epsilon=1e-8,
        weight_decay=1.0,
        steps=10_000,
        source="[Q] mainline: Yip, Agrawal, Chan, Gross, arXiv 2412.03773",
    ),
}

OVERRIDABLE = tuple(f.name for f in fields(Recipe) if f.name not in ("architecture", "source"))


def recipe_of(study: str, settings: Mapping[str, Any]) -> Recipe:
    """The recipe of one study of the config: the published one of its `recipe` key (or name), with the keys it overrides.

    Raises ValueError naming the key, what was expected and the nearest valid name.
    """
    name = settings.get("recipe", study)
    if name not in RECIPES:
        key = f"studies.{study}" + (".recipe" if "recipe" in settings else "")
        hint = "" if "recipe" in settings else f", or a study of another name with a `recipe:` key"
        raise ValueError(unknown(key, "recipe", name, RECIPES) + hint)
    try:
        published = RECIPES[name]
        overrides = {key: type(getattr(published, key))(settings[key]) for key in OVERRIDABLE if key in settings}
        return replace(published, **overrides)
    except ValueError as error:
        raise ValueError(f"studies.{study}.{error}") from error
