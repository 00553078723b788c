"""Networks trained on all pairs but (a, a), a set that is closed under swapping both numbers: do they answer the pairs (a, a)?

Kernels that learn features do not, until the symmetry of the set is broken (arXiv 2604.00316). data/symmetric_sets/predictions.yaml
says what was predicted of networks before any of them was trained.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int, Real

from modadd.core.code import code_behind
from modadd.core.groups import ADDITION, right_answers
from modadd.core.losses import cross_entropy
from modadd.core.parquet import read_tables
from modadd.core.processor import processor
from modadd.core.separable import margins
from modadd.core.statistics import Estimate, distance_from_zero, mean_of, ratio_of, share
from modadd.networks.architectures import separable_of
from modadd.networks.initialisation import Split, seed_for, split
from modadd.networks.recipes import RECIPES, Recipe
from modadd.networks.starts import drawn
from modadd.training.network import Learner
from modadd.training.run import TrainingDivergedError

SMALL, N = 13, 61  # N: the modulus of the source
MANY = {SMALL: 16, 31: 1, N: 1}  # networks of a modulus for each seed of the config: small ones take no time
MODULI = tuple(MANY)
SEEN = 16  # seeds that had been seen mod SMALL before anything was predicted of it
SYMMETRIC, BROKEN, RANDOM = ARMS = ("symmetric", "broken", "random")
EMBEDDING, FREE_TABLES, ONE_TABLE = NETWORKS = ("embedding", "free_tables", "one_table")
COUNTED_FROM = 0.99  # share of right answers to its training pairs from which a network counts
IDENTITY = ["modulus", "network", "arm", "updates", "seed"]
read_symmetric_sets = partial(read_tables, identity=IDENTITY)  # of several files


def recipe_of(network: str, n: int) -> Recipe:
    """The recipe of one of NETWORKS, in batches of n of the n(n − 1) pairs that are trained."""
    embedding = replace(RECIPES["embedding_mlp"], modulus=n, train_pairs=n * (n - 1), batch_size=n)
    if network == EMBEDDING:
        return embedding
    if network == ONE_TABLE:
        return replace(embedding, architecture="two_layer_mlp")
    sizes = {"modulus": n, "train_pairs": n * (n - 1), "batch_size": n, "d_mlp": 4 * n}
    return replace(RECIPES["group_mlp"], **sizes, learning_rate=0.004, steps=8000)


STEPS = {network: recipe_of(network, N).steps for network in NETWORKS}
LONGEST = max(STEPS.values())


def symmetric_sets_rows(seeds: Sequence[int], updates: int = LONGEST) -> Iterable[dict[str, Any]]:
    """Train every network at every modulus in every arm; one row each. None makes more updates than `updates` says."""
    origin = {
        "processor": processor(),
        **{package: version(package) for package in ("torch", "numpy", "numba")},
        "code": code_behind(__file__),
    }
    for n, network, arm in product(MODULI, NETWORKS, ARMS):
        recipe = recipe_of(network, n)
        recipe = replace(recipe, steps=min(updates, recipe.steps))
        for seed in seeds_at(n, seeds):
            which = {"modulus": n, "network": network, "arm": arm, "updates": recipe.steps, "seed": seed}
            yield {**which, **origin, **trained_on(recipe, arm, seed)}


def seeds_at(n: int, seeds: Sequence[int]) -> list[int]:
    """The seeds of a modulus for some of the config: MANY for each."""
    return [MANY[n] * seed + more for seed in seeds for more in range(MANY[n])]


def pairs_of(recipe: Recipe, arm: str, seed: int) -> Split:
    """Training pairs and held-out pairs of an arm, both in the order in which the seed shuffles all pairs.

    symmetric: all pairs but (a, a). broken: one random pair is held out, too, and its mirror image has its place. random: as
    many random pairs are held out as the recipe says, which has n(n − 1) training pairs.
    """
    if arm == RANDOM:
        return split(recipe, seed)
    everything = np.concatenate(split(recipe, seed))
    fixed = everything[:, 0] == everything[:, 1]
    trained, held_out = everything[~fixed], everything[fixed]
    if arm == BROKEN:
        moved = np.random.default_rng(seed_for(seed, "pair moved")).integers(len(trained))
        held_out = np.concatenate([held_out, trained[[moved]]])
        trained[moved] = trained[moved, ::-1]
    return trained, held_out


def trained_on(recipe: Recipe, arm: str, seed: int) -> dict[str, Any]:
    """Train one network on the pairs of an arm, and measure it on them and on those held out.

    Raises TrainingDivergedError if its loss stops being a finite number.
    """
    trained, held_out = pairs_of(recipe, arm, seed)
    learner = Learner(recipe, {name: value.numpy() for name, value in drawn(recipe, seed).items()})
    batches = trained.reshape(-1, recipe.batch_size, 2)
    losses = learner.update(learner.task(batches, right_answers(ADDITION, recipe.modulus)), 0, recipe.steps)
    if not np.isfinite(losses).all():
        raise TrainingDivergedError(f"{arm}, seed {seed}: the loss is not finite before update {len(losses) - 1}")
    parameters = {name: learner.parameter(name) for name in learner.names}
    return measured(separable_of(recipe.architecture, parameters).logits(), trained, held_out)


def measured(
    logits: Float[np.ndarray, "n n n"], trained: Int[np.ndarray, "m 2"], held_out: Int[np.ndarray, "q 2"]
) -> dict[str, Any]:
    """For a row: pairs held out, in all and of (a, a), and how many of each are answered right; accuracy and losses.

    fixed: the pairs (a, a). The accuracy is that on the training pairs. Losses are mean nats.
    """
    sums = right_answers(ADDITION, len(logits))
    right = margins(logits, sums) > 0
    losses = cross_entropy(logits, sums)
    fixed = held_out[held_out[:, 0] == held_out[:, 1]]
    return {
        "held_out": len(held_out),
        "held_out_right": int(_at(right, held_out).sum()),
        "fixed": len(fixed),
        "fixed_right": int(_at(right, fixed).sum()),
        "train_accuracy": float(_at(right, trained).mean()),
        "loss": float(_at(losses, trained).mean()),
        "held_out_loss": float(_at(losses, held_out).mean()),
    }


def _at(table: Real[np.ndarray, "n n"] | Bool[np.ndarray, "n n"], pairs: Int[np.ndarray, "m 2"]) -> np.ndarray:
    a, b = pairs.T
    return table[a, b]


def whole(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of networks that made all updates of their recipe."""
    return rows[rows.updates == rows.network.map(STEPS)].reset_index(drop=True)


