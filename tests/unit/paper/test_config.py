from copy import deepcopy
from functools import cache

import pytest
from snakemake.utils import update_config
from support import ROOT, refuses

from modadd.networks.formats import OF_A_PERCEPTRON
from paper.config import check_config, parameters_of, read_config, with_numbers
from paper.ledger.read.entries import read_ledger
from paper.ledger.read.studies import NO_INPUTS
from paper.yaml_files import read_yaml


def committed_config(name):
    """A committed config, laid over the default one as Snakemake lays --configfile."""
    config = read_yaml(ROOT / "config/config.yaml")
    update_config(config, read_yaml(ROOT / f"config/{name}.yaml"))
    return config


VALID = committed_config("smoke")
MAINLINE = "config: datasets.pizza_transformer"
pytestmark = pytest.mark.usefixtures("in_root")


read_once = cache(read_ledger)


def committed_ledger():
    """The ledger as it is committed; each test may change its own copy."""
    return deepcopy(read_once())


def check(config):
    check_config(config, committed_ledger())


def with_dataset(name, settings):
    return VALID | {"datasets": VALID["datasets"] | {name: settings}}


def with_mainline(**settings):
    return with_dataset("pizza_transformer", VALID["datasets"]["pizza_transformer"] | settings)


@pytest.mark.parametrize("name", sorted(path.stem for path in ROOT.glob("config/*.yaml")))
def test_committed_config_is_valid(name):
    check(committed_config(name))


def test_population_that_a_notebook_needs_is_named_with_the_nearest_valid_name():
    ledger = committed_ledger()
    next(iter(ledger["notebooks"].values()))["inputs"]["datasets"] = ["q_seds"]
    with refuses("config: datasets: notebook", "unknown dataset 'q_seds'", "did you mean 'q_seeds'?"):
        check_config(VALID, ledger)


@pytest.mark.parametrize(
    ("settings", "fragments"),
    [
        ({"seeds": 0}, ("datasets.q_seeds.seeds:", "at least 1", "0")),
        ({"seeds": 10**9}, ("datasets.q_seeds.seeds:", "at most 1000000, got 1000000000")),
        ({"seeds": [1, 1]}, ("datasets.q_seeds.seeds: [1, 1] has non-unique elements",)),
        ({"seeds": 1, "variants": [{"weight_decy": 1}]}, ("variants.0:", "did you mean 'weight_decay'?")),
        (
            {"seeds": 1, "variants": [{"modulus": 7, "train_pairs": pairs} for pairs in (49, "all")]},
            ("datasets.q_seeds.variants:", "twice"),
        ),
        (
            {"seeds": 1, "variants": [{"weight_decay": 0.5}, {"weight_decay": 0.5, "steps": 10_000}]},
            ("found that of {'weight_decay': 0.5, 'steps': 10000} twice",),
        ),
        ({"shard": 2}, ("datasets.q_seeds: 'seeds' is a required property; expected the keys seeds",)),
        ({"seeds": 1, "variants": [{"modulus": 7, "train_pairs": 50}]}, ("train_pairs:", "1 to 7² = 49", "got 50")),
    ],
)
def test_bad_population_is_refused_in_one_line(settings, fragments):
    with refuses(*fragments):
        check(with_dataset("q_seeds", {"recipe": "pizza_transformer"} | settings))


def test_a_dataset_of_another_name_and_declared_notebook_parameters_are_accepted():
    less_decay = {"recipe": "pizza_transformer", "seeds": [1, 2], "snapshots": 2, "weight_decay": 0.5}
    check(with_dataset("less_decay", less_decay) | {"notebooks": {"phases": {"exhibit": 3}}})


