"""The ledger as it is read: questions, claims, sources, each checked."""
