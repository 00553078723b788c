"""Whether published weights are the network that their format says: by the loss over all inputs, read in every way."""

from pathlib import Path

from modadd.core.losses import mean_loss
from modadd.core.separable import accuracy
from modadd.networks.importers import FORMATS, External
from modadd.networks.store import NetworkError

# Times the loss: so much tells that a network was trained otherwise. Set after Models A and B of [Z] were read.
LESS = 0.1


def found_in(path: Path | str, external: External) -> str:
    """What was found in a file: n, accuracy, warnings.

    Raises NetworkError if the tensors have less than LESS times the loss if read with another attention or activation, or
    with two vocabularies: then they are another network than their format says.
    """
    logits = external.logits()
    loss, right = mean_loss(logits), accuracy(logits)
    lines = [f"{path}: n = {external.modulus}, {len(external.parameters)} tensors, accuracy {right:.6g}"]
    for words, network in FORMATS[external.format].otherwise(external.parameters).items():
        theirs = mean_loss(network.logits())
        compared = f"as '{external.format}' it has the loss {loss:.3g}, with {words} {theirs:.3g}"
        if theirs < LESS * loss:
            raise NetworkError(f"{path}: read {compared}; expected a network of that format")
        if theirs < loss:
            lines.append(f"Warning: read {compared}; the file does not say how it was trained")
    if right < 1:
        lines.append("Warning: not every input is answered right; was it trained to its end, and as its format says?")
    return "\n".join(lines)
