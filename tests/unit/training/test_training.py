import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from support import native_loss, refuses, relative_error

import modadd.training.train
from modadd.core.separable import accuracy
from modadd.networks.initialisation import INITIALISATIONS, batches_of, drawn, pizza_transformer, split
from modadd.networks.recipes import RECIPES
from modadd.networks.store import load_networks, save_networks
from modadd.training import published_loops
from modadd.training import run as runs
from modadd.training.loops import adam
from modadd.training.published_loops import FLOORS, PUBLISHED, autograd_step, floor_step, kernel_step
from modadd.training.run import CheckpointError, Optimiser
from modadd.training.train import TrainingDivergedError, networks_at_once, train, train_ensemble, train_groups

pytestmark = pytest.mark.usefixtures("arithmetic")

EMBEDDING = RECIPES["embedding_mlp"]
ENSEMBLES = [(name, size) for name in RECIPES for size in (0, 26)]  # full batch, and five batches of 26


class Steps:
    """A progress callback that remembers the steps it saw and, like a user's Ctrl-C, may interrupt at one of them."""

    def __init__(self, interrupt_at=None):
        self.seen, self.interrupt_at = [], interrupt_at

    def __call__(self, steps):
        for step in steps:
            if step == self.interrupt_at:
                raise KeyboardInterrupt
            self.seen.append(step)
            yield step


def assert_same_bits(found, expected):
    (network, losses), (right, right_losses) = found, expected
    assert losses.tobytes() == right_losses.tobytes(), "the losses differ"
    for name, value in right.parameters.items():
        assert network.parameters[name].tobytes() == value.tobytes(), f"{name} differs"
    assert network.results == right.results


def member(ensemble, index):
    networks, losses = ensemble
    return networks[index], losses[:, index]


@pytest.fixture
def checkpoint(tmp_path):
    return tmp_path / "run.safetensors"


@pytest.fixture
def interrupted(tiny, checkpoint, monkeypatch):
    """The checkpoint, after 20 steps, of a run of seed 0 that was interrupted at step 25."""
    monkeypatch.setitem(modadd.training.train.CHECKPOINT_EVERY, "cpu", 10)
    with pytest.raises(KeyboardInterrupt):
        train(tiny, 0, checkpoint, progress=Steps(interrupt_at=25))
    assert checkpoint.exists(), "an interrupted run must leave a checkpoint"
    return checkpoint


def test_training_twice_gives_equal_bits(tiny, tmp_path):
    assert_same_bits(train(tiny, 0, tmp_path / "first"), train(tiny, 0, tmp_path / "second"))


def test_seeds_give_different_networks(tiny, checkpoint):
    first, second = train(tiny, 0, checkpoint)[0], train(tiny, 1, checkpoint)[0]
    assert not np.array_equal(first.parameters["W_E"], second.parameters["W_E"])


def test_resumed_run_starts_at_the_checkpoint_and_ends_with_the_bits_of_an_uninterrupted_one(
    tiny, interrupted, tmp_path
):
    steps = Steps()
    resumed = train(tiny, 0, interrupted, progress=steps)
    assert steps.seen == list(range(20, 40))
    assert_same_bits(resumed, train(tiny, 0, tmp_path / "uninterrupted"))


@pytest.mark.parametrize(
    ("seed", "changes"), [(1, {}), (0, {"weight_decay": 0.5}), (0, {"steps": 41})], ids=["seed", "recipe", "steps"]
)
def test_checkpoint_of_another_run_is_not_continued(tiny, interrupted, tmp_path, seed, changes):
    other, steps = replace(tiny, **changes), Steps()
    found = train(other, seed, interrupted, progress=steps)
    assert steps.seen[0] == 0
    assert_same_bits(found, train(other, seed, tmp_path / "fresh"))


def test_checkpoint_of_another_torch_is_not_continued(tiny, interrupted, monkeypatch):
    steps = Steps()
    monkeypatch.setattr(runs, "version", lambda package: "0.0")
    train(tiny, 0, interrupted, progress=steps)
    assert steps.seen[0] == 0, "another version of torch may give other floats"


