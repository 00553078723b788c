"""With `first_seed`, a build trains networks that nobody has seen; its claims are judged on these alone."""

import pandas as pd
import pytest
from one_claim import NETWORK, STATEMENT
from support import CONFIG_SCHEMA, LEDGER, ROOT, refuses

from modadd.core.files import write_json
from modadd.core.parquet import read_table, write_table
from modadd.ledger.here import judge_built
from modadd.networks.recipes import RECIPES
from modadd.planning.config import check_config, read_config
from modadd.planning.datasets import EXPERIMENT, POPULATION, WATCHED, datasets_of, seeds_of, unseen
from modadd.planning.plan import Plan

FIRST = 1_000_000
pytestmark = pytest.mark.usefixtures("in_root")


def config_of(*names, **keys):
    return read_config(*(f"config/{name}.yaml" for name in ("config", *names))) | {"figure_formats": ["svg"]} | keys


def plan_of(*names, **keys):
    return Plan(config_of(*names, **keys), LEDGER)


def test_every_population_and_experiment_begins_there_and_no_other_network_moves():
    config = config_of("smoke")
    for kind in (WATCHED, POPULATION, EXPERIMENT):
        own = datasets_of(config, kind)
        moved = datasets_of(config | {"first_seed": FIRST}, kind)
        for name, settings in own.items():
            by = FIRST if kind != WATCHED and name not in ("q_rounding", "m_rounding") else 0
            assert seeds_of(moved[name]) == [by + seed for seed in seeds_of(settings)], name
            assert moved[name] | {"seeds": 0} == settings | {"seeds": 0}, "nothing else of an entry changes"


def test_without_the_key_nothing_is_unseen():
    assert not unseen(config_of("smoke")) and not plan_of().unseen


def test_a_plan_of_the_smoke_config_trains_the_mainline_and_new_seeds():
    plan = plan_of("smoke", first_seed=FIRST)
    assert "results/networks/pizza_transformer/seed0.safetensors" in plan.networks("safetensors")
    assert plan.shard_files("q_seeds") == [f"results/populations/q_seeds/seeds{FIRST + 50}.parquet"]
    (retraining,) = plan.populations["q_rounding"]
    assert retraining.seeds == (0,) and retraining.recipe.perturbation == 1


def test_notebooks_read_unseen_networks_alone_unless_they_are_of_another_recipe():
    plan = plan_of(first_seed=FIRST)
    assert plan.inputs("seeds")["datasets"] == {"q_seeds": ["results/populations/q_seeds.parquet"]}
    stopped_early = plan.inputs("weight_decay")["datasets"]["q_weight_decay"]
    assert "q_weight_decay" not in plan.unseen and len(stopped_early) == 2, "the default config stops these early"
    assert len(plan.inputs("training_watched")["datasets"]["pizza_transformer"]) == 2
    assert not plan_of("smoke", first_seed=FIRST).unseen - {"competition"}, "the smoke config stops all early"


@pytest.mark.parametrize("seed", [1, 999_999, -1])
def test_a_first_seed_that_kept_networks_may_have_is_refused(seed):
    with refuses("config: first_seed: expected a number of at least 1000000", f"got {seed}"):
        check_config(config_of("smoke", first_seed=seed), CONFIG_SCHEMA, LEDGER)


def test_kept_rows_do_not_judge_beside_unseen_ones(tmp_path):
    write_json(tmp_path / "results/values/phases.json", {"network": NETWORK, "values": {"slope": 2.0}})
    files = [tmp_path / "results/populations/q.parquet", tmp_path / "kept.parquet"]
    for file, slope, start in zip(files, (0.0, 2.0), (FIRST, 0), strict=True):
        row = RECIPES["pizza_transformer"].as_dict() | {"accuracy": 1.0, "slope": slope}
        file.parent.mkdir(parents=True, exist_ok=True)
        write_table(pd.DataFrame([row | {"seed": start + place} for place in range(40)]), file)
    tables = {"seeds": {"q": ["results/populations/q.parquet", str(files[1])]}, "retrainings": {}, "datasets": {}}
    claim = STATEMENT | {"of": "nearly_all", "judged_on": ["q"], "rests_on": "many_trainings"}
    published = tmp_path / "published.json"
    published.write_text("{}")
    for names, expected in (((), (40, 80)), (("q",), (0, 40))):
        (found,) = judge_built([claim], "laptop", (), published, {"phases": tables}, tmp_path, unseen=names)
        assert (found.seeds.holds, found.seeds.of) == expected and found.verdict == "differs: not reproduced"


def seeds_used(config):
    for kind in (POPULATION, WATCHED):
        for settings in datasets_of(config, kind).values():
            yield from seeds_of(settings)


def test_no_other_config_and_no_kept_table_has_a_seed_of_the_networks_held_out():
    held_out = config_of("held_out")
    own = datasets_of(held_out, POPULATION)
    named = read_config("config/held_out.yaml")["datasets"]
    new = {seed for name in named for seed in seeds_of(own[name])}
    others = [set(seeds_used(config_of(*names))) for names in ((), ("smoke",), ("paper",), ("paper", "kept"))]
    kept = [
        set(read_table(table, ["seed"]).seed)
        for table in ROOT.glob("data/*/*.parquet")
        if table.parent.name != "held_out"
    ]
    assert len(new) == 256 and len(kept) > 20
    assert all(new.isdisjoint(seeds) for seeds in (*others, *kept))


def test_networks_held_out_are_of_kept_recipes_or_of_one_at_which_nobody_has_looked():
    plan = plan_of("held_out")
    assert {"t_sets", "t_groups", "q_seeds", "c91_full", "few_factored", "c1_moduli"} <= plan.unseen
    known = pd.concat(read_table(table) for table in ROOT.glob("data/populations/*.parquet"))
    for study in ("c91_batch", "c91_full", "q_seeds"):
        for what, key in (("modulus", "modulus"), ("updates", "steps")):
            recipe = plan.populations[f"{study}_{what}"][0].recipe
            alike = known[known.architecture == recipe.architecture]
            assert not (alike[key] == getattr(recipe, key)).any()
