"""What the reader sees: figures, sentences, executed notebooks, pages, the explorer."""
