# What a notebook of the ledger reads and makes.


def network_file(name):
    """The file of a network that the ledger names: study/seedN, or population/exhibit."""
    place, which = name.split("/")
    return f"results/exhibits/{place}.safetensors" if which == "exhibit" else f"results/networks/{name}.safetensors"


def source_of(notebook):
    """The file in notebooks/ that is executed for an entry of the ledger."""
    return f"notebooks/{NOTEBOOKS[notebook]['source']}.py"


def network_of(notebook):
    """The network file that a notebook of the ledger reads."""
    return network_file(NOTEBOOKS[notebook]["network"])


def others_of(notebook):
    """Files of the further networks that it reads, by name."""
    return {name: network_file(name) for name in NOTEBOOKS[notebook].get("others", [])}


def networks_to_explore():
    """Files of every network of the config, and of the exhibits that notebooks of the ledger read."""
    named = {name for entry in NOTEBOOKS.values() for name in (entry["network"], *entry.get("others", []))}
    exhibits = [network_file(name) for name in sorted(named) if name.endswith("exhibit")]
    return [file for file in networks_of_config() if file.endswith(".safetensors")] + exhibits


def losses_of(notebook):
    """The losses of its network's training; none of an exhibit's."""
    network = NOTEBOOKS[notebook]["network"]
    return [] if network.endswith("exhibit") else f"results/networks/{network}.loss.csv"


def external_of(notebook):
    """Files of the published weights of the config, by name, for a notebook that can show them."""
    takes_them = "external" in notebook_parameters(source_of(notebook))
    return {name: f"results/external/{name}.safetensors" for name in config["external_networks"] if takes_them}


def outputs_of(notebook):
    """Everything that a notebook of the ledger makes for the reader."""
    return [f"figures/notebooks/{notebook}.html", *figures_of(notebook), *tables_of(notebook)]


def figures_of(notebook, suffixes=("svg", "pdf", "png", "csv")):
    """Figure files of a notebook."""
    return [f"figures/{notebook}/{name}.{s}" for name in NOTEBOOKS[notebook].get("figures", {}) for s in suffixes]


def tables_of(notebook, suffixes=("csv", "md", "tex")):
    """Table files of a notebook."""
    return [f"figures/{notebook}/{name}.{s}" for name in NOTEBOOKS[notebook].get("tables", {}) for s in suffixes]


def recipe_behind(notebook):
    """The recipe of the network that a notebook reads; a population's first, for its exhibit."""
    place, which = NOTEBOOKS[notebook]["network"].split("/")
    if which == "exhibit":
        return POPULATIONS[place][0].recipe
    return recipe_of(f"studies.{place}", config["studies"][place])


def published_of(notebook):
    """Published value of each claim of a notebook, by the name of the value it is compared with (the first claim's).

    A notebook that reads populations compares them with what is printed of its network anywhere.
    None for a network that is not trained by the published recipe, or not for long enough.
    """
    recipe = recipe_behind(notebook)
    differing = set(deviations(recipe.as_dict()))
    if differing - {"steps"}:
        return {}
    network = NOTEBOOKS[notebook]["network"]
    beside = [name for name in NOTEBOOKS if NOTEBOOKS[name]["network"] == network]
    sources = beside if "populations" in NOTEBOOKS[notebook] else [notebook]
    claims = [claim for claim in reversed(LEDGER["claims"]) if claim["notebook"] in sources and "published" in claim]
    return {
        claim["value"]: claim["published"]
        for claim in claims
        if not differing or recipe.steps >= claim.get("from_steps", float("inf"))
    }


def populations_of(notebook):
    """Tables of the populations that a notebook reads, by name."""
    return {name: f"results/populations/{name}.parquet" for name in NOTEBOOKS[notebook].get("populations", [])}


def kept_of(notebook):
    """Committed tables of those populations, by name, for those that have one."""
    return {name: path for name in NOTEBOOKS[notebook].get("populations", []) for path in kept_table(name)}


def kept_table(population):
    """The committed table of a population, if there is one."""
    path = f"data/populations/{population}.parquet"
    return [path] if os.path.exists(path) else []


def roundings():
    """Tables of retrainings from initial weights changed in their last bit, trained here and kept, by notebook."""
    return {
        notebook: [f"results/populations/{entry['rounding']}.parquet", *kept_table(entry["rounding"])]
        for notebook, entry in NOTEBOOKS.items()
        if "rounding" in entry
    }


def study_of(notebook):
    """The mark of the study that a notebook belongs to: that of its network's published recipe."""
    return recipe_behind(notebook).source.strip("[").partition("]")[0]


def in_report(notebook, files, kind, suffix):
    """The same files; those of one format join `snakemake --report`."""
    return [report_entry(notebook, file, kind) if file.endswith(suffix) else file for file in files]


def report_entry(notebook, file, kind):
    """A figure or table marked for the report, with its caption, study and question."""
    name = os.path.splitext(os.path.basename(file))[0]
    return report(
        file,
        caption=f"../../{caption_file(notebook, name)}",
        category=f"Study {study_of(notebook)}",
        subcategory=NOTEBOOKS[notebook]["title"],
        labels={kind: name.replace("_", " ")},
    )


def caption_file(notebook, name):
    """Where the report finds the caption of a figure or table."""
    return f"results/captions/{notebook}/{name}.rst"


def caption_files():
    """One for every figure and table of the ledger."""
    return [
        caption_file(notebook, name)
        for notebook, entry in NOTEBOOKS.items()
        for kind in ("figures", "tables")
        for name in entry.get(kind, {})
    ]
