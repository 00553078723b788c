from support import copy_tree, tool


def test_without_a_build_one_line_says_what_to_do(tmp_path):
    said = tool(copy_tree(tmp_path), "processors", check=False)
    assert said == "processors: results/provenance.json does not exist; build everything first (`make`)\n"
