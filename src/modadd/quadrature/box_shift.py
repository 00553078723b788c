"""What the best common shift of the boxes of a quadrature scheme is worth."""

from modadd.quadrature.bounds import Boxes, boxes
from modadd.quadrature.scheme import Scheme


def best_shift_over_unshifted(scheme: Scheme) -> float:
    """The folded Lipschitz bound over that of the same boxes from the angle 0 on: what the best shift leaves of it."""
    best = boxes(scheme, folded=True)
    unshifted = Boxes(best.node, best.left - best.left[0], best.right - best.left[0], best.period)
    return best.lipschitz_bound / unshifted.lipschitz_bound
