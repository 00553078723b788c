#!/usr/bin/env bash
# Pack the last commit without history, and without CITATION.cff and what is written from it, for anonymous review:
# results/review_bundle.zip. Refuse, and list the files, where another file names the author of a commit.
set -euo pipefail
cd "$(dirname "$0")/../.."
nameless=(. ':!CITATION.cff' ':!.zenodo.json' ':!codecheck.yml' ':!codemeta.json') # what a reviewer gets
if git log --format='%an%n%ae' | sort -u | git grep -ilFf - HEAD -- "${nameless[@]}"; then
  echo "review: these files name the author of a commit"
  exit 1
fi
mkdir -p results
git archive --prefix=modadd/ --output=results/review_bundle.zip HEAD "${nameless[@]}"
