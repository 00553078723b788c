# HERE, the folder of the workflow. Its rules read notebooks, ledger and library beside them. So where they come from a git
# address, as a module of another workflow, their commit is checked out in the folder that is built in.
import os
import tempfile
from pathlib import Path

from git import Repo
from snakemake.exceptions import WorkflowError
from snakemake.sourcecache import HostingProviderFile, LocalGitFile


def checked_out(source):
    """The place of a source in git, in a checkout of its commit, which is made once."""
    repository = Repo(source.repo_path) if isinstance(source, LocalGitFile) else source.hosted_repo.repo
    commit = repository.commit(source.ref).hexsha
    checkout = Path(".snakemake/projects", commit).absolute()
    if not checkout.exists():
        checkout.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=checkout.parent))
        repository.clone(partial).git.checkout(commit)
        partial.rename(checkout)
    return str(checkout / source.path)


def folder_of(source):
    """Where the files of a source lie on this machine."""
    if isinstance(source, (LocalGitFile, HostingProviderFile)):
        return checked_out(source)
    folder = source.get_path_or_uri(secret_free=True)
    if not os.path.isdir(folder):
        raise WorkflowError(
            f"{folder}: these rules read notebooks, ledger and library beside them, so a single file of them is not "
            "enough: name a clone by its path, or its repository, as in github(..., path='workflow/Snakefile', tag=...)"
        )
    return os.path.abspath(folder)


HERE = os.path.dirname(folder_of(workflow.current_basedir))
