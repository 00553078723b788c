"""Results in words: sentences made from values, shown as Markdown in the executed notebook."""

from IPython.display import Markdown, display

from modadd.networks.store import Network


def say(*paragraphs: str) -> None:
    """Show paragraphs of Markdown below the cell."""
    display(Markdown("\n\n".join(paragraphs)))


def about(network: Network) -> str:
    """The network in a sentence: its accuracy, and how long it was trained."""
    return (
        f"Network: accuracy {network.results['accuracy']:.4f} over all {network.recipe.modulus}² inputs "
        f"after {network.recipe.steps:,} updates."
    )
