from copy import deepcopy
from functools import cache

import pytest
from snakemake.utils import update_config
from support import CONFIG_SCHEMA, ROOT, refuses

from modadd.ledger.entries import read_ledger
from modadd.run.config import check_config, parameters_of
from modadd.run.settings import with_numbers
from modadd.run.yaml_files import read_yaml


def committed_config(name):
    """A committed config, laid over the default one as Snakemake lays --configfile."""
    config = read_yaml(ROOT / "config/config.yaml")
    update_config(config, read_yaml(ROOT / f"config/{name}.yaml"))
    return config


VALID = committed_config("smoke")
STUDY = "config: studies.pizza_transformer"
pytestmark = pytest.mark.usefixtures("in_root")


read_once = cache(read_ledger)


def committed_ledger():
    """The ledger as it is committed; each test may change its own copy."""
    return deepcopy(read_once())


def check(config):
    check_config(config, CONFIG_SCHEMA, committed_ledger())


def with_study(**settings):
    config = deepcopy(VALID)
    config["studies"]["pizza_transformer"] |= settings
    return config


@pytest.mark.parametrize("name", sorted(path.stem for path in ROOT.glob("config/*.yaml")))
def test_committed_config_is_valid(name):
    check(committed_config(name))


def test_all_three_configs_are_committed():
    assert {path.name for path in ROOT.glob("config/*.yaml")} >= {"config.yaml", "smoke.yaml", "paper.yaml"}


def test_population_that_a_notebook_needs_is_named_with_the_nearest_valid_name():
    ledger = committed_ledger()
    next(iter(ledger["notebooks"].values()))["datasets"] = ["q_seds"]
    with refuses("config: populations: notebook", "unknown population 'q_seds'", "did you mean 'q_seeds'?"):
        check_config(
            VALID | {"populations": {"q_seeds": {"recipe": "pizza_transformer", "seeds": 1}}}, CONFIG_SCHEMA, ledger
        )


@pytest.mark.parametrize(
    ("settings", "fragments"),
    [
        ({"seeds": 0}, ("populations.q_seeds.seeds:", "at least 1", "0")),
        ({"seeds": []}, ("populations.q_seeds.seeds:", "at least 1 item")),
        ({"seeds": 10**9}, ("populations.q_seeds.seeds:", "at most 1000000, got 1000000000")),
        ({"seeds": [1, 1]}, ("populations.q_seeds.seeds:", "each once")),
        ({"seeds": 1, "variants": [{"weight_decy": 1}]}, ("variants.0:", "did you mean 'weight_decay'?")),
        ({"seeds": 1, "variants": [{"modulus": 2}]}, ("variants.0.modulus:", "at least 3")),
        ({"seeds": 1, "variants": []}, ("variants:", "at least 1 item")),
        ({"seeds": 1, "shard": 0}, ("populations.q_seeds.shard:", "at least 1")),
        ({"shard": 2}, ("populations.q_seeds:", "'seeds' is missing")),
        ({"seeds": 1, "modulus": 2}, ("populations.q_seeds.modulus:", "at least 3", "got 2")),
        (
            {"seeds": 1, "variants": [{"train_pairs": 1.2}]},
            ("variants.0.train_pairs:", "a whole number or text", "got 1.2"),
        ),
        ({"seeds": 1, "variants": [{"modulus": 7, "train_pairs": 50}]}, ("train_pairs:", "1 to 7² = 49", "got 50")),
        (
            {"seeds": 1, "recipe": "embedding_mlp", "variants": [{"modulus": 13}]},
            ("populations.q_seeds.batch_size:", "divisor of the 104 training pairs", "got 91"),
        ),
        ({"seeds": 1, "variants": [{"d_mlp": 10**9}]}, ("q_seeds.d_mlp: 1000000000 would take", "at most 8 GB")),
        (
            {"seeds": 4000, "shard": 4000},
            ("populations.q_seeds.shard: 4000 networks at once would take", "at most 8 GB"),
        ),
        ({"seeds": 1, "variants": [{"d_model": 130}]}, ("populations.q_seeds.n_heads:", "divisor of d_model = 130")),
    ],
)
def test_bad_population_is_refused_in_one_line(settings, fragments):
    with refuses(*fragments):
        check(VALID | {"populations": {"q_seeds": {"recipe": "pizza_transformer"} | settings}})


def test_study_of_another_name_and_declared_notebook_parameters_are_accepted():
    config = deepcopy(VALID)
    config["studies"]["less_decay"] = {"recipe": "pizza_transformer", "seeds": [1, 2], "weight_decay": 0.5}
    check(config | {"notebooks": {"phases": {"exhibit": 3}}})


