"""What the snapshots of a run measure, against networks and logits with known answers."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from keep import keep
from simple_networks import silent_network
from support import ROOT, perfect_network

from modadd.core.fourier import term
from modadd.core.losses import cross_entropy
from modadd.core.neurons import neurons_of
from modadd.core.parquet import write_table
from modadd.core.separable import margins
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import RECIPES
from modadd.networks.registry import measured
from modadd.networks.snapshots import read_history, schedule, write_history
from modadd.populations import events, stages
from modadd.quadrature.scheme import INTEGRAL, quadrature_error, schemes_of
from modadd.training.train import train_network
from paper.yaml_files import read_yaml

N = 11
SEEN = np.random.default_rng(0).random((N, N)) < 0.6


def of(logits, key):
    return stages.losses_of(logits, key, SEEN)


def test_restricted_and_excluded_loss_of_a_sum_of_cosines():
    logits = 9 * (term("clock", 1, N) + term("clock", 3, N))
    full, half = of(logits, [1, 3]), of(logits, [1])
    assert full["restricted_loss"] == pytest.approx(full["train_loss"]), "nothing else is in the logits"
    assert full["excluded_loss"] == pytest.approx(np.log(N)), "nothing is left"
    assert np.log(N) > half["restricted_loss"] > full["restricted_loss"]
    a, b = np.indices((N, N))
    alone = cross_entropy(9 * term("clock", 3, N), (a + b) % N)[SEEN].mean()
    assert half["excluded_loss"] == pytest.approx(alone)


def test_what_depends_on_a_and_b_apart_is_no_part_of_the_restricted_loss():
    rng = np.random.default_rng(1)
    by_heart = rng.normal(size=(N, N, N))
    a, b = np.indices((N, N))
    for total in range(N):
        by_heart[(a + b) % N == total] -= by_heart[(a + b) % N == total].mean(axis=0)
    logits = 5 * term("clock", 2, N)
    assert of(logits + by_heart, [2])["restricted_loss"] == pytest.approx(of(logits, [2])["restricted_loss"])


def test_violations_are_means_over_pairs_and_triples():
    logits = np.random.default_rng(2).normal(size=(5, 5, 5))

    def apart(x, y):
        """Mean of KL in both directions, from its definition."""
        p, q = (np.exp(logits[pair]) / np.exp(logits[pair]).sum() for pair in (x, y))
        return (p @ np.log(p / q) + q @ np.log(q / p)) / 2

    found = stages.violations_of(logits)
    pairs = [apart((a, b), (b, a)) for a, b in product(range(5), repeat=2)]
    triples = [apart((a, (b + c) % 5), ((a + b) % 5, c)) for a, b, c in product(range(5), repeat=3)]
    assert found["commutativity_violation"] == pytest.approx(np.mean(pairs))
    assert found["associativity_violation"] == pytest.approx(np.mean(triples))


def test_a_function_of_the_sum_violates_nothing():
    found = stages.violations_of(9 * term("clock", 1, N))
    assert found == pytest.approx({"commutativity_violation": 0, "associativity_violation": 0}, abs=1e-12)


def test_neurons_of_a_perfect_network():
    network = perfect_network(N, (1, 3), m=8)
    found = stages.of_moment(network) | stages.beside_end(network, [1, 3])
    assert found["accuracy"] == 1 and found["smallest_margin"] == pytest.approx(margins(network.logits()).min())
    assert found["mismatch"] == pytest.approx(0, abs=1e-9)
    assert found["neurons_per_frequency"] == [0, 8, 0, 8, 0, 0]
    assert found["weight_at_key"] == pytest.approx(1) and found["has_final_frequencies"]
    assert found["participation_in"] == found["participation_out"] == pytest.approx(1)
    assert found["key_frequencies"] == 2 and found["r2_clock"] == measured(network, ["r2_full_clock"])["r2_full_clock"]
    later = stages.beside_end(network, [1, 4])
    assert not later["has_final_frequencies"] and later["r2_pizza"] < found["r2_pizza"], "of the frequencies at the end"


def test_the_quadrature_error_of_one_phase_is_that_of_its_scheme():
    network = perfect_network(N, (1, 3), m=8)
    errors = [np.abs(quadrature_error(s)).max() / INTEGRAL for s in schemes_of(neurons_of(network)).values()]
    assert stages.quadrature_error_at(network, [1, 3]) == pytest.approx(np.mean(errors)) and min(errors) > 0
    assert stages.quadrature_error_at(network, [3, 4]) == pytest.approx(errors[1])
    assert np.isnan(stages.quadrature_error_at(network, [2]))


def test_participation_of_two_equal_lines_is_a_half_and_of_constants_none():
    x = 2 * np.pi * np.arange(N) / N
    assert stages.participation((np.cos(x) + np.sin(2 * x))[:, None]) == pytest.approx(0.5)
    assert np.isnan(stages.participation(np.ones((N, 3))))


def test_a_network_of_nothing_is_measured_without_a_warning():
    none = silent_network(N, 2)
    found = stages.of_moment(none) | stages.losses_of(none.logits(), [], SEEN) | stages.beside_end(none, [])
    assert np.isnan([found["mismatch"], found["r2_clock"], found["weight_at_key"]]).all() and found["accuracy"] == 0


def test_events_hold_for_good():
    run = pd.DataFrame({"updates": [0, 1, 2, 3, 4], "modulus": 7, "weight_norm": [1.0, 2, 5, 4, 3]})
    run["train_loss"] = [2.0, 0.001, 2.0, 0.001, 0.001]
    run["accuracy"], run["restricted_loss"], run["mismatch"] = 0.5, 2.0, 0.1
    run["has_final_frequencies"] = [False, False, False, False, True]
    found = events.events_of(run)
    assert (found["memorised"], found["frequencies"], found["phase_law"], found["greatest_norm"]) == (3, 4, 0, 2)
    assert np.isnan([found["generalised"], found["mechanism"]]).all()


def test_the_delay_is_that_of_the_held_out_loss_beside_the_training_loss():
    half = np.log(7) / 2
    run = pd.DataFrame({"updates": [0, 10, 20, 50], "modulus": 7, "train_loss": [2, 0.9 * half, 2, 0]})
    run["held_out_loss"] = [2, 2, half, 0.5 * half]
    assert events.delay(run) == 5
    assert np.isnan(events.delay(run[:3])), "never"


def test_runs_are_delayed_from_a_multiple_on_and_never_if_a_loss_stays():
    level = np.log(7) / 2
    lines = []
    for seed, held_out_below in enumerate((50, 40, None)):
        for updates in (10, 40, 50):
            held_out = 0.0 if held_out_below and updates >= held_out_below else 2 * level
            lines.append({"seed": seed, "updates": updates, "modulus": 7, "train_loss": 0.0, "held_out_loss": held_out})
    rows = pd.DataFrame(lines)
    shares = [events.share_delayed(rows, times) for times in (4, 5, 5.1)]
    assert [(found.holds, found.of) for found in shares] == [(2, 3), (1, 3), (0, 3)]


def radii(**by_seed):
    """Rows of runs with these balls, snapshot by snapshot."""
    return pd.concat(pd.DataFrame({"seed": name, "radius": found}) for name, found in by_seed.items())


def test_a_ball_grows_from_the_first_there_is_to_the_last():
    nan = np.nan
    rows = radii(twice=[0.0, nan, 1.0, 3.0, nan, 2.0], less=[1.0, 1.9], one=[0.0, 4.0, nan], none=[nan, 0.0])
    grown = [events.growth_of_ball(run) for _, run in rows.groupby("seed", sort=False)]
    np.testing.assert_equal(grown, [2.0, 1.9, nan, nan])
    found = events.share_growing(rows, 2)
    assert (found.holds, found.of) == (1, 2), "a run with one ball tells nothing"


def test_a_pizza_is_looked_for_when_every_answer_is_first_right():
    lines = [  # seed, updates, accuracy, R² of pizza terms, of clock terms
        (0, 300, 1.0, 0.1, 0.9),
        (0, 100, 0.9, 0.1, 0.9),
        (0, 200, 1.0, 0.5, 0.5),
        (1, 100, 1.0, 0.4, 0.5),
        (1, 200, 1.0, 0.9, 0.1),
        (2, 100, 0.99, 0.9, 0.1),
        (3, 100, 1.0, np.nan, 0.1),
        (3, 200, 1.0, 0.9, 0.1),
    ]
    rows = pd.DataFrame(lines, columns=["seed", "updates", "accuracy", "r2_pizza", "r2_clock"])
    found = events.pizza_when_first_right(rows)
    assert (found.holds, found.of) == (1, 3), "equal R² count; a run that is never right does not"


@pytest.mark.usefixtures("arithmetic")
def test_rows_of_a_run_and_of_several_files(small, tmp_path):
    recipe = small["embedding_mlp"]
    _, losses = train_network(recipe, 0, tmp_path / "run", snapshots=schedule(recipe.steps, 4))
    write_history(tmp_path / "history", tmp_path / "run")
    rows = pd.DataFrame(stages.stages_of(read_history(tmp_path / "history")))
    assert rows.updates.tolist() == schedule(recipe.steps, 4) and set(rows.seed) == {0}
    assert rows.held_out_loss.iloc[-1] == pytest.approx(losses[-1, 1], rel=0.01)
    assert np.isfinite(rows.radius.iloc[[0, -1]]).all() and rows.radius.iloc[1:-1].isna().all()
    write_table(rows.assign(accuracy=2.0), tmp_path / "here")
    longer = rows.assign(seed=2, steps=2 * recipe.steps)
    write_table(pd.concat([rows, rows.assign(seed=1), longer]), tmp_path / "kept")
    both = events.read_stages([tmp_path / "here", tmp_path / "kept"])
    assert len(both) == 8 and set(both[both.seed == 0].accuracy) == {2.0}, "the first file counts"
    longest = events.read_longest([tmp_path / "here", tmp_path / "kept"])
    assert set(longest.seed) == {2} and len(longest) == 4, "a build may stop its own earlier"
    assert set(events.read_longest([tmp_path / "here"]).steps) == {recipe.steps}
    last = recipe.steps
    assert [*stages.nearest_snapshots(read_history(tmp_path / "history"), np.array([last, 0.4]))] == [0, last]


@pytest.mark.parametrize("changes", [{"operation": "subtraction"}, {"activation": "square"}])
def test_stages_are_measured_of_relu_networks_that_add_alone(small, tmp_path, changes):
    train_network(small["embedding_mlp"], 0, tmp_path / "run", snapshots=[0])
    write_history(tmp_path / "history", tmp_path / "run")
    history = read_history(tmp_path / "history")
    with pytest.raises(ValueError, match=r"are not measured; expected ReLUs and 'addition'"):
        list(stages.stages_of(replace(history, recipe=replace(history.recipe, **changes))))


def test_rows_of_snapshots_are_kept_run_by_run(tmp_path, monkeypatch):
    kept, runs = tmp_path / "data/stages/embedding_mlp.parquet", tmp_path / "results/stages/embedding_mlp"
    (tmp_path / "config").symlink_to(ROOT / "config")
    monkeypatch.chdir(tmp_path)
    recipe = {"architecture": "embedding_mlp"} | {
        key: value for key, value in RECIPES["embedding_mlp"].as_dict().items() if key not in ("architecture", "source")
    }
    rows = pd.DataFrame([recipe | {"seed": 3, "updates": t, "accuracy": 0.5} for t in (0, 7)])
    for seed, accuracy in ((3, 0.5), (4, 0.5), (3, 1.0)):
        write_table(rows.assign(seed=seed, accuracy=accuracy), runs / f"seed{seed}.parquet")
        keep("embedding_mlp")
        (runs / f"seed{seed}.parquet").unlink()
    found = events.read_stages([kept])
    assert found.seed.tolist() == [3, 3, 4, 4] and found.accuracy.tolist() == [1, 1, 0.5, 0.5]
    with pytest.raises(ValueError, match="is built; build it first"):
        keep("embedding_mlp")


@pytest.mark.parametrize("dataset", ["pizza_transformer", "two_layer_mlp", "embedding_mlp"])
def test_the_network_of_a_build_is_trained_for_as_long_as_what_claims_ask_of_it_takes_in_any_kept_run(dataset):
    runs = [run for _, run in events.read_longest([ROOT / f"data/stages/{dataset}.parquet"]).groupby("seed")]
    steps = recipe_of(dataset, read_yaml(ROOT / "config/config.yaml")["datasets"][dataset]).steps
    for name, holds in events.ASKED.items():
        when = [events.for_good(run, holds) for run in runs]
        assert np.nanmax(when) <= steps, (
            f"{dataset}: {name} comes later in some runs; `datasets.{dataset}.steps` is too small"
        )
