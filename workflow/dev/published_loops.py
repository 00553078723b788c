"""The steps that the compiled one is measured against: plain autograd, the loops as published; and the peak of a core."""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int

from modadd.core.groups import right_answers
from modadd.networks.architectures import ACTIVATIONS, ARCHITECTURES
from modadd.networks.initialisation import batches_of, split
from modadd.networks.recipes import ADAMW, Recipe
from modadd.networks.starts import drawn
from modadd.training.network import Learner, Task
from modadd.training.step import multiply_again
from modadd.training.tiles import DEPTH, MOST, WIDTH, multiply

Step = Callable[[], object]


def compiled_steps(learner: Learner, task: Task, count: int) -> Step:
    """So many updates of a network by the compiled step."""

    def step() -> None:
        learner.update(task, learner.updates % len(task.batches.pairs), count)

    return step


def untrained(recipe: Recipe, seed: int) -> tuple[Learner, Task]:
    """A network at its initial weights, and its batches."""
    learner = Learner(recipe, {name: value.numpy() for name, value in drawn(recipe, seed).items()})
    return learner, learner.task(batches_of(recipe, seed), right_answers(recipe.operation, recipe.modulus))


def autograd_step(recipe: Recipe, seed: int) -> Step:
    """One update of one network by plain autograd through the separable form, with torch's default optimiser."""
    parameters, optimiser = _trainable(recipe, seed)
    pairs = torch.from_numpy(split(recipe, seed)[0]).view(-1, recipe.pairs_per_update, 2)
    steps = 0

    def step() -> None:
        nonlocal steps
        a, b = pairs[steps % len(pairs)].T
        A, B, W, C, D = ARCHITECTURES[recipe.architecture].effective(parameters)
        logits = ACTIVATIONS[recipe.activation](A[a] + B[b]) @ W
        if C is not None:
            logits = logits + C[a]
        if D is not None:
            logits = logits + (D[b] if len(D) > 1 else D)
        _descend(optimiser, _loss(logits, (a + b) % recipe.modulus))
        steps += 1

    return step


def transformer_step(recipe: Recipe, seed: int) -> Step:
    """One update of the pizza transformer in its native form ([Q], [Z]), written out without a framework around it.

    Both positions go through every layer, and queries, keys and attention patterns are computed although the attention
    that is mixed in is the constant ½, as in the code of [Z].
    """
    parameters, _ = _trainable(recipe, seed)
    heads = parameters["W_V"].shape
    queries = {name: torch.randn(heads) * recipe.init_scale / recipe.d_model**0.5 for name in ("W_Q", "W_K")}
    p = parameters | {name: value.requires_grad_() for name, value in queries.items()}
    optimiser = torch.optim.AdamW(
        p.values(), lr=recipe.learning_rate, betas=(recipe.beta1, recipe.beta2), weight_decay=1.0
    )
    pairs = torch.from_numpy(split(recipe, seed)[0])

    def step() -> None:
        stream = p["W_E"][pairs] + p["W_pos"]
        q, k, v = (torch.einsum("bpd,hde->bphe", stream, p[name]) for name in ("W_Q", "W_K", "W_V"))
        scores = torch.einsum("bqhe,bkhe->bhqk", q, k) / heads[2] ** 0.5
        pattern = 0 * torch.softmax(scores, dim=-1) + 0.5
        mixed = torch.einsum("bhqk,bkhe->bqhe", pattern, v)
        stream = stream + torch.einsum("bqhe,hed->bqd", mixed, p["W_O"])
        active = torch.relu(torch.einsum("bqd,dm->bqm", stream, p["W_in"]) + p["b_in"])
        stream = stream + torch.einsum("bqm,md->bqd", active, p["W_out"]) + p["b_out"]
        logits = (stream @ p["W_U"])[:, -1]
        _descend(optimiser, _loss(logits, pairs.sum(1) % recipe.modulus))

    return step


def notebook_step(recipe: Recipe, seed: int) -> Step:
    """One update of the two-layer MLP as in its notebook, with the loss on the held-out pairs ([M])."""
    p, optimiser = _trainable(recipe, seed)
    trained_on, held_out = map(torch.from_numpy, split(recipe, seed))

    def loss_of(pairs: Int[torch.Tensor, "m 2"]) -> Float[torch.Tensor, ""]:
        embedded = p["W_E"][pairs[:, 0]] + p["W_E"][pairs[:, 1]]
        return _loss(torch.relu(embedded @ p["W_in"]) @ p["W_U"], pairs.sum(1) % recipe.modulus)

    def step() -> None:
        loss = loss_of(trained_on)
        with torch.no_grad():
            loss_of(held_out)
        _descend(optimiser, loss)

    return step


