"""Networks written down by hand, Gromov's closed form, the search for the smallest, and a trained network beside them."""
