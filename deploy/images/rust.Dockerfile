# syntax=docker/dockerfile:1.7
# The Rust processes, one small image each:
#   docker build -f deploy/images/rust.Dockerfile --target gateway -t sahm/gateway:VERSION .
# Targets: gateway content quotes identity config activity attribution. Cargo.lock and package-lock.json
# pin dependencies; Renovate pins the base images by digest.
FROM docker.io/library/node:24.21.0-bookworm-slim AS frontend
WORKDIR /src
COPY deploy/setup.sh deploy/lib.sh deploy/
COPY deploy/node/package.json deploy/node/package-lock.json deploy/node/
COPY proto proto
COPY frontend frontend
RUN deploy/setup.sh frontend

FROM docker.io/library/rust:1.95-bookworm AS build
WORKDIR /src
# The programs in the images contain neither symbols nor debug information.
ENV CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_DEBUG=0
# The commit that --version, logs and metrics show: docker build --build-arg SAHM_BUILD_COMMIT=$(git rev-parse --short HEAD)
ARG SAHM_BUILD_COMMIT=
COPY Cargo.toml Cargo.lock ./
COPY proto proto
COPY gateway gateway
COPY services services
COPY deploy/site deploy/site
COPY deploy/bench deploy/bench
COPY frontend/routes.json frontend/routes.json
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked --bins --package sahm-gateway --package sahm-content \
      --package sahm-quotes --package sahm-identity --package sahm-config \
      --package sahm-activity --package sahm-attribution \
    && mkdir /programs \
    && for name in gateway content quotes identity config activity attribution; do \
         cp "target/release/sahm-$name" /programs/ \
         && [ "$(stat -c %s "/programs/sahm-$name")" -le 41943040 ] || exit 1; \
       done

# Contains the C library and certificates; no shell; user 65532.
FROM gcr.io/distroless/cc-debian12:nonroot AS process
ARG VERSION=
ARG SAHM_BUILD_COMMIT=
LABEL org.opencontainers.image.vendor="Sahm" \
      org.opencontainers.image.source="https://git.sahm.example/sahm" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$SAHM_BUILD_COMMIT"
WORKDIR /
USER 65532:65532

FROM process AS gateway
LABEL org.opencontainers.image.title="sahm-gateway"
COPY --from=frontend /src/frontend/dist/client /site/client
COPY --from=frontend /src/frontend/dist/site.json /site/site.json
ENV SAHM_SITE_DIR=/site
COPY --from=build /programs/sahm-gateway /usr/local/bin/sahm
ENTRYPOINT ["/usr/local/bin/sahm"]

FROM process AS content
LABEL org.opencontainers.image.title="sahm-content"
COPY --from=build /programs/sahm-content /usr/local/bin/sahm
ENTRYPOINT ["/usr/local/bin/sahm"]

FROM process AS quotes
LABEL org.opencontainers.image.title="sahm-quotes"
COPY --from=build /programs/sahm-quotes /usr/local/bin/sahm
ENTRYPOINT ["/usr/local/bin/sahm"]

FROM process AS identity
LABEL org.opencontainers.image.title="sahm-identity"
COPY --from=build /programs/sahm-identity /usr/local/bin/sahm
ENTRYPOINT ["/usr/local/bin/sahm"]

FROM process AS config
LABEL org.opencontainers.image.title="sahm-config"
COPY --from=build /programs/sahm-config /usr/local/bin/sahm
ENTRYPOINT ["/usr/local/bin/sahm"]

FROM process AS activity
LABEL org.opencontainers.image.title="sahm-activity"
COPY --from=build /programs/sahm-activity /usr/local/bin/sahm
ENTRYPOINT ["/usr/local/bin/sahm"]

FROM process AS attribution
LABEL org.opencontainers.image.title="sahm-attribution"
COPY --from=build /programs/sahm-attribution /usr/local/bin/sahm
ENTRYPOINT ["/usr/local/bin/sahm"]
