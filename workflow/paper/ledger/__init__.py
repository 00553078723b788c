"""The ledger: its entries, what notebooks record, verdicts, and the expected numbers."""
