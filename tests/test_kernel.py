import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from jaxtyping import TypeCheckError
from modadd.architectures import ARCHITECTURES
from modadd.initialisation import pizza_transformer
from modadd.kernel import BLOCK, SeparableLoss, Tables, softmax_gradient_
from modadd.recipes import RECIPES
from modadd.residues import pairs, shuffled_split
from support import native_loss, relative_error

N = 31


@pytest.fixture(params=[0.8, 2.0], ids=["unsure", "confident"])
def parameters(request):
    """Random native parameters with four heads and biases that are not zero; the larger scale gives losses of many nats."""
    recipe = replace(RECIPES["pizza_transformer"], modulus=N, d_model=32, n_heads=4, d_mlp=48, init_scale=request.param)
    drawn = pizza_transformer(recipe, 5)
    generator = torch.Generator().manual_seed(1)
    return drawn | {name: torch.randn(drawn[name].shape, generator=generator) for name in ("b_in", "b_out")}


def tables_of(parameters, dtype):
    native = {name: value.detach().to(dtype).requires_grad_() for name, value in parameters.items()}
    return native, Tables(*ARCHITECTURES["pizza_transformer"].effective(native))


def kernel_loss(parameters, trained_on, dtype):
    """Loss and gradient in every native parameter, the way training takes them."""
    native, tables = tables_of(parameters, dtype)
    loss, gradient = SeparableLoss(trained_on, N)(Tables(*(table.detach() for table in tables)))
    torch.autograd.backward(tables, gradient)
    return loss.item(), {name: value.grad for name, value in native.items()}


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
def test_loss_and_native_gradients_are_those_of_autograd_through_the_transformer(parameters, dtype, tolerance):
    trained_on = shuffled_split(N, 0.8, 3)[0]
    assert len(trained_on) % BLOCK, "the last block should be a short one"
    assert len(trained_on) > BLOCK, "there should be several blocks"
    expected_loss, expected = native_loss(parameters, trained_on, N)
    loss, gradient = kernel_loss(parameters, trained_on, dtype)
    assert loss == pytest.approx(expected_loss, rel=tolerance)
    for name in expected:
        error = relative_error(gradient[name], expected[name])
        assert error <= tolerance, f"gradient of {name} in {dtype} is off by {error:.1e}"


def test_table_gradients_are_those_of_autograd_on_the_separable_form(parameters):
    trained_on = shuffled_split(N, 0.5, 4)[0]
    tables = Tables(*(table.detach().requires_grad_() for table in tables_of(parameters, torch.float64)[1]))
    a, b = torch.from_numpy(trained_on).T
    logits = torch.relu(tables.A[a] + tables.B[b]) @ tables.W + tables.C[a] + tables.D[b]
    expected = torch.autograd.grad(torch.nn.functional.cross_entropy(logits, (a + b) % N), tables)
    _, gradient = SeparableLoss(trained_on, N)(Tables(*(table.detach() for table in tables)))
    for name, found, right in zip(Tables._fields, gradient, expected, strict=True):
        assert relative_error(found, right) <= 1e-12, f"gradient of table {name}"


@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, BLOCK + 1])
def test_loss_is_the_mean_over_the_pairs_whatever_the_last_block_holds(parameters, count):
    trained_on = pairs(N)[:count]
    loss, _ = kernel_loss(parameters, trained_on, torch.float64)
    assert loss == pytest.approx(native_loss(parameters, trained_on, N)[0], rel=1e-12)


def test_order_of_the_pairs_does_not_change_a_bit(parameters):
    trained_on = shuffled_split(N, 0.8, 3)[0]
    loss, gradient = kernel_loss(parameters, trained_on, torch.float32)
    shuffled_loss, shuffled = kernel_loss(parameters, trained_on[::-1].copy(), torch.float32)
    assert shuffled_loss == loss
    assert all(torch.equal(shuffled[name], gradient[name]) for name in gradient)


def test_tables_given_are_not_changed(parameters):
    tables = Tables(*(table.detach() for table in tables_of(parameters, torch.float32)[1]))
    before = [table.clone() for table in tables]
    SeparableLoss(pairs(N), N)(tables)
    assert all(torch.equal(table, copy) for table, copy in zip(tables, before, strict=True))


@pytest.mark.parametrize("ahead", [20.0, 60.0, 80.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_sure_and_right_network_still_has_loss_and_gradient(ahead, dtype):
    logits = torch.zeros(1, 5, dtype=dtype)
    logits[0, 2] = ahead
    loss = softmax_gradient_(logits, torch.tensor([[2]]))
    tail = math.exp(-ahead)
    assert loss.dtype == torch.float64
    assert loss.item() == pytest.approx(math.log1p(4 * tail), rel=1e-6), "1 + tail rounds to 1: use log1p of the ratio"
    assert logits[0, 0].item() == pytest.approx(tail / (1 + 4 * tail), rel=1e-6)
    assert logits[0, 2].item() == pytest.approx(-4 * tail / (1 + 4 * tail), rel=1e-6), "softmax − 1 rounds to 0"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_gradient_of_the_right_class_is_minus_the_sum_of_the_others(dtype):
    logits = 30 * torch.randn(20, 7, dtype=dtype, generator=torch.Generator().manual_seed(0))
    right = torch.arange(20)[:, None] % 7
    softmax_gradient_(logits, right)
    own = logits.gather(1, right)[:, 0]
    others = logits.scatter(1, right, 0.0).sum(1)
    torch.testing.assert_close(own, -others, rtol=1e-6, atol=0.0)


def test_a_confident_mistake_does_not_overflow():
    logits = torch.tensor([[0.0, 1000.0, 800.0]])
    loss = softmax_gradient_(logits, torch.tensor([[2]]))
    assert loss.item() == pytest.approx(200.0, rel=1e-12), "the right logit lies 200 below the top: 200 nats"
    assert logits.tolist() == [[0.0, 1.0, -1.0]]


def test_a_very_confident_mistake_has_a_finite_loss():
    loss = softmax_gradient_(torch.tensor([[0.0, 2000.0, 500.0]]), torch.tensor([[2]]))
    assert loss.item() == pytest.approx(1500.0, rel=1e-12), "a finite loss must not read as divergence"


def test_a_constant_added_to_all_logits_changes_nothing():
    logits = torch.randn(4, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    shifted = logits + 1e4
    right = torch.tensor([[0], [1], [2], [5]])
    loss, shifted_loss = softmax_gradient_(logits, right), softmax_gradient_(shifted, right)
    assert shifted_loss.item() == pytest.approx(loss.item(), rel=1e-9)
    torch.testing.assert_close(shifted, logits, rtol=1e-9, atol=1e-12)


def test_labels_of_another_count_are_refused_by_the_shape_check():
    with pytest.raises(TypeCheckError):
        softmax_gradient_(torch.zeros(3, 5), torch.zeros((4, 1), dtype=torch.long))


def test_loss_of_equal_logits_is_log_n():
    zero = torch.zeros
    tables = Tables(zero(7, 3), zero(7, 3), zero(3, 7), zero(7, 7), zero(7, 7))
    assert SeparableLoss(pairs(7), 7)(tables)[0].item() == pytest.approx(np.log(7), rel=1e-6)
