"""What moves the quadrature error and its bounds: widths, boxes, the whole ReLU, other activations; and what proofs cost."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from modadd.networks.registry import KEY, Form, as_separable, measure, neurons_in, once
from modadd.quadrature.activations import DOUBLING, RELU_ACTIVATION, activated_error, expected_random_error
from modadd.quadrature.answers import Proof, prove_answers
from modadd.quadrature.bounds import bound_against_work, boxes, relu_bound
from modadd.quadrature.scheme import INTEGRAL, Scheme, even_widths, gap_widths, quadrature_error, weighted_sum
from modadd.quadrature.scheme_measures import actual_modulus, lipschitz_bound, of_schemes


@measure("bound of the whole ReLU\nover its integral", "1", KEY)
def relu_bound_over_integral(network: Form) -> list[float]:
    """The bound on the error of the whole ReLU over its integral 2/3, below 1 where it says something ([QR])."""
    return of_schemes(network, lambda scheme: 2 * relu_bound(scheme) / INTEGRAL)


def naive_readings(scheme: Scheme) -> dict[str, float]:
    """The naive error as [Q] §5 may have averaged it, besides the mean of the cosine's |sum| over x + y.

    `difference` has the factor |cos(k(x − y)/2)| of the logits, over all inputs; ReLU stands for the modulus bars.
    """
    sums = weighted_sum(scheme)
    relu = activated_error(RELU_ACTIVATION, scheme) + RELU_ACTIVATION.coefficient(2) * np.exp(-1j * scheme.thetas)
    of_difference = np.abs(np.cos(scheme.thetas / 2)).mean()  # x − y takes every value as often as x + y
    return {
        "modulus": float(np.abs(sums).mean()),
        "sine": float(np.abs(sums.imag).mean()),
        "root mean square": float(np.sqrt(np.square(sums.real).mean())),
        "difference": float(np.abs(sums.real).mean() * of_difference),
        "ReLU": float(np.abs(relu.real).mean()),
    }


def _with_widths(network: Form, widths: Callable[[Scheme], Scheme]) -> Float[np.ndarray, "key"]:
    """Largest modulus of the error over the inputs with other widths at the same angles."""
    return np.array(of_schemes(network, lambda scheme: np.abs(quadrature_error(widths(scheme))).max()))


@measure("error with equal widths\nover that as trained", "1", KEY)
def equal_widths_over_trained(network: Form) -> Float[np.ndarray, "key"]:
    """Actual error of equal widths at the trained angles over that of the trained widths (ours)."""
    return _with_widths(network, even_widths) / actual_modulus(network)


@measure("error with widths of the gaps\nover that as trained", "1", KEY)
def gap_widths_over_trained(network: Form) -> Float[np.ndarray, "key"]:
    """Actual error of widths that match the gaps between the angles over that of the trained widths (ours)."""
    return _with_widths(network, gap_widths) / actual_modulus(network)


@measure("Lipschitz bound with widths of the\ngaps over that as trained", "1", KEY)
def gap_boxes_over_trained(network: Form) -> Float[np.ndarray, "key"]:
    """Lipschitz bound of boxes that lie round their nodes, as wide as the gaps, over that of the trained boxes (ours)."""
    own = of_schemes(network, lambda scheme: boxes(gap_widths(scheme), folded=True).lipschitz_bound)
    return np.array(own) / lipschitz_bound(network)


@once
def proof_of_cosines(network: Form) -> Proof:
    """What the worst error of every quadrature proves of the network of pure cosines."""
    return prove_answers(neurons_in(network), exact=True)


@measure("operations over p·d_mlp\nto prove the pure cosines", "1")
def cosines_operations(network: Form) -> float:
    """Operations over p·d_mlp that prove every answer of the pure cosines; infinite if one is unproven ([Q] App. B.1)."""
    tables, proof = as_separable(network), proof_of_cosines(network)
    complete = bool((proof.margin > 0).all())
    return proof.operations / (tables.modulus * tables.width) if complete else float("inf")


@measure("operations of the sweep\nover brute force", "1", KEY)
def sweep_over_brute_operations(network: Form) -> list[float]:
    """Operations for the exact largest error over the inputs by a sort, over those of brute force (ours)."""
    work = of_schemes(network, lambda scheme: bound_against_work(scheme, []).set_index("method").operations)
    return [float(one["sweep"] / one["brute force"]) for one in work]


@measure("error over that of random angles,\nworst activation", "1", KEY)
def error_over_chance(network: Form) -> list[float]:
    """Root mean square error of the trained nodes over that of random angles, worst of all activations (ours)."""
    return of_schemes(network, lambda scheme: max(over_chance(scheme).values()))


def over_chance(scheme: Scheme) -> dict[str, float]:
    """The same for each activation that doubles the frequency, by its name."""
    return {
        f.name: float(np.sqrt(np.square(np.abs(activated_error(f, scheme))).mean()) / expected_random_error(f, scheme))
        for f in DOUBLING
    }
