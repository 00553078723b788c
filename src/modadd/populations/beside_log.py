"""The training of a public log ([L]) beside what the log prints: its first epochs as they are, later ones by trainings a last bit apart."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from modadd.populations.published_log import EPOCHS, at_epochs, of_next_training

ENDS = ["cross_entropy", "squares", "total"]  # of the network after the last epoch, in the order of the log


class Asked(NamedTuple):
    """The epochs of the log, counted from 1, whose losses and accuracies are asked: the first as they are, later ones by an interval."""

    first: Sequence[int]
    first_accurate: Sequence[int]
    later: Sequence[int]
    later_accurate: Sequence[int]


def answers(own: pd.DataFrame, rows: pd.DataFrame, asked: Asked, fewest: int) -> dict[str, Any]:
    """What claims ask of the training of the log, which is one row, and of all trainings that went on to the last epoch.

    Losses are in nats, with the penalty; accuracies in percent. Of later epochs and of the end: where one more training
    would lie, NaN for fewer than `fewest` trainings. always_right: whether all of these answer every input right in the end.
    """
    whole = rows[rows.epochs == EPOCHS]
    return {
        "first_losses": at_epochs(own, "losses", asked.first)[0],
        "first_accuracies": 100 * at_epochs(own, "accuracies", asked.first_accurate)[0],
        "later_losses": of_next_training(at_epochs(whole, "losses", asked.later), fewest),
        "later_accuracies": of_next_training(100 * at_epochs(whole, "accuracies", asked.later_accurate), fewest),
        "log_end": of_next_training(whole[ENDS].to_numpy(), fewest),
        "log_trainings": len(whole),
        "always_right": bool((whole.accuracy == 1).all()) if len(whole) else None,
    }
