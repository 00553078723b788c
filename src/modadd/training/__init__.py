"""Training: the compiled step and its formulas, stacks of networks for GPUs, the record of a run, the resumable loop; and
small networks in which frequencies compete."""
