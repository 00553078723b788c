# A rule for each question of the ledger, since each has figures and tables of its own: all of them are named targets.
def in_report(question, files, kind, suffix):
    """The same files; those of one format join `snakemake --report`, with study and question."""
    place = {"category": f"Study {question.study}", "subcategory": question.title}
    for file in files:
        name = os.path.splitext(os.path.basename(file))[0]
        yield report(file, labels={kind: name.replace("_", " ")}, **place) if file.endswith(suffix) else file


def claimed_by(question):
    """A function that gives the values that claims are about.

    Of a param that also takes the output Snakemake keeps no record: a claim on a number that is recorded already executes nothing.
    """
    return lambda wildcards, output: question.claimed


for question in PAPER.questions.values():

    rule:
        name:
            f"notebook_{question.name}"
        input:
            notebook=question.notebook,
            inputs=question.reads,
        output:
            executed=f"results/notebooks/{question.name}.ipynb",
            values=f"results/values/{question.name}.json",
            sha256=f"results/values/{question.name}.sha256",
            figures=in_report(question, question.figures, "figure", ".svg"),
            tables=in_report(question, question.tables, "table", ".csv"),
        log:
            f"results/logs/notebooks/{question.name}.log",
        benchmark:
            f"results/benchmarks/notebooks/{question.name}.jsonl"
        conda:
            "../../envs/environment.yaml"
        params:
            code=code_of("workflow/scripts/execute_notebook.py", os.path.abspath(question.notebook)),
            given=question.given,
            claimed=claimed_by(question),
            recipes=question.recipes,
        message:
            f"Executing {question.notebook} on {question.shown}"
        script:
            "../scripts/execute_notebook.py"
