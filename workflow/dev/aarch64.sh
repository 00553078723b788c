#!/usr/bin/env bash
# An emulated aarch64 with Python, NumPy and numba, on Debian as root: `bash workflow/dev/aarch64.sh FOLDER`.
# tests/builds/test_aarch64.py trains in it if AARCH64 names the folder. Needs apt-get and pip.
set -euo pipefail
folder=$(realpath -m "${1:?usage: bash workflow/dev/aarch64.sh FOLDER}")
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder/debs" "$folder/wheels"
dpkg --add-architecture arm64
apt-get -qq update
apt-get -qq install -y qemu-user-static
debian=$(apt-cache depends python3-minimal | sed -n 's/.*Depends: python\(3\.[0-9]*\)-minimal/\1/p')
cd "$folder/debs"
apt-get -qq download {python"$debian"-minimal,libpython"$debian"-minimal,libpython"$debian"-stdlib}:arm64 \
    {libc6,libstdc++6,libgcc-s1,zlib1g,libexpat1,libbz2-1.0,liblzma5,libffi8,libssl3,libuuid1}:arm64
for package in *.deb; do dpkg-deb -x "$package" "$folder/root"; done
names='numpy|numba|llvmlite|jaxtyping|wadler_lindig'
platforms=(--platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64)
grep -E "^($names)==" "$root/requirements.txt" > "$folder/requirements.txt"
python3 -m pip download -q --no-deps --only-binary=:all: --python-version "$debian" "${platforms[@]}" \
    -d "$folder/wheels" -r "$folder/requirements.txt"
for wheel in "$folder"/wheels/*.whl; do python3 -m zipfile -e "$wheel" "$folder/site"; done
ln -sf "root/usr/bin/python$debian" "$folder/python"
echo "AARCH64=$folder"
