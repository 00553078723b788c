# The project with its environment in one image.
#   docker build --tag modadd .
#   docker run --name smoke modadd make smoke
#   docker cp smoke:/modadd/results/smoke/figures smoke-figures
FROM debian:12-slim
ENV LANG=C.UTF-8
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends coq git make python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /modadd
COPY . .
RUN make .venv/ready
CMD ["make"]
