"""Study C: simple neurons, clusters, cosets, fine-tuning neurons, what a cluster adds, and the approximate Chinese
remainder theorem."""
