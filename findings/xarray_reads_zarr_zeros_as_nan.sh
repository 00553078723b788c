#!/usr/bin/env bash
# One would expect: xarray reads from a Zarr store the numbers that zarr wrote.
# What happens: from format 2 every 0 and every False comes as NaN, without a warning, and means leave it out: a mean of 0, 0, 3, 1 is 2,
# and an accuracy of a half is 1. zarr notes for every array what an unwritten part would read as, which is 0 unless said otherwise;
# xarray takes that for the mark of a missing value. From format 3, zarr's default now, the same arrays come right, and so does what xarray
# wrote itself, which notes nothing.
# Versions: xarray 2026.9.0, zarr 3.1.6, numpy 2.4.6, Python 3.11 and 3.13.
# Source: open_zarr's use_zarr_fill_value_as_mask, which is True for format 2 and False for format 3 unless given;
# https://github.com/pydata/xarray/issues/5475, closed, and 4930.
# Why it matters: zarr wrote format 2 until 2025. What is exactly 0 is lost: wrong answers, dead neurons, counts of nothing.
# What we do: no result is stored as Zarr. Whoever reads such a store with xarray: mask_and_scale=False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check xarray==2026.9.0 zarr==3.1.6 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > zeros.py <<'PY'
import numpy as np
import xarray as xr
import zarr

for form in (2, 3):
    group = zarr.open_group(f"store{form}", mode="w", zarr_format=form)
    for name, values in (("counts", [0, 0, 3, 1]), ("losses", [0.0, 0.0, 3.0, 1.0]), ("right", [False, False, True, True])):
        named = {"dimension_names": ["network"]} if form == 3 else {"attributes": {"_ARRAY_DIMENSIONS": ["network"]}}
        group.create_array(name, data=np.array(values), **named)
    read = xr.open_zarr(f"store{form}", consolidated=False)
    plain = xr.open_zarr(f"store{form}", consolidated=False, mask_and_scale=False)
    for name in ("counts", "losses", "right"):
        print(f"format {form}, {name}: zarr {group[name][:].tolist()}, xarray {read[name].values.tolist()};", end=" ")
        print(f"means {group[name][:].mean()} and {float(read[name].mean())}, unmasked {float(plain[name].mean())}")
PY
"$folder/venv/bin/python" -W error::UserWarning zeros.py | tee found
cat > expected <<'END'
format 2, counts: zarr [0, 0, 3, 1], xarray [nan, nan, 3.0, 1.0]; means 1.0 and 2.0, unmasked 1.0
format 2, losses: zarr [0.0, 0.0, 3.0, 1.0], xarray [nan, nan, 3.0, 1.0]; means 1.0 and 2.0, unmasked 1.0
format 2, right: zarr [False, False, True, True], xarray [nan, nan, True, True]; means 0.5 and 1.0, unmasked 0.5
format 3, counts: zarr [0, 0, 3, 1], xarray [0, 0, 3, 1]; means 1.0 and 1.0, unmasked 1.0
format 3, losses: zarr [0.0, 0.0, 3.0, 1.0], xarray [0.0, 0.0, 3.0, 1.0]; means 1.0 and 1.0, unmasked 1.0
format 3, right: zarr [False, False, True, True], xarray [False, False, True, True]; means 0.5 and 0.5, unmasked 0.5
END
diff expected found
echo "found: xarray reads the zeros of a Zarr store of format 2 as NaN"
