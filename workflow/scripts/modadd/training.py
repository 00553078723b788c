"""Training one network by its recipe, on CPU or GPU; an interrupted run resumes and ends with the same bits."""

import hashlib
import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float

from modadd.architectures import ARCHITECTURES
from modadd.initialisation import INITIALISATIONS
from modadd.kernel import SeparableLoss, Tables
from modadd.networks import Network, NetworkError, read_tensors, write_tensors
from modadd.recipes import Recipe
from modadd.residues import seed_for, shuffled_split
from modadd.separable import accuracy

CHECKPOINT_EVERY = 1000  # steps, some ten seconds of work
HELD_OUT_EVERY = 100  # steps between evaluations of the pairs that are not trained on

Progress = Callable[[Iterable[int]], Iterable[int]]


class TrainingDivergedError(ArithmeticError):
    """The training loss stopped being a finite number."""


class _Run:
    """Parameters, optimiser state and losses of a training run: everything that a checkpoint holds."""

    def __init__(self, recipe: Recipe, seed: int, device: str) -> None:
        self.recipe, self.seed, self.device, self.step = recipe, seed, device, 0
        drawn = INITIALISATIONS[recipe.architecture](recipe, seed)
        self.parameters = {name: value.to(device).requires_grad_() for name, value in drawn.items()}
        # The fused optimiser is correctly rounded on every CPU; the plain one's square root is not.
        self.optimiser = torch.optim.AdamW(
            self.parameters.values(),
            lr=recipe.learning_rate,
            betas=(recipe.beta1, recipe.beta2),
            eps=recipe.epsilon,
            weight_decay=recipe.weight_decay,
            fused=True,
        )
        self.losses = np.full((recipe.steps + 1, 2), np.nan)  # train, held-out; row t is before update t

    def tables(self) -> Tables:
        """The network in the separable form, attached to the native parameters."""
        return Tables(*ARCHITECTURES[self.recipe.architecture].effective(self.parameters))

    def identity(self) -> dict[str, object]:
        """What a checkpoint must agree in to be continued: recipe, seed, code, and what decides the bits."""
        code = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
        return {
            "recipe": self.recipe.as_dict(),
            "seed": self.seed,
            "torch": torch.__version__,
            "device": self.device,
            "instructions": [torch.backends.cpu.get_cpu_capability(), os.environ.get("MKL_CBWR", "")],
            "code": hashlib.sha256(code).hexdigest(),
        }

    def save(self, path: Path) -> None:
        """Write the state after `step` updates."""
        state = {f"parameter.{name}": value for name, value in self.parameters.items()}
        for name, value in self.parameters.items():
            state |= {f"{moment}.{name}": tensor for moment, tensor in self.optimiser.state[value].items()}
        arrays = {name: value.detach().cpu().numpy() for name, value in state.items()}
        write_tensors(path, {**arrays, "losses": self.losses}, {**self.identity(), "step": self.step})

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint of the same run; start over if there is none, or it is damaged or of another run."""
        try:
            arrays, metadata = read_tensors(path)
        except NetworkError:
            return
        step = metadata.pop("step", None)
        if metadata != self.identity():
            return
        with torch.no_grad():
            for name, value in self.parameters.items():
                value.copy_(torch.from_numpy(arrays[f"parameter.{name}"]))
                self.optimiser.state[value] = {
                    moment: torch.from_numpy(arrays[f"{moment}.{name}"]).to(value.device)
                    for moment in ("step", "exp_avg", "exp_avg_sq")
                }
        self.losses, self.step = arrays["losses"], step


def train(
    recipe: Recipe, seed: int, checkpoint: Path, device: str = "cpu", progress: Progress = iter
) -> tuple[Network, Float[np.ndarray, "steps_plus_1 2"]]:
    """Train a network and return it with its losses: mean nats on the training and the held-out pairs, row t before update t.

    Held-out losses are taken every `HELD_OUT_EVERY` steps and at the end, NaN elsewhere. `checkpoint` is where an
    interrupted run picks up; the caller removes it once the network is safe. Raises TrainingDivergedError naming the step.
    """
    trained_on, held_out = shuffled_split(recipe.modulus, recipe.train_share, seed_for(seed, "dataset_seed"))
    train_loss, held_out_loss = (SeparableLoss(pairs, recipe.modulus, device) for pairs in (trained_on, held_out))
    run = _Run(recipe, seed, device)
    run.resume(checkpoint)

    def evaluate(step: int) -> tuple[Tables, Tables]:
        tables = run.tables()
        detached = Tables(*(table.detach() for table in tables))
        loss, gradient = train_loss(detached)
        run.losses[step, 0] = loss.item()
        if not math.isfinite(loss.item()):
            raise TrainingDivergedError(f"seed {seed}: training loss {loss.item()} at step {step}; lower learning_rate")
        if step % HELD_OUT_EVERY == 0 or step == recipe.steps:
            run.losses[step, 1] = held_out_loss(detached)[0].item()
        return tables, gradient

    for step in progress(range(run.step, recipe.steps)):
        tables, gradient = evaluate(step)
        run.optimiser.zero_grad()
        torch.autograd.backward(tables, gradient)
        run.optimiser.step()
        run.step = step + 1
        if run.step % CHECKPOINT_EVERY == 0 and run.step < recipe.steps:
            run.save(checkpoint)
    evaluate(recipe.steps)
    return _finished(run), run.losses


def _finished(run: _Run) -> Network:
    parameters = {name: value.detach().cpu().numpy() for name, value in run.parameters.items()}
    untested = Network(run.recipe, run.seed, parameters, {})
    train_loss, held_out_loss = run.losses[-1]
    results = {
        "accuracy": accuracy(untested.separable().logits()),
        "train_loss": float(train_loss),
        "held_out_loss": float(held_out_loss),
    }
    return Network(run.recipe, run.seed, parameters, results)
