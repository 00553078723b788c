from modadd.core.files import write_whole
from paper.checkpoints import remove_accepted


def written(folder, *names):
    """Files below a folder, and the folder."""
    for name in names:
        write_whole(folder / name, b"")
    return folder


def test_checkpoints_of_what_is_trained_go_and_those_of_an_interrupted_training_stay(tmp_path):
    jobs = ("study/seed0", "study/seed1", "many/shard0", "few/shard0")
    results = written(tmp_path, *(f"checkpoints/{job}/seed0.safetensors" for job in jobs))
    written(results, "networks/study/seed0.safetensors", "populations/few/shard0.safetensors")
    (results / "checkpoints/measured").mkdir()  # its checkpoints are gone already
    remove_accepted(results)
    left = sorted(str(path.relative_to(results)) for path in (results / "checkpoints").glob("**/*"))
    kept = ("many", "many/shard0", "many/shard0/seed0.safetensors", "study", "study/seed1")
    assert left == [f"checkpoints/{name}" for name in (*kept, "study/seed1/seed0.safetensors")]


def test_where_everything_is_trained_nothing_stays(tmp_path):
    remove_accepted(
        written(tmp_path, "checkpoints/many/shard0/seed0.safetensors", "populations/many/shard0.safetensors")
    )
    assert [path.name for path in tmp_path.iterdir()] == ["populations"]
    remove_accepted(tmp_path)