def peak() -> float:
    """Operations a second of our product on tables that stay in the nearest caches: the most that a core does, near enough."""
    rows, terms, columns, repeats = 8 * MOST, DEPTH // 2, 2 * WIDTH, 400
    x, y, out = (np.ones(shape, np.float32) for shape in ((rows, terms), (terms, columns), (rows, columns)))
    multiply_again(1, multiply.address, x, y, out)
    seconds = []
    for _ in range(20):
        start = time.thread_time()
        multiply_again(repeats, multiply.address, x, y, out)
        seconds.append(time.thread_time() - start)
    return repeats * 2 * rows * terms * columns / min(seconds)


def jax_steps(recipe: Recipe, seed: int, count: int) -> Step:
    """So many updates of one network by JAX: the separable form differentiated, one compiled scan on one thread.

    Raises ModuleNotFoundError where JAX is not installed: it is an optional extra.
    """
    # Read when JAX is imported
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import jax.numpy as jnp

    r, activate = recipe, {"relu": jax.nn.relu, "square": jnp.square}[recipe.activation]
    batches = jnp.asarray(batches_of(recipe, seed))
    answers = jnp.asarray(right_answers(recipe.operation, recipe.modulus))

    def loss_of(p, a, b):
        A, B, W, C, D = ARCHITECTURES[r.architecture].effective(p)
        logits = activate(A[a] + B[b]) @ W
        if C is not None:
            logits = logits + C[a]
        if D is not None:
            logits = logits + (D[b] if len(D) > 1 else D)
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), answers[a, b][:, None], axis=1).mean()

    def update(state, step):
        p, first, second = state
        a, b = batches[step % len(batches)].T
        slopes = jax.grad(loss_of)(p, a, b)
        new = {}, {}, {}
        for name, value in p.items():
            decay = r.weight_decay * r.decays(name)
            slope = slopes[name] + (0 if r.optimiser == ADAMW else decay * value)
            new[1][name] = r.beta1 * first[name] + (1 - r.beta1) * slope
            new[2][name] = r.beta2 * second[name] + (1 - r.beta2) * slope**2
            rate = r.learning_rate / (1 - r.beta1 ** (step + 1.0))
            root = jnp.sqrt(new[2][name] / (1 - r.beta2 ** (step + 1.0)))
            shrunk = value * (1 - r.learning_rate * decay) if r.optimiser == ADAMW else value
            new[0][name] = shrunk - rate * new[1][name] / (root + r.epsilon)
        return new, None

    @jax.jit
    def run(state, begin):
        return jax.lax.scan(update, state, begin + jnp.arange(count))[0]

    initial = {name: jnp.asarray(value.numpy()) for name, value in drawn(recipe, seed).items()}
    state = initial, *({name: jnp.zeros_like(value) for name, value in initial.items()} for _ in range(2))
    made = 0

    def step() -> Mapping[str, Any]:
        nonlocal state, made
        state = jax.block_until_ready(run(state, made))
        made += count
        return state[0]

    return step


PUBLISHED_LOOPS = {"pizza_transformer": transformer_step, "two_layer_mlp": notebook_step}


def _trainable(recipe: Recipe, seed: int) -> tuple[dict[str, torch.Tensor], torch.optim.Optimizer]:
    initial = drawn(recipe, seed)
    parameters = {name: value.requires_grad_() for name, value in initial.items()}
    kind = torch.optim.AdamW if recipe.optimiser == ADAMW else torch.optim.Adam
    optimiser = kind(
        parameters.values(),
        lr=recipe.learning_rate,
        betas=(recipe.beta1, recipe.beta2),
        weight_decay=recipe.weight_decay,
    )
    return parameters, optimiser


def _loss(logits: Float[torch.Tensor, "m n"], labels: Int[torch.Tensor, "m"]) -> Float[torch.Tensor, ""]:
    """Mean cross-entropy by a float64 log-softmax, as all three studies write it."""
    return -logits.double().log_softmax(dim=-1).gather(1, labels[:, None]).mean()


def _descend(optimiser: torch.optim.Optimizer, loss: Float[torch.Tensor, ""]) -> None:
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
