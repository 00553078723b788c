#!/usr/bin/env bash
# One would expect: a contract of import-linter covers every module of the root package that Python imports.
# What happens: a folder without __init__.py is passed over, with all below it, though Python imports from it. A contract that one of its
# modules breaks is KEPT, and the status is 0. Only the number of files analysed tells. With an empty __init__.py the same contract is BROKEN.
# Versions: import-linter 2.16, grimp 3.19, Python 3.11 to 3.13.
# Source: https://github.com/python-grimp/grimp/issues/298, open; https://github.com/seddonym/import-linter/issues/202, closed.
# Why it matters: a new folder in which the file was forgotten runs, and is outside all rules of the architecture from then on.
# What we do: a test asks for __init__.py in every folder of modules.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check import-linter==2.16 grimp==3.19 2> /dev/null
cd "$folder"
mkdir -p rooms/high rooms/low/deep
touch rooms/__init__.py rooms/high/__init__.py rooms/low/__init__.py
echo "import rooms.high" > rooms/low/deep/module.py
cat > .importlinter <<'END'
[importlinter]
root_package = rooms

[importlinter:contract:layers]
name = low does not import high
type = layers
containers = rooms
layers =
    high
    low
END
export PYTHONPATH=. NO_COLOR=1
lint() {
    local status=0
    "$folder/venv/bin/lint-imports" --no-cache > output || status=$?
    echo "$1: $(grep -E '^low does not import high (KEPT|BROKEN)' output), status $status, $(grep -o 'Analyzed [0-9]* files' output)"
}
"$folder/venv/bin/python" -c "import rooms.low.deep.module; print('Python imports the module, and with it', rooms.high.__name__)" | tee found
lint "without __init__.py" | tee -a found
touch rooms/low/deep/__init__.py
lint "with __init__.py" | tee -a found
cat > expected <<'END'
Python imports the module, and with it rooms.high
without __init__.py: low does not import high KEPT, status 0, Analyzed 3 files
with __init__.py: low does not import high BROKEN, status 1, Analyzed 5 files
END
diff expected found
echo "found: import-linter passes over modules in a folder without __init__.py"