@pytest.mark.parametrize("key", runs.MACHINE)
def test_checkpoint_of_another_machine_or_choice_is_refused_and_kept(tiny, interrupted, monkeypatch, key):
    before, mine = interrupted.read_bytes(), runs.origin_of("cpu")
    monkeypatch.setattr(runs, "origin_of", lambda device: mine | {key: "another"})
    with refuses(str(interrupted), f"{key} {mine[key]}, here another", "delete the file", error=CheckpointError):
        train(tiny, 0, interrupted)
    assert interrupted.read_bytes() == before


def test_a_network_says_what_trained_it(tiny, checkpoint):
    origin = train(tiny, 0, checkpoint)[0].origin
    assert origin == runs.origin_of("cpu") and origin["subnormals"] == "flushed" and origin["device"] == "cpu"
    assert {"processor", "torch", "numpy", "numba", "products", "instructions", "code"} <= set(origin)
    assert len(origin["code"]) == 64


@pytest.mark.parametrize("name", ["adamw", "adam"])
def test_the_optimiser_is_torchs(small, name):
    recipe = replace(small["embedding_mlp"], optimiser=name, weight_decay=0.3)
    generator = torch.Generator().manual_seed(0)
    ours, theirs = ({"w": torch.linspace(-2, 2, 21).view(3, 7).requires_grad_()} for _ in range(2))
    kind = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam}[name]
    betas = (recipe.beta1, recipe.beta2)
    expected = kind(theirs.values(), recipe.learning_rate, betas, recipe.epsilon, recipe.weight_decay)
    found = Optimiser(recipe, ours)
    for _ in range(50):
        slope = torch.randn(3, 7, generator=generator)
        theirs["w"].grad = slope.clone()
        expected.step()
        found.step({"w": slope})
    torch.testing.assert_close(ours["w"], theirs["w"], rtol=1e-5, atol=1e-6)


def test_subnormals_are_flushed_by_torch_numpy_and_the_loops():
    tiny = np.full(4, 1.2e-38, np.float32)
    assert not (torch.from_numpy(tiny) / 2).any() and not (tiny / 2).any()
    values, zeros = tiny.copy(), np.zeros(4, np.float32)
    adam(values, zeros, zeros.copy(), zeros.copy(), np.array([0.5, 0, 0.9, 0.99, 1, 1, 1], np.float32))
    assert not values.any(), "a dead neuron's weights must end at zero"


@pytest.mark.parametrize("kept", [0, 7, 100, -1])
def test_truncated_checkpoint_is_ignored(tiny, interrupted, tmp_path, kept):
    interrupted.write_bytes(interrupted.read_bytes()[:kept])
    steps = Steps()
    found = train(tiny, 0, interrupted, progress=steps)
    assert steps.seen[0] == 0
    assert_same_bits(found, train(tiny, 0, tmp_path / "fresh"))


def test_a_finished_run_is_read_and_not_trained_again(tiny, checkpoint):
    finished, steps = train(tiny, 0, checkpoint), Steps()
    assert_same_bits(train(tiny, 0, checkpoint, progress=steps), finished)
    assert steps.seen == []


def test_groups_are_the_networks_trained_at_once_and_an_interruption_costs_no_finished_group(small, tmp_path):
    recipe, seeds = small["embedding_mlp"], [4, 0, 7, 2, 9]
    one_by_one = [train(recipe, seed, tmp_path / f"seed{seed}") for seed in seeds]
    folder, first, second = tmp_path / "groups", Steps(), Steps(interrupt_at=3)
    several = iter([first, second])
    with pytest.raises(KeyboardInterrupt):
        train_groups(recipe, seeds, 2, folder, progress=lambda steps: next(several)(steps))
    again = Steps()
    found = train_groups(recipe, seeds, 2, folder, progress=again)
    assert len(first.seen) == recipe.steps and again.seen == 2 * list(
        range(recipe.steps)
    ), "two groups of three were left"
    for index, alone in enumerate(one_by_one):
        assert_same_bits(member(found, index), alone)


def test_diverging_run_names_seed_and_step(tiny, checkpoint):
    steps = Steps()
    with pytest.raises(TrainingDivergedError) as raised:
        train(replace(tiny, learning_rate=1e6), 3, checkpoint, progress=steps)
    assert 0 < steps.seen[-1] < tiny.steps - 1, "it must stop at once, not at the end"
    for part in ("seed 3", f"at step {steps.seen[-1]};", "learning_rate"):
        assert part in str(raised.value), f"the message should say '{part}'"


