# syntax=docker/dockerfile:1.7
# The page renderer: Node and a bundle that contains its packages.
#   docker build -f deploy/images/renderer.Dockerfile -t sahm/renderer:VERSION .
FROM docker.io/library/node:24.21.0-bookworm-slim AS frontend
WORKDIR /src
COPY deploy/setup.sh deploy/lib.sh deploy/
COPY deploy/node/package.json deploy/node/package-lock.json deploy/node/
COPY proto proto
COPY frontend frontend
RUN deploy/setup.sh frontend

FROM gcr.io/distroless/nodejs24-debian12:nonroot
ARG VERSION=
ARG SAHM_BUILD_COMMIT=
LABEL org.opencontainers.image.title="sahm-renderer" \
      org.opencontainers.image.vendor="Sahm" \
      org.opencontainers.image.source="https://git.sahm.example/sahm" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$SAHM_BUILD_COMMIT"
WORKDIR /app
# The bundle consists of ES modules.
COPY deploy/images/renderer.package.json /app/package.json
COPY --from=frontend /src/frontend/dist/server/renderer.js /app/renderer.js
USER 65532:65532
ENV NODE_ENV=production
CMD ["/app/renderer.js"]