@pytest.mark.parametrize(
    ("config", "fragments"),
    [
        (VALID | {"studys": {}}, ("config: top level:", "unknown key 'studys'", "did you mean 'studies'?")),
        (VALID | {"scale": "laptp"}, ("config: scale:", "unknown value 'laptp'", "did you mean 'laptop'?")),
        (VALID | {"figure_formats": ["png"]}, ("config: figure_formats: expected svg among them, got ['png']",)),
        (VALID | {"studies": {}}, ("config: studies:", "at least 1 entry")),
        ({"scale": "smoke"}, ("config: top level:", "'studies' is missing")),
        (with_study(weight_dacay=1), (f"{STUDY}:", "unknown key 'weight_dacay'", "did you mean 'weight_decay'?")),
        (with_study(modulus=2), (f"{STUDY}.modulus:", "a number of at least 3", "got 2")),
        (with_study(modulus="many"), (f"{STUDY}.modulus:", "expected a whole number", "'many'")),
        (with_study(steps=1e300 * 1e10), (f"{STUDY}.steps:", "a finite number", "got inf")),
        (with_study(seeds=[True]), (f"{STUDY}.seeds.0:", "expected a whole number", "got True")),
        (with_study(seeds=3), (f"{STUDY}.seeds:", "expected a list, got 3")),
        (with_study(optimiser="adamww"), (f"{STUDY}.optimiser:", "did you mean 'adamw'?")),
        (with_study(batch_size=-1), (f"{STUDY}.batch_size:", "a number of at least 0")),
        (with_study(batch_size=5), (f"{STUDY}.batch_size:", "divisor of the 2784 training pairs")),
        (with_study(seeds=[]), (f"{STUDY}.seeds:", "at least 1 item", "got []")),
        (with_study(seeds=[0, -1]), (f"{STUDY}.seeds.1:", "a number of at least 0", "got -1")),
        (with_study(seeds=[3, 3]), (f"{STUDY}.seeds:", "expected each once, got [3, 3]")),
        (
            VALID | {"studies": {"My-Study": {"recipe": "pizza_transformer", "seeds": [0]}}},
            ("config: studies:", "expected lower-case letters, digits and underscores", "got 'My-Study'"),
        ),
        (
            VALID | {"studies": {59: {"recipe": "pizza_transformer", "seeds": [0]}}},
            ("studies:", "expected text", "got 59"),
        ),
        ({"studies": {"pizza_transformer": {"steps": 3}}}, (f"{STUDY}:", "'seeds' is missing")),
        (with_study(train_pairs=0), (f"{STUDY}.train_pairs:", "a number of at least 1", "got 0")),
        (with_study(train_pairs=0.8), (f"{STUDY}.train_pairs:", "a whole number or text", "got 0.8")),
        (with_study(train_pairs="most"), (f"{STUDY}.train_pairs:", "or `all`", "got 'most'")),
        (with_study(train_pairs=3482), (f"{STUDY}.train_pairs:", "1 to 59² = 3481", "got 3482")),
        (
            with_study(modulus=10**6),
            (f"{STUDY}.modulus: 1000000 would take about", "GB to train; expected at most 8 GB"),
        ),
        (
            with_study(snapshots=10**5, steps=10**6),
            (f"{STUDY}.snapshots: 100000 would take about", "GB to train; expected at most 8 GB"),
        ),
        (
            with_study(d_mlp=10**9),
            (f"{STUDY}.d_mlp: 1000000000 would take about", "GB to train; expected at most 8 GB"),
        ),
        (with_study(seeds=[1]), (f"{STUDY}.seeds:", "expected seed 0, which notebook", "among 1; add it to the list")),
        (with_study(n_heads=3), (f"{STUDY}.n_heads:", "divisor of d_model = 128", "got 3")),
        (with_study(recipe="piza_transformer"), (f"{STUDY}.recipe:", "did you mean 'pizza_transformer'?")),
        (
            {"studies": {"pizza_transfomer": {"seeds": [0]}}},
            ("config: studies.pizza_transfomer:", "unknown recipe", "did you mean 'pizza_transformer'?"),
        ),
        (
            {"studies": {"other": {"recipe": "pizza_transformer", "seeds": [0]}}},
            ("config: studies:", "notebook 'how_a_network_adds' needs", "'pizza_transformer'", "expected one of other"),
        ),
        (VALID | {"notebooks": {"phase": {}}}, ("config: notebooks:", "notebook 'phase'", "did you mean 'phases'?")),
        (
            VALID | {"notebooks": {"phases": {"exhibt": 3}}},
            ("config: notebooks.phases:", "parameter 'exhibt'", "did you mean 'exhibit'?"),
        ),
        (VALID | {"notebooks": {"phases": None}}, ("config: notebooks.phases:", "expected a mapping, got None")),
        (
            VALID | {"notebooks": {"phases": {"most_panels": "abc"}}},
            ("config: notebooks.phases.most_panels: expected a whole number, got 'abc'",),
        ),
    ],
    ids=lambda value: None if isinstance(value, tuple) else "",
)
def test_bad_config_is_refused_in_one_line_that_helps(config, fragments):
    with refuses(*fragments):
        check(config)


