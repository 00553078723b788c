#!/usr/bin/env bash
# One would expect: NumPy's functions treat NaN in an array of bfloat16 as in one of float16: sort puts it last, median is NaN, unique names
# every number once, nanmean leaves it out, nan_to_num puts 0 for it.
# What happens: with one NaN in it, sort leaves an array of bfloat16 unsorted, without a warning. The median of seven losses, one of them
# NaN, is 1, 2 or 4, by their order. Among labels from 0 to 9, some of them NaN, unique finds 29. nanmean is NaN, and nan_to_num changes
# nothing. nanmedian is right. float8 does the same, and so does an array that jax hands over: it is of the same type.
# Versions: ml_dtypes 0.6.0, numpy 2.4.6, Python 3.11.
# Source: NPyCustomFloat_CompareFunc in ml_dtypes/_src/custom_float.h calls two numbers equal if one of them is NaN; NumPy looks for NaN in
# its own kinds of floats alone. https://github.com/jax-ml/ml_dtypes/issues/346 says so of nan_to_num.
# Why it matters: losses and activations of a network that is trained in bfloat16, with one of them NaN, have a median that looks right.
# What we do: nothing here is bfloat16. Whoever has such arrays: astype(np.float32) before anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check ml_dtypes==0.6.0 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > losses.py <<'PY'
import ml_dtypes
import numpy as np

NAN = float("nan")
ORDERS = ([5, NAN, 1, 2, 0, 3, 4], [0, 2, 4, 3, NAN, 1, 5], [1, 0, NAN, 5, 2, 3, 4])
labels = np.random.default_rng(0).integers(0, 10, 1000).astype(np.float32)
labels[::100] = NAN
for kind in (np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn):
    losses = [np.array(order, kind) for order in ORDERS]
    print(np.dtype(kind).name)
    print(" sorted:", np.sort(losses[0]).astype(float).tolist(), "medians:", *(float(np.median(each)) for each in losses))
    print(" labels:", len(np.unique(labels.astype(kind))), "nanmedian:", float(np.nanmedian(losses[0])), end=" ")
    print("nanmean:", float(np.nanmean(losses[0])), "filled:", np.nan_to_num(losses[0]).astype(float).tolist())
PY
"$folder/venv/bin/python" -W error::UserWarning losses.py | tee found
cat > expected <<'END'
float16
 sorted: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, nan] medians: nan nan nan
 labels: 11 nanmedian: 2.5 nanmean: 2.5 filled: [5.0, 0.0, 1.0, 2.0, 0.0, 3.0, 4.0]
bfloat16
 sorted: [5.0, nan, 0.0, 1.0, 2.0, 3.0, 4.0] medians: 1.0 4.0 2.0
 labels: 29 nanmedian: 2.5 nanmean: nan filled: [5.0, nan, 1.0, 2.0, 0.0, 3.0, 4.0]
float8_e4m3fn
 sorted: [5.0, nan, 0.0, 1.0, 2.0, 3.0, 4.0] medians: 1.0 4.0 2.0
 labels: 29 nanmedian: 2.5 nanmean: nan filled: [5.0, nan, 1.0, 2.0, 0.0, 3.0, 4.0]
END
diff expected found
echo "found: NumPy leaves bfloat16 with NaN unsorted"
