"""What is built: a config, read strictly, its networks, and every path that follows from it and the ledger."""
