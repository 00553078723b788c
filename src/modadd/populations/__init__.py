"""Many networks: a row of measures for each, tables of rows and their witnesses, the network shown, statistics of
frequencies, stages of training, what initial weights tell, what the numbers of a recipe decide, and how frequencies
compete in a neuron."""