@pytest.mark.parametrize(
    ("config", "fragments"),
    [
        (VALID | {"dataset": {}}, ("config: top level:", "unknown key 'dataset'", "did you mean 'datasets'?")),
        (
            VALID | {"figure_formats": ["png"]},
            ("config: figure_formats: expected", "pages show the SVG, so it is always among them, got ['png']"),
        ),
        (with_mainline(weight_dacay=1), (f"{MAINLINE}:", "unknown key 'weight_dacay'", "did you mean 'weight_decay'?")),
        (with_mainline(steps=1e300 * 1e10), (f"{MAINLINE}.steps:", "a finite number", "got inf")),
        (with_mainline(seeds="all"), (f"{MAINLINE}.seeds:", "expected array or integer, got 'all'")),
        (
            with_dataset("My-Study", {"recipe": "pizza_transformer", "seeds": [0]}),
            ("config: datasets:", "expected lower-case letters, digits and underscores", "got 'My-Study'"),
        ),
        (with_mainline(train_pairs="most"), (f"{MAINLINE}.train_pairs:", "or `all`", "got 'most'")),
        (
            with_mainline(seeds=[1]),
            (f"{MAINLINE}.seeds:", "expected seed 0, which notebook", "among 1; add it to the list"),
        ),
        (with_mainline(recipe="piza_transformer"), (f"{MAINLINE}.recipe:", "did you mean 'pizza_transformer'?")),
        (
            {"datasets": {"pizza_transfomer": {"seeds": [0]}}},
            ("config: datasets.pizza_transfomer:", "unknown recipe", "did you mean 'pizza_transformer'?"),
        ),
        (
            {"datasets": {"other": {"recipe": "pizza_transformer", "seeds": [0], "snapshots": 2}}},
            (
                "config: datasets:",
                "notebook 'how_a_network_adds' needs",
                "'pizza_transformer'",
                "expected one of other",
            ),
        ),
        (VALID | {"notebooks": {"phase": {}}}, ("config: notebooks:", "notebook 'phase'", "did you mean 'phases'?")),
        (
            VALID | {"notebooks": {"phases": {"exhibt": 3}}},
            ("config: notebooks.phases:", "parameter 'exhibt'", "did you mean 'exhibit'?"),
        ),
        (
            VALID | {"notebooks": {"phases": {"most_panels": "abc"}}},
            ("config: notebooks.phases.most_panels: expected integer, got 'abc'",),
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
        check_config(VALID, ledger)


def test_whole_number_spelled_1e4_trains_that_many_steps():
    from modadd.networks.overrides import recipe_of

    config = with_numbers(with_mainline(steps="1e4"))
    check(config)
    assert type(recipe_of("datasets.pizza_transformer", config["datasets"]["pizza_transformer"]).steps) is int


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
        check_config(VALID, ledger)


def test_notebook_of_the_ledger_without_a_file_is_refused():
    ledger = committed_ledger()
    ledger["notebooks"]["phase"] = ledger["notebooks"]["phases"] | {"source": "phase"}
    with refuses("ledger: notebooks: source:", "unknown notebook 'phase'", "did you mean 'phases'?"):
        check_config(VALID, ledger)


@pytest.mark.parametrize(
    ("text", "accepted", "refused", "words"),
    [
        ('save_figure(f(1, 2), f"{figures}/law", data)', "law", "a", "never calls save_figure with it"),
        ('save_figure(\n    f,\n    f"{figures}/law",\n)\nsave_table(t, f"{figures}/rows")', "law", "rows", "'rows'"),
        ('for name in names:\n    save_figure(f, f"{figures}/{name}", data)', None, "name", "'name'"),
        ('save_figure(f, f"{figures}/law", data', None, "law", "not Python"),
    ],
)
def test_a_figure_is_named_in_the_call_that_saves_it(tmp_path, monkeypatch, text, accepted, refused, words):
    monkeypatch.setattr("paper.notebook_files.in_project", lambda name: str(tmp_path / name))
    (tmp_path / "notebooks/study").mkdir(parents=True)
    (tmp_path / "notebooks/study/a.py").write_text(text + "\n")
    inputs = NO_INPUTS | {"shown": "pizza_transformer/seed0"}
    ledger = {"notebooks": {"a": {"title": "?", "inputs": inputs, "source": "a"}}, "claims": []}
    config = VALID | {"notebooks": {}}
    if accepted:
        ledger["notebooks"]["a"]["figures"] = {accepted: "A caption."}
        check_config(config, ledger)
    ledger["notebooks"]["a"]["figures"] = {refused: "A caption."}
    with refuses("a.py", words):
        check_config(config, ledger)


# An operation or activation that no analysis reads is refused before anything is trained.
FIVES, S3 = {"modulus": 25, "operation": "5x5"}, {"modulus": 6, "operation": "S3"}


def with_population(recipe, **settings):
    return with_dataset("mine", {"recipe": recipe, "seeds": 1} | settings)


def with_study(name, **settings):
    return with_dataset(name, VALID["datasets"].get(name, {"seeds": [0], "snapshots": 2}) | settings)


@pytest.mark.parametrize(
    ("config", "fragments"),
    [
        (with_population("group_mlp", **S3), ("mine.operation: S3 is not abelian", "expected an abelian group")),
        (with_population("square_mlp", variants=[{"d_mlp": 5}, S3], **S3), ("mine.operation: S3 is not abelian",)),
        (with_population("pizza_transformer", **FIVES), ("5x5 is not a cyclic group", "one that is, such as addition")),
        (with_population("embedding_mlp", batch_size=0, **FIVES), ("mine.operation: 5x5 is not a cyclic group",)),
        (with_population("group_mlp", activation="gelu", **FIVES), ("mine.operation: 5x5 is not a cyclic group",)),
        (with_population("pizza_transformer", activation="gelo"), ("datasets.mine.activation", "gelu")),
        (with_mainline(activation="gelu"), (f"{MAINLINE}.activation: expected relu, got gelu", "without snapshots")),
        (with_study("group_mlp", **FIVES), ("datasets.group_mlp.operation: 5x5 is not a cyclic group",)),
        (with_mainline(operation="subtraction"), (f"{MAINLINE}.operation: expected addition", "got subtraction")),
        (with_study("two_layer_mlp", operation="subtraction"), ("expected addition, as notebook '", "got subtraction")),
    ],
)
def test_an_operation_or_activation_that_nothing_reads_is_refused(config, fragments):
    with refuses(*fragments):
        check(config)


@pytest.mark.parametrize(
    "config",
    [
        with_population("pizza_transformer", activation="gelu"),
        with_population("square_mlp", activation="square", **FIVES),
        with_population("group_mlp", **FIVES),
        with_population("square_mlp", **FIVES),
        with_population("group_mlp", operation="subtraction"),
        with_population("pizza_transformer", modulus=15, operation="3x5"),
        with_study("group_mlp", operation="subtraction"),
        with_study("own", recipe="square_mlp", **FIVES),
    ],
)
def test_an_operation_or_activation_that_can_be_measured_or_shown_is_accepted(config):
    check(config)


def with_weights(format="embedding_mlp", **said):
    return with_dataset("theirs", {"path": "theirs.pt", "format": format, "sha256": "0" * 64, **said})


@pytest.mark.parametrize(
    ("config", "fragments"),
    [
        (with_weights(operation="additon"), ("operation: unknown operation 'additon'; did you mean 'addition'?",)),
        (with_weights(operation="5x5"), ("operation: 5x5 is not a cyclic group",)),
        (with_weights(operation="S3"), ("operation: S3 is not abelian",)),
        (with_weights(operation="999999x999998"), ("operation: expected a group of at most 1000 elements",)),
        (with_weights(tensors={"W_inn": "a"}), ("tensors: unknown role 'W_inn'; did you mean 'W_in'?",)),
        (with_weights("zhong_ones", tensors={"W_a": "a"}), ("tensors: unknown role 'W_a'", "W_Q")),
        (with_weights(tokens=["a", "c"]), ("tokens: unknown token 'c'; expected one of a, b",)),
        (with_weights(tokens=["a", 97]), ("tokens: expected a and b among them, got a, 97",)),
    ],
)
def test_what_reads_no_file_of_weights_is_refused_before_any_job_runs(config, fragments):
    with refuses("config: datasets.theirs.", *fragments):
        check(config)


def test_weights_with_all_that_can_be_said_of_them_are_accepted():
    for operation in ("subtraction", "multiplication", "3x5"):
        check(with_weights(operation=operation, tokens=["a", 97, "b", 98], activation="gelu"))
    check(with_weights(tensors={role: role for role in OF_A_PERCEPTRON}))
    check(with_weights("nanda_transformer", tensors={"W_Q": "blocks.{layer}.attn.W_Q", "W_E": "embed"}))


@pytest.mark.parametrize(("content", "found"), [("", "nothing"), ("- scale: smoke\n", "[{'scale': 'smoke'}]")])
def test_a_config_without_keys_is_refused_with_its_file(tmp_path, content, found):
    (tmp_path / "mine.yaml").write_text(content)
    with refuses(f"{tmp_path}/mine.yaml: expected keys and their values", f"found {found}"):
        read_config(ROOT / "config/config.yaml", tmp_path / "mine.yaml")


def test_numbers_and_truth_values_spelled_as_text_are_read_at_every_depth():
    given = {
        "scale": "smoke",
        "datasets": {"a": {"seeds": ["0", 50], "learning_rate": "1e-3"}},
        "tf32": "True",
    }
    read = with_numbers(given)
    assert read == {
        "scale": "smoke",
        "datasets": {"a": {"seeds": [0, 50], "learning_rate": 1e-3}},
        "tf32": True,
    }
    assert type(read["datasets"]["a"]["seeds"][0]) is int
    assert read["tf32"] is True


def test_what_is_no_number_stays_as_it_is():
    given = {"a": None, "b": "12 apples", "c": [1.5, False], "d": ""}
    read = with_numbers(given)
    assert read == given
    assert read["c"][1] is False


@pytest.mark.parametrize("spelled", [1.0, "1.0", "1e0", 1, "1"])
def test_whole_numbers_become_integers_so_that_file_names_do_not_depend_on_their_spelling(spelled):
    (seed,) = with_numbers({"seeds": [spelled]})["seeds"]
    assert f"seed{seed}" == "seed1"


def test_paths_and_hashes_of_digits_alone_stay_text():
    digits = {"datasets": {"ours": {"path": "12", "sha256": "1" * 64}}}
    assert with_numbers(digits) == digits


@pytest.mark.parametrize(
    ("spelled", "read"),
    [
        ("1e-3", 0.001),
        ("no", False),
        ("15_000", 15_000),
        ("1e4", 10_000),
        ("0", 0),
        ("true", True),
        ('"12 apples"', "12 apples"),
    ],
)
def test_a_number_or_truth_value_of_a_config_file_is_read_as_that(tmp_path, spelled, read):
    (tmp_path / "mine.yaml").write_text(f"key: {{of: {spelled}}}\n")
    found = read_config(tmp_path / "mine.yaml")["key"]["of"]
    assert found == read and type(found) is type(read)


def test_a_key_that_stands_twice_in_a_config_is_refused(tmp_path):
    (tmp_path / "mine.yaml").write_text("scale: smoke\nscale: paper\n")
    with refuses(f"{tmp_path}/mine.yaml: line 2: duplicate key 'scale'"):
        read_config(tmp_path / "mine.yaml")