def test_diverging_member_of_an_ensemble_is_named(small, checkpoint, monkeypatch):
    recipe = small["two_layer_mlp"]
    draw = INITIALISATIONS[recipe.architecture]

    def with_a_bad_seed(recipe, seed):
        return {name: value * (np.nan if seed == 4 else 1.0) for name, value in draw(recipe, seed).items()}

    monkeypatch.setitem(INITIALISATIONS, recipe.architecture, with_a_bad_seed)
    with pytest.raises(TrainingDivergedError, match=r"seed 4: training loss nan at step 0"):
        train_ensemble(recipe, [1, 4, 2], checkpoint)


@pytest.mark.parametrize(("name", "batch_size"), ENSEMBLES)
def test_a_network_has_the_same_bits_alone_and_in_any_ensemble(small, checkpoint, name, batch_size):
    recipe = replace(small[name], batch_size=batch_size)
    sizes = [int(np.prod(value.shape)) for value in INITIALISATIONS[name](recipe, 0).values()]
    assert any(size % 16 for size in sizes), "the optimiser should have leftovers behind its last whole vector"
    four, sixteen = [5, 0, 7, 2], [*range(8, 14), 2, *range(20, 25), 7, 5, 30, 0]
    beside_3, beside_15 = (train_ensemble(recipe, seeds, checkpoint) for seeds in (four, sixteen))
    assert len(beside_15[0]) == 16 and beside_15[1].shape == (61, 16, 2)
    for seed in (5, 2, 0):
        alone = train(recipe, seed, checkpoint)
        assert alone[0].seed == seed
        for ensemble, seeds in ((beside_3, four), (beside_15, sixteen)):
            assert_same_bits(member(ensemble, seeds.index(seed)), alone)


def test_order_of_the_seeds_does_not_change_a_bit(small, checkpoint):
    seeds = [3, 0, 8, 1, 4]
    forwards = train_ensemble(small["embedding_mlp"], seeds, checkpoint)
    backwards = train_ensemble(small["embedding_mlp"], seeds[::-1], checkpoint)
    assert [network.seed for network in forwards[0]] == seeds
    for index in range(5):
        assert_same_bits(member(backwards, 4 - index), member(forwards, index))


@pytest.mark.parametrize("name", RECIPES)
def test_bits_do_not_depend_on_the_ensemble_at_the_published_sizes(name, checkpoint):
    recipe = replace(RECIPES[name], steps=2)
    seeds = [4, 0, 9, 1, 2, 3]
    ensemble = train_ensemble(recipe, seeds[: 2 if recipe.batch_size == 0 else 6], checkpoint)
    for index in (0, 1):
        assert_same_bits(member(ensemble, index), train(recipe, seeds[index], checkpoint))


@pytest.mark.parametrize("name", RECIPES)
def test_an_interrupted_ensemble_resumes_with_the_bits_of_an_uninterrupted_one(small, checkpoint, monkeypatch, name):
    monkeypatch.setitem(
        modadd.training.train.CHECKPOINT_EVERY, "cpu", 22
    )  # in the middle of a pass over the five batches
    recipe, seeds, steps = small[name], [3, 0, 8], Steps()
    with pytest.raises(KeyboardInterrupt):
        train_ensemble(recipe, seeds, checkpoint, progress=Steps(interrupt_at=25))
    resumed = train_ensemble(recipe, seeds, checkpoint, progress=steps)
    assert steps.seen == list(range(22, 60))
    uninterrupted = train_ensemble(recipe, seeds, checkpoint.with_name("uninterrupted"))
    for index in range(3):
        assert_same_bits(member(resumed, index), member(uninterrupted, index))


@pytest.mark.parametrize("others", [[0, 3, 8], [3, 0], [3], [3, 0, 8, 9]])
def test_checkpoint_of_other_seeds_is_not_continued(small, checkpoint, monkeypatch, others):
    monkeypatch.setitem(modadd.training.train.CHECKPOINT_EVERY, "cpu", 10)
    with pytest.raises(KeyboardInterrupt):
        train_ensemble(small["embedding_mlp"], [3, 0, 8], checkpoint, progress=Steps(interrupt_at=25))
    steps = Steps()
    train_ensemble(small["embedding_mlp"], others, checkpoint, progress=steps)
    assert steps.seen[0] == 0, "a row of the checkpoint would go to another seed"


