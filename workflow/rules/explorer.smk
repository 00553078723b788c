localrules:
    build_explorer,


rule build_explorer:
    """Put every network on one page that computes what it shows, figures/explorer.html."""
    input:
        networks=networks_to_explore(),
        external=[f"results/external/{name}.safetensors" for name in sorted(config["external_networks"])],
        ledger=LEDGER_FILE,
        template="workflow/templates/explorer.html.j2",
        code=expand("workflow/templates/explorer{part}.js", part=["", "_network", "_pictures"]),
        layout=LAYOUT,
        library=library_behind("workflow/scripts/build_explorer.py"),
    output:
        page="figures/explorer.html",
    log:
        "results/logs/build_explorer.log",
    benchmark:
        "results/benchmarks/build_explorer.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="2GB",
    message:
        "Building figures/explorer.html"
    script:
        "../scripts/build_explorer.py"
