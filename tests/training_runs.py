"""Trainings that are watched, interrupted and compared bit by bit."""

from modadd.training.train import train_ensemble


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


def train(recipe, seed, checkpoint, progress=iter):
    """The network of one seed alone, and its losses (updates + 1 × 2)."""
    return member(train_ensemble(recipe, [seed], checkpoint, progress=progress), 0)


def assert_same_bits(found, expected):
    (network, losses), (right, right_losses) = found, expected
    assert losses.tobytes() == right_losses.tobytes(), "the losses differ"
    for name, value in right.parameters.items():
        assert network.parameters[name].tobytes() == value.tobytes(), f"{name} differs"
    assert str(network.results) == str(right.results)  # NaN where no pair is held out


def member(ensemble, index):
    networks, losses = ensemble
    return networks[index], losses[:, index]