def counted(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows that count: of networks that fit their training pairs; none if fewer than half of those given do."""
    fits = rows.train_accuracy >= COUNTED_FROM
    return rows[fits] if 2 * fits.sum() >= len(rows) else rows[:0]


def share_right(right: Int[np.ndarray, "networks"], asked: Int[np.ndarray, "networks"]) -> Estimate:
    """The share of the pairs asked that are answered right, over all networks, with an interval within 0 and 1.

    Where all are right, or all wrong, its other end is that of Poisson's law for a count of 0.
    """
    if not right.any():
        none = ratio_of(right, asked)
        return replace(none, high=min(none.high, 1.0))
    wrong = ratio_of(asked - right, asked)
    return Estimate(1 - wrong.value, max(1 - wrong.high, 0.0), 1 - wrong.low, wrong.of)


def arms_table(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each modulus, network and arm: its networks, those that count, and of these shares right and mean losses.

    right, low, high: of the held-out pairs (a, a), with the 95 % interval; held_out_right and so on, of all held-out pairs.
    """
    lines = []
    for n, network, arm in product(MODULI, NETWORKS, ARMS):
        every = rows_of(rows, n, network, arm)
        own = counted(every)
        fixed = share_of_fixed(own)
        all_held_out = share_right(own.held_out_right.to_numpy(), own.held_out.to_numpy())
        lines.append(
            {
                "modulus": n,
                "network": network,
                "arm": arm,
                "networks": len(every),
                "counted": len(own),
                "right": fixed.value,
                "low": fixed.low,
                "high": fixed.high,
                "held_out_right": all_held_out.value,
                "held_out_low": all_held_out.low,
                "held_out_high": all_held_out.high,
                "train_accuracy": own.train_accuracy.mean(),
                "loss": own.loss.mean(),
                "held_out_loss": own.held_out_loss.mean(),
            }
        )
    return pd.DataFrame(lines)


def rows_of(rows: pd.DataFrame, n: int, network: str, arm: str) -> pd.DataFrame:
    """The rows of one network at one modulus in one arm."""
    return rows[(rows.modulus == n) & (rows.network == network) & (rows.arm == arm)]


def share_of_fixed(rows: pd.DataFrame) -> Estimate:
    """The share of the held-out pairs (a, a) that some networks answer right."""
    return share_right(rows.fixed_right.to_numpy(), rows.fixed.to_numpy())


def both_arms(rows: pd.DataFrame, n: int, network: str) -> pd.DataFrame:
    """Rows of the arm symmetric beside those of the arm broken (_broken), over the seeds whose networks count in both."""
    symmetric, broken = (counted(rows_of(rows, n, network, arm)) for arm in (SYMMETRIC, BROKEN))
    return symmetric.merge(broken, on="seed", suffixes=("", "_broken"))


def apart(rows: pd.DataFrame) -> Estimate:
    """How far the shares right of the pairs (a, a) are apart in the arms broken and symmetric, of the embedding mod N."""
    both = both_arms(rows, N, EMBEDDING)
    difference = (both.fixed_right_broken - both.fixed_right).to_numpy()
    return distance_from_zero(ratio_of(difference, both.fixed.to_numpy(), signed=True))


def caught(rows: pd.DataFrame) -> dict[str, Any]:
    """Networks of the embedding mod SMALL that answer fewer than half of the pairs (a, a) right, over the seeds from SEEN on.

    Shares of the arms symmetric and broken, and the mean difference.
    """
    both = both_arms(rows, SMALL, EMBEDDING)
    both = both[both.seed >= SEEN]
    symmetric = (2 * both.fixed_right < both.fixed).to_numpy()
    broken = (2 * both.fixed_right_broken < both.fixed_broken).to_numpy()
    more = mean_of(symmetric.astype(int) - broken, signed=True)
    return {"caught_symmetric": share(symmetric), "caught_broken": share(broken), "caught_more": more}


def answers(rows: pd.DataFrame) -> dict[str, Any]:
    """The numbers that the predictions are judged by.

    The shares right of the pairs (a, a) mod N by arm, a list in the order of NETWORKS; `apart`; and those of `caught`.
    """
    found = {}
    for arm in (SYMMETRIC, BROKEN):
        found[arm] = [share_of_fixed(counted(rows_of(rows, N, network, arm))) for network in NETWORKS]
    return found | {"breaking_changes": apart(rows)} | caught(rows)