def test_losses_are_before_each_update_and_held_out_ones_at_their_steps(tiny, checkpoint, monkeypatch):
    monkeypatch.setattr(modadd.training.train, "HELD_OUT_EVERY", 15)
    _, losses = train(tiny, 0, checkpoint)
    assert losses.shape == (41, 2)
    assert np.isfinite(losses[:, 0]).all()
    assert np.flatnonzero(np.isfinite(losses[:, 1])).tolist() == [0, 15, 30, 40]
    initial = pizza_transformer(tiny, 0)
    for column, pairs in enumerate(split(tiny, 0)):
        assert losses[0, column] == pytest.approx(
            native_loss(initial, pairs, 7)[0], rel=1e-5
        ), "row 0 is before any update"


def test_training_lowers_the_loss(tiny, checkpoint):
    _, losses = train(replace(tiny, learning_rate=0.01), 0, checkpoint)
    assert losses[-1, 0] < 0.8 * losses[0, 0]


def test_first_update_is_adamw_with_decay_of_every_parameter_and_no_warm_up(tiny, checkpoint):
    recipe = replace(tiny, steps=1, learning_rate=0.01, weight_decay=3.0)
    updated = train(recipe, 0, checkpoint)[0].parameters
    initial = pizza_transformer(recipe, 0)
    trained_on, _ = split(recipe, 0)
    _, gradient = native_loss(initial, trained_on, 7)
    for name, start in initial.items():
        g = gradient[name].numpy()
        expected = start.numpy() * (1 - 0.01 * 3.0) - 0.01 * g / (np.abs(g) + recipe.epsilon)
        sure = np.abs(g) > 1e-6  # below, float32 may lose the sign of the gradient
        assert sure.mean() > 0.5, f"{name}: almost no gradient reaches it"
        np.testing.assert_allclose(updated[name][sure], expected[sure], atol=2e-6, err_msg=name)


def test_first_update_of_adam_adds_the_decay_to_the_gradient(small, checkpoint):
    assert (EMBEDDING.optimiser, EMBEDDING.weight_decay) == (
        "adam",
        2e-4,
    ), "L2 penalty 1e-4 · ‖θ‖² has gradient 2e-4 · θ"
    # An epsilon far above the gradient makes the update proportional to it, so that the small L2 term shows.
    recipe = replace(small["embedding_mlp"], steps=1, learning_rate=1.0, epsilon=1.0)
    updated = train(recipe, 0, checkpoint)[0].parameters
    initial = INITIALISATIONS["embedding_mlp"](recipe, 0)
    first_batch = split(recipe, 0)[0][: recipe.batch_size]
    _, gradient = native_loss(initial, first_batch, 13, "embedding_mlp")
    for name, start in initial.items():
        g = gradient[name] + 2e-4 * start.double()
        expected = (start - g / (g.abs() + 1.0)).numpy()
        np.testing.assert_allclose(updated[name], expected, atol=2e-6, err_msg=name)
        without = (start - gradient[name] / (gradient[name].abs() + 1.0)).numpy()
        assert name.startswith("b_") or np.abs(without - expected).max() > 2e-5, "the test should see the L2 term"


def test_batches_are_visited_in_the_same_order_in_every_pass(checkpoint):
    recipe = replace(EMBEDDING, steps=113, learning_rate=0.0)  # nothing is learnt: the loss names the batch
    trained_on, _ = split(recipe, 0)
    assert len(trained_on) == 5096 and recipe.pairs_per_update == 91
    _, losses = train(recipe, 0, checkpoint)
    initial = INITIALISATIONS["embedding_mlp"](recipe, 0)
    batches = trained_on.reshape(56, 91, 2)
    expected = [native_loss(initial, batch, 91, "embedding_mlp")[0] for batch in batches]
    assert len({round(loss, 4) for loss in expected}) > 50, "the batches should differ in their loss"
    np.testing.assert_allclose(losses[:56, 0], expected, rtol=1e-6)
    assert losses[56:112, 0].tolist() == losses[:56, 0].tolist()
    assert losses[112, 0] == losses[0, 0], "the row behind the last update is on the batch that would come next"


