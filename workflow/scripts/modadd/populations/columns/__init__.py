"""What is measured of a network: a module for each kind, so that a job depends on its own."""
