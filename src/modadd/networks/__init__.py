"""Networks as data: published recipes, architectures and their separable form, exact initial draws and splits, files on
disk, snapshots of a run, published weights, measures by their names."""
