# Jobs of the names that profiles/slurm knows, which say what Slurm gave them; nothing is trained.


rule all:
    input:
        expand("networks/{seed}", seed=range(2)),
        expand("rows/{shard}", shard=range(4)),


rule train_network:
    """Waits until the other runs beside it, so that each needs a GPU of its own."""
    output:
        "networks/{seed}",
    resources:
        gpu=1,
        runtime=3,
    shell:
        "touch {output}.runs; for second in {{1..120}}; do "
        "[ $(ls networks/*.runs | wc -l) = 2 ] && break; sleep 1; done; "
        "echo $SLURM_JOB_ID ${{CUDA_VISIBLE_DEVICES:-}} > {output}"


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
