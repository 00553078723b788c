import pytest
from support import refuses

from paper.schemas import require_valid


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_not_finite_are_refused(tmp_path, value):
    (tmp_path / "any.yaml").write_text("{}")
    with refuses("here: a.0: expected a finite number", str(value)):
        require_valid({"a": [value]}, tmp_path / "any.yaml", "here")


@pytest.mark.parametrize(
    ("schema", "data", "sentence"),
    [
        ("{type: array}", "x", "here: top level: expected array, got 'x'"),
        ("{type: object}", [1], "here: top level: expected object, got [1]"),
        ("{type: [number, array]}", "x", "here: top level: expected number or array, got 'x'"),
        ("{uniqueItems: true}", [3, 3], "here: top level: [3, 3] has non-unique elements"),
        ("{pattern: ^a$, description: the letter a.}", "b", "here: top level: expected the letter a, got 'b'"),
        ("{type: string}", 11, "here: top level: expected string, got 11"),
        ("{contains: {const: a}, description: an a.}", ["b"], "here: top level: expected an a, got ['b']"),
        ("{pattern: ^a$}", "b", "here: top level: expected pattern ^a$, got 'b'"),
        ("{required: [b]}", {}, "here: top level: 'b' is a required property; expected the keys b"),
        ("{enum: [laptop, paper]}", "papr", "unknown value 'papr'; did you mean 'paper'?"),
        ("{maximum: 3}", 4, "here: top level: expected a number of at most 3, got 4"),
        ("{properties: {}, additionalProperties: false}", {1: 2, "b": 3}, "here: top level: unknown key '1'"),
    ],
)
def test_schema_errors_are_sentences(tmp_path, schema, data, sentence):
    (tmp_path / "any.yaml").write_text(schema)
    with refuses(sentence):
        require_valid(data, tmp_path / "any.yaml", "here")


def test_habits_of_other_projects_are_told_which_key_has_what_they_mean(tmp_path):
    schema = tmp_path / "schema.yaml"
    schema.write_text("{type: object, additionalProperties: false, properties: {train_pairs: {}}}")
    with refuses("unknown key 'train_fraction'; did you mean 'train_pairs'?", "0.3 of them mod 113 are 3831"):
        require_valid({"train_fraction": 0.3}, schema, "config")
    with refuses("unknown key 'modulus'", "a modulus belongs to a dataset"):
        require_valid({"modulus": 61}, schema, "config")
