# One rule per notebook of the ledger, since each has figures and tables of its own: all of them are named targets.
for notebook in NOTEBOOKS:
    source = source_of(notebook)

    rule:
        name:
            f"notebook_{notebook}"
        input:
            notebook=source,
            network=network_of(notebook),
            losses=losses_of(notebook),
            populations=populations_of(notebook).values(),
            kept=kept_of(notebook).values(),
            others=others_of(notebook).values(),
            external=external_of(notebook).values(),
            library=library_behind(source, "workflow/scripts/execute_notebook.py"),
            template="workflow/templates/notebook.html.j2",
            layout=LAYOUT,
        output:
            executed=f"results/notebooks/{notebook}.ipynb",
            page=f"figures/notebooks/{notebook}.html",
            values=f"results/values/{notebook}.json",
            figures=in_report(notebook, figures_of(notebook), "figure", ".svg"),
            tables=in_report(notebook, tables_of(notebook), "table", ".csv"),
        log:
            f"results/logs/notebooks/{notebook}.log",
        benchmark:
            f"results/benchmarks/notebooks/{notebook}.jsonl"
        conda:
            "../../envs/environment.yaml"
        threads: 1
        resources:
            runtime="10m",
            mem="2GB",
        params:
            published=published_of(notebook),
            populations=populations_of(notebook),
            kept=kept_of(notebook),
            others=others_of(notebook),
            external=external_of(notebook),
            portable_bits=config["portable_bits"],
            overrides=config["notebooks"].get(notebook, {}),
        message:
            f"Executing {source} on {NOTEBOOKS[notebook]['network']}"
        script:
            "../scripts/execute_notebook.py"

    workflow.get_rule(f"notebook_{notebook}").docstring = NOTEBOOKS[notebook]["title"]
