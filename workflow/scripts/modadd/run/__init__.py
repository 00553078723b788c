"""Where it runs: this machine, Snakemake and Coq on it, and what makes a job run again."""