def test_reshuffled_batches_hold_the_same_pairs_in_another_order_in_every_pass(small):
    recipe = replace(small["embedding_mlp"], batch_size=26, reshuffled=True)
    passes = [batches_of(recipe, 3, epoch) for epoch in (0, 1, 2)]
    pairs = [{tuple(pair) for pair in batches.reshape(-1, 2)} for batches in passes]
    assert pairs[0] == pairs[1] == pairs[2] and len(pairs[0]) == recipe.train_pairs
    cuts = [{frozenset(map(tuple, batch)) for batch in batches} for batches in passes]
    assert not cuts[0] & cuts[1] and not cuts[1] & cuts[2]
    assert (batches_of(recipe, 3, 1) == passes[1]).all(), "drawn twice, two results"
    assert (batches_of(replace(recipe, reshuffled=False), 3, 1) == passes[0]).all()


def test_reshuffled_batches_are_those_that_are_trained_on_and_resumed(small, checkpoint, monkeypatch):
    recipe = replace(small["embedding_mlp"], batch_size=26, reshuffled=True, learning_rate=0.0, steps=13)
    monkeypatch.setitem(modadd.training.train.CHECKPOINT_EVERY, "cpu", 7)  # in the middle of the second pass of five
    with pytest.raises(KeyboardInterrupt):
        train(recipe, 3, checkpoint, progress=Steps(interrupt_at=9))
    _, losses = train(recipe, 3, checkpoint)
    initial = INITIALISATIONS["embedding_mlp"](recipe, 3)
    batches = np.concatenate([batches_of(recipe, 3, epoch) for epoch in (0, 1, 2)])[:13]
    expected = [native_loss(initial, batch, 13, "embedding_mlp")[0] for batch in batches]
    np.testing.assert_allclose(losses[:13, 0], expected, rtol=1e-6)


@pytest.mark.parametrize("name", RECIPES)
def test_decay_of_kernels_leaves_embeddings_and_biases_to_the_gradient(small, checkpoint, name):
    recipe = replace(small[name], steps=1, weight_decay=0.5)
    everything, kernels, none = (
        train(replace(recipe, **change), 0, checkpoint.with_name(str(i)))[0].parameters
        for i, change in enumerate(({}, {"decayed": "kernels"}, {"weight_decay": 0.0}))
    )
    embeddings = {"W_E", "W_pos", "E_a", "E_b"}
    for key, value in kernels.items():
        kernel = key not in embeddings and not key.startswith("b_")
        assert (value == (everything if kernel else none)[key]).all(), key
        assert not kernel or (value != none[key]).any(), f"{key}: the test should see the decay"


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_learn(small, checkpoint, name):
    _, losses = train_ensemble(small[name], [0, 1], checkpoint)
    assert (losses[-5:, :, 0].mean(0) < losses[:5, :, 0].mean(0)).all()


@pytest.fixture
def watched(monkeypatch):
    """The losses and the parameters of the steps in `published_loops`, as they go by."""
    losses, parameters = [], []
    loss, trainable, run = published_loops._loss, published_loops._trainable, published_loops.Run

    def noting_loss(*arguments):
        losses.append(loss(*arguments))
        return losses[-1]

    def noting_parameters(*arguments):
        parameters.append(trainable(*arguments))
        return parameters[-1]

    class NotingRun(run):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            parameters.append((self.parameters, self.optimiser))

    monkeypatch.setattr(published_loops, "_loss", noting_loss)
    monkeypatch.setattr(published_loops, "_trainable", noting_parameters)
    monkeypatch.setattr(published_loops, "Run", NotingRun)
    return losses, parameters


STEPS = [(autograd_step, name) for name in RECIPES] + [(PUBLISHED[name], name) for name in PUBLISHED]


@pytest.mark.parametrize(("step_of", "name"), STEPS)
def test_a_step_that_the_kernel_is_timed_against_descends(small, watched, step_of, name):
    step = step_of(replace(small[name], batch_size=0), 0)
    for _ in range(6):
        step()
    losses = [loss.item() for loss in watched[0] if loss.requires_grad]
    assert len(losses) == 6
    assert all(after < before for before, after in zip(losses, losses[1:])), f"not a training step: {losses}"


@pytest.mark.parametrize(("step_of", "name"), STEPS)
def test_a_step_that_the_kernel_is_timed_against_makes_the_same_updates(small, watched, step_of, name):
    ours, theirs = kernel_step(small[name], [3, 0]), step_of(small[name], 0)
    (kernel, _), (published, _) = watched[1]
    for count in range(1, 4):
        ours(), theirs()
        for key, value in kernel.items():
            assert relative_error(value[1].detach(), published[key].detach()) <= 1e-5, f"{key}, update {count}"
    initial = INITIALISATIONS[name](small[name], 0)
    for key, value in initial.items():
        moved = published[key].detach() - value
        error = (kernel[key][1].detach() - published[key].detach()).norm() / moved.norm()
        assert error <= 1e-3, f"{key}: the updates differ by {error:.1e} of what they moved"


