"""Trainings that are watched, interrupted and compared bit by bit."""

from modadd.training.train import train_network


class Updates:
    """A progress callback that counts updates and, like a user's Ctrl-C, may interrupt after so many."""

    def __init__(self, interrupt_after=None):
        self.made, self.interrupt_after = 0, interrupt_after

    def __call__(self, updates):
        self.made += updates
        if self.interrupt_after is not None and self.made >= self.interrupt_after:
            raise KeyboardInterrupt


def train(recipe, seed, checkpoint, progress=lambda updates: None):
    """The network of one seed, and its losses (updates + 1 × 2)."""
    return train_network(recipe, seed, checkpoint, progress)


def assert_same_bits(found, expected):
    (network, losses), (right, right_losses) = found, expected
    assert losses.tobytes() == right_losses.tobytes(), "the losses differ"
    for name, value in right.parameters.items():
        assert network.parameters[name].tobytes() == value.tobytes(), f"{name} differs"
    assert str(network.results) == str(right.results)  # NaN where no pair is held out


def member(ensemble, index):
    networks, losses = ensemble
    return networks[index], losses[:, index]