def test_a_question_does_less_where_the_config_asks_for_it_and_the_config_has_the_last_word():
    ledger = {"notebooks": {"phases": {"source": "phases", "less": {"exhibit": 3, "most_panels": 2}}}}
    config = {"less": True, "notebooks": {"phases": {"most_panels": 4}}}
    assert parameters_of("phases", config, ledger) == {"exhibit": 3, "most_panels": 4}
    assert parameters_of("phases", config | {"less": False}, ledger) == {"most_panels": 4}


@pytest.mark.parametrize(
    ("less", "fragments"),
    [
        ({"exhibt": 3}, (".less:", "parameter 'exhibt'", "did you mean 'exhibit'?")),
        ({"figures": "here"}, (".less.figures: the workflow fills this in",)),
    ],
)
def test_less_of_what_a_notebook_does_not_declare_is_refused(less, fragments):
    ledger = committed_ledger()
    ledger["notebooks"]["phases"]["less"] = less
    with refuses("ledger: notebooks.phases", *fragments):
        check_config(VALID, CONFIG_SCHEMA, ledger)


def test_whole_number_spelled_1e4_trains_that_many_steps():
    from modadd.networks.overrides import recipe_of

    config = with_numbers(with_study(steps="1e4"))
    check(config)
    assert type(recipe_of("studies.pizza_transformer", config["studies"]["pizza_transformer"]).steps) is int


@pytest.mark.parametrize("study", ["two_layer_mlp", "embedding_mlp"])
def test_every_published_recipe_is_a_study_of_its_own_name(study):
    config = deepcopy(VALID)
    config["studies"][study] = {"seeds": [0]}
    check(config)


@pytest.mark.parametrize(
    ("kind", "name", "fragments"),
    [
        ("figures", "phase_lw", ("save_figure", "unknown figure 'phase_lw'", "did you mean 'phase_law'?")),
        ("figures", "phase_table", ("save_figure", "unknown figure 'phase_table'")),
        ("tables", "phase_tabel", ("save_table", "unknown table 'phase_tabel'", "did you mean 'phase_table'?")),
    ],
    ids=["figure", "a table is no figure", "table"],
)
def test_figure_or_table_that_the_notebook_does_not_save_is_refused(kind, name, fragments):
    ledger = committed_ledger()
    ledger["notebooks"]["phases"][kind][name] = "A caption."
    with refuses(f"ledger: notebooks.phases.{kind}:", "notebooks/quadrature/phases.py", *fragments):
        check_config(VALID, CONFIG_SCHEMA, ledger)


def test_notebook_of_the_ledger_without_a_file_is_refused():
    ledger = committed_ledger()
    ledger["notebooks"]["phase"] = ledger["notebooks"]["phases"] | {"source": "phase"}
    with refuses("ledger: notebooks: source:", "unknown notebook 'phase'", "did you mean 'phases'?"):
        check_config(VALID, CONFIG_SCHEMA, ledger)


@pytest.mark.parametrize(
    ("call", "accepted", "refused"),
    [
        ('save_figure(f(1, 2), "figures/a/law", data)', "law", "a"),
        ('figures.save_figure(f, stem=f"{folder}/law", data=d)', "law", "laws"),
        ('save_figure(f, f"{folder}/law_{k}", data)', "law_12", "lwa_12"),
        ("save_figure(f, stem, data)", "anything", None),
        ('# save_figure(f, "figures/a/law", data)', None, "law"),
    ],
)
def test_names_are_read_off_the_calls(tmp_path, monkeypatch, call, accepted, refused):
    monkeypatch.setattr("modadd.run.root.ROOT", tmp_path)
    (tmp_path / "notebooks/study").mkdir(parents=True)
    (tmp_path / "notebooks/study/a.py").write_text(call + "\n")
    ledger = {"notebooks": {"a": {"title": "?", "network": "pizza_transformer/seed0", "source": "a"}}, "claims": []}
    config = VALID | {"notebooks": {}}
    if accepted:
        ledger["notebooks"]["a"]["figures"] = {accepted: "A caption."}
        check_config(config, CONFIG_SCHEMA, ledger)
    if refused:
        ledger["notebooks"]["a"]["figures"] = {refused: "A caption."}
        with refuses("ledger: notebooks.a.figures:", f"'{refused}'"):
            check_config(config, CONFIG_SCHEMA, ledger)


def test_a_number_that_is_none_is_refused():
    with refuses(f"{STUDY}.learning_rate:"):
        check(with_study(learning_rate=float("nan")))
