"""Architectures written down as instructions: what is computed once, where slopes go, and what cannot be said."""

import numpy as np
import pytest

from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.recipes import RECIPES
from modadd.training.instructions import BLOCK, GATHER, OF_BATCH, PRODUCT, SCATTER, SQUARE
from modadd.training.network import Learner, compile_step
from modadd.training.program import Tape, program_of, row_of

pytestmark = pytest.mark.usefixtures("arithmetic")


def written(name, of_batch):
    recipe = RECIPES[name]
    architecture = ARCHITECTURES[name]
    shapes = architecture.shapes(recipe.modulus, recipe.sizes)
    return program_of(architecture, shapes, recipe.modulus, 96, of_batch)


@pytest.mark.parametrize("of_batch", [False, True])
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_places_lie_in_the_array_and_rows_end_in_whole_blocks(name, of_batch):
    program = written(name, of_batch)
    for instructions in (program.forward, program.backward):
        for address in instructions[:, [1, 3, 6]].ravel():
            assert 0 <= address < 4 * program.size and address % 64 == 0
        assert (instructions[:, 10] % SQUARE == 0).all()
    gathers, scatters = (
        (kinds[:, 0] == kind).sum() for kinds, kind in ((program.forward, GATHER), (program.backward, SCATTER))
    )
    assert gathers == scatters == (len(set(ARCHITECTURES[name].embeddings)) if of_batch else 0)
    assert (min(program.places.rows_A, program.places.rows_B) < 0) == of_batch


def test_what_was_computed_on_the_way_forth_is_not_computed_again():
    program = written("pizza_transformer", of_batch=False)
    products = (program.forward[:, 0] == PRODUCT).sum(), (program.backward[:, 0] == PRODUCT).sum()
    heads = RECIPES["pizza_transformer"].n_heads
    assert products == (heads + 7, 2 * heads + 14), "OV and the stream are known"


def test_a_row_takes_whole_blocks_and_does_not_collide():
    for columns in range(1, 700):
        row = row_of(columns)
        assert row >= columns and row % 16 == 0 and row % 64, "rows of a multiple of 256 bytes collide in the cache"
        assert row >= columns + -columns % BLOCK


def test_what_is_written_in_squares_is_copied_below_another_table():
    """The rows that pad it would be written over what lies there."""
    tape = Tape(7)
    x, y = tape.place((3, 5)), tape.place((4, 3))
    turned, product = tape.turned(x), tape.product(y, x)
    assert tape.joined(product, product).shape == (8, 5)
    before = len(tape.instructions)
    tape.joined(turned, tape.product(x, y.mT.mT))
    assert turned.room.within is None and len(tape.instructions) == before + 2, "a product, and a copy"


def test_a_table_of_a_batch_s_rows_is_not_turned():
    tape = Tape(7)
    x = tape.place((OF_BATCH[0], 5))
    with pytest.raises(ValueError, match="cannot be turned"):
        tape.turned(x)


def test_the_step_can_be_compiled_beforehand():
    compile_step()
    recipe = RECIPES["group_mlp"]
    shapes = ARCHITECTURES["group_mlp"].shapes(recipe.modulus, recipe.sizes)
    learner = Learner(recipe, {name: np.ones(shape, np.float32) for name, shape in shapes.items()})
    assert [table if table is None else table.shape for table in learner.tables()] == [
        *((31, 128), (31, 128), (128, 31), None, None)
    ]
