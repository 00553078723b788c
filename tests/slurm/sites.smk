# Jobs of the names that profiles/slurm knows, which say what Slurm gave them; nothing is trained.


rule all:
    input:
        expand("networks/{seed}", seed=range(2)),
        expand("rows/{shard}", shard=range(4)),


rule train_network:
    """Waits long enough for another to start beside it."""
    output:
        "networks/{seed}",
    resources:
        gpu=1,
        runtime=3,
    shell:
        "sleep 8; echo $SLURM_JOB_ID ${{CUDA_VISIBLE_DEVICES:-}} > {output}"


rule train_shard:
    output:
        "shards/{shard}",
    resources:
        gpu=1,
        runtime=60,
    shell:
        "echo $SLURM_JOB_ID ${{CUDA_VISIBLE_DEVICES:-}} > {output}"


rule measure_shard:
    input:
        "shards/{shard}",
    output:
        "rows/{shard}",
    resources:
        runtime=30,
    shell:
        "echo $SLURM_JOB_ID ${{CUDA_VISIBLE_DEVICES:-}} > {output}"