def test_every_variant_of_the_bare_products_computes_them(small):
    products = [floor_step(small["two_layer_mlp"], multiply)() for multiply in FLOORS.values()]
    shapes = [tuple(product.shape) for product in products[0]]
    m, h, n = small["two_layer_mlp"].train_pairs, 19, 13
    assert shapes == [(1, m, n), (1, m, h), (1, n, h)]
    assert all([tuple(product.shape) for product in variant] == shapes for variant in products)


@pytest.mark.skipif(sys.platform != "linux", reason="reads a process's peak memory from /proc")
def test_a_network_on_every_gigabyte_of_a_gpu_needs_the_memory_it_is_counted_with():
    """Growth of a process's peak memory by an ensemble on the GPU's implementation, run on the CPU."""
    measure = """
import re, sys, tempfile
from dataclasses import replace
from pathlib import Path
import modadd.training.kernel
from modadd.networks.recipes import RECIPES
from modadd.training.train import networks_at_once, train_ensemble
modadd.training.kernel._OnCpu = modadd.training.kernel._Batched
recipe = replace(RECIPES["embedding_mlp"], batch_size=0, steps=2)
peak = lambda: 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
with tempfile.TemporaryDirectory() as folder:
    train_ensemble(recipe, [0], Path(folder, "checkpoint"))
    before = peak()
    train_ensemble(recipe, list(range(int(sys.argv[1]))), Path(folder, "checkpoint"))
print(peak() - before)
"""
    recipe = replace(RECIPES["embedding_mlp"], batch_size=0, steps=2)
    count = networks_at_once(recipe, 2**30)
    done = subprocess.run([sys.executable, "-c", measure, str(count)], capture_output=True, text=True, check=True)
    grown = int(done.stdout)
    assert 0.4 * 2**30 < grown < 2**30, f"{count} networks counted as 1 GiB take {grown / 2**30:.2f} GiB"


def test_at_least_one_network_is_trained_however_little_memory_is_free():
    assert networks_at_once(RECIPES["pizza_transformer"], 0) == 1


@pytest.mark.parametrize("name", RECIPES)
def test_perturbations_differ_in_the_last_bits_only_and_from_one_another(small, name):
    plain, first, second = (drawn(replace(small[name], perturbation=p), 3) for p in (0, 1, 2))
    for key, value in plain.items():
        for other in (first, second):
            assert torch.allclose(
                other[key], value, rtol=7e-7, atol=0
            ), f"{key} moved by more than a few units in the last place"
        if value.any():
            assert not torch.equal(first[key], value) and not torch.equal(first[key], second[key])
        assert torch.equal(drawn(replace(small[name], perturbation=1), 3)[key], first[key]), "drawn twice, two results"


def test_results_are_those_of_the_returned_network(tiny, checkpoint):
    network, losses = train(tiny, 0, checkpoint)
    assert network.results == {
        "accuracy": accuracy(network.separable().logits()),
        "train_loss": losses[-1, 0],
        "held_out_loss": losses[-1, 1],
    }
    for column, pairs in enumerate(split(tiny, 0)):
        parameters = {name: torch.from_numpy(value) for name, value in network.parameters.items()}
        assert losses[-1, column] == pytest.approx(native_loss(parameters, pairs, 7)[0], rel=1e-5)
    save_networks([network], checkpoint.with_name("network.safetensors"))  # raises if it is not of its recipe


def test_a_network_that_trains_on_all_pairs_has_no_held_out_loss(tiny, tmp_path):
    networks, losses = train_ensemble(replace(tiny, train_pairs=49), [0, 1], tmp_path / "run.safetensors")
    assert np.isnan(losses[..., 1]).all() and np.isfinite(losses[..., 0]).all()
    assert all(np.isnan(network.results["held_out_loss"]) for network in networks)
    save_networks(networks, tmp_path / "networks.safetensors")
    assert (
        load_networks(tmp_path / "networks.safetensors")[1].results["train_loss"] == networks[1].results["train_loss"]
    )
