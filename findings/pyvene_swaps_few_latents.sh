#!/usr/bin/env bash
# One would expect: an interchange in an autoencoder's latents, with none of them named, swaps all: the model goes on with what the
# autoencoder makes of the source. And noise that is asked for with noise_level=0 is none.
# What happens: of 8 latents of a layer of width 4, pyvene's AutoencoderIntervention swaps one, number 4; its
# JumpReLUAutoencoderIntervention swaps the first 4. The number of latents to swap is the width of the layer unless set_interchange_dim is
# called, and the first of the two takes it for a latent's index, so that it swaps one whatever is set. NoiseIntervention adds the same
# noise for any noise_level: the argument that it reads is spelled noise_leve. No error is raised, and no warning.
# Versions: pyvene 0.1.8, torch 2.13.0, transformers 4.57.6, numpy 2.4.6, Python 3.11.
# Source: the three classes in pyvene/models/interventions.py, and IntervenableModel, which hands them the layer's width. No issue says it
# that we found.
# Why it matters: a sparse autoencoder has many times more latents than its layer is wide; that most of them do nothing when they are
# swapped is then a result about pyvene.
# What we do: our interventions are our own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="torch==2.13.0 transformers==4.57.6 numpy==2.4.6 matplotlib==3.11.2 networkx==3.6.1"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
# Of what pyvene asks for, only what it imports is installed.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps pyvene==0.1.8 2> /dev/null
cd "$folder"
cat > latents.py <<'PY'
import torch
import pyvene as pv
from pyvene.models.mlp.modelings_mlp import MLPConfig, MLPForClassification

WIDTH, LATENTS = 4, 8
model = MLPForClassification(MLPConfig(h_dim=WIDTH, num_classes=WIDTH, n_layer=1, activation_function="relu"))
with torch.no_grad():  # it hands out what goes in
    for layer in (model.mlp.h[0].ff1, model.score):
        layer.weight.copy_(torch.eye(WIDTH))
        layer.bias.zero_()
model.eval()
twice = torch.cat([torch.eye(WIDTH), torch.eye(WIDTH)])  # the latents are the entries, each twice; its half of the two is the entry


def swap(kind, number=None):
    """Zeros with all latents of (1, 2, 3, 4): what the model hands out."""
    site = pv.RepresentationConfig(0, "block_output", "pos", 1, low_rank_dimension=LATENTS, latent_dim=LATENTS)
    patched = pv.IntervenableModel(pv.IntervenableConfig([site], kind), model)
    (swapped,) = patched.interventions.values()
    with torch.no_grad():
        if kind is pv.AutoencoderIntervention:
            (encoder, _), (decoder,) = swapped.autoencoder.encoder, swapped.autoencoder.decoder
            for layer, weights in ((encoder, twice), (decoder, twice.T / 2)):
                layer.weight.copy_(weights)
                layer.bias.zero_()
        else:
            swapped.W_enc.copy_(twice.T)
            swapped.W_dec.copy_(twice / 2)
        if number is not None:
            swapped.set_interchange_dim(number)
        base, source = ({"inputs_embeds": x.view(1, 1, WIDTH)} for x in (torch.zeros(WIDTH), torch.arange(1.0, 5)))
        assert patched(source, [source], {"sources->base": ([[[0]]], [[[0]]])})[1][0].tolist() == [[1, 2, 3, 4]]
        return patched(base, [source], {"sources->base": ([[[0]]], [[[0]]])})[1][0].tolist()[0]


for kind in (pv.AutoencoderIntervention, pv.JumpReLUAutoencoderIntervention):
    print(f"{kind.__name__}: {swap(kind)}; right [1.0, 2.0, 3.0, 4.0]; with 7 set, {swap(kind, 7)}")
for level in (0.0, 1.0):
    noise = pv.NoiseIntervention(embed_dim=WIDTH, noise_level=level)
    noise.set_interchange_dim(WIDTH)
    print(f"noise of level {level}: {noise(torch.zeros(1, 4, WIDTH)).square().mean().sqrt():.4f}")
PY
"$folder/venv/bin/python" latents.py 2> /dev/null | grep -v nnsight | tee found
cat > expected <<'END'
AutoencoderIntervention: [0.5, 0.0, 0.0, 0.0]; right [1.0, 2.0, 3.0, 4.0]; with 7 set, [0.0, 0.0, 0.0, 2.0]
JumpReLUAutoencoderIntervention: [0.5, 1.0, 1.5, 2.0]; right [1.0, 2.0, 3.0, 4.0]; with 7 set, [1.0, 2.0, 3.0, 2.0]
noise of level 0.0: 0.1628
noise of level 1.0: 0.1628
END
diff expected found
echo "found: pyvene swaps one latent of an autoencoder, or as many as the layer is wide"
