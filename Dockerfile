# Images of the deployed processes:
#   docker build --target api|worker|amanat --build-arg VERSION=... .
# Both builders run on the build platform; Go cross-compiles for the target platform.

FROM --platform=$BUILDPLATFORM node:22-slim AS ui
WORKDIR /src/ui
COPY ui/package.json ui/package-lock.json ui/.npmrc ./
RUN --mount=type=cache,target=/root/.npm npm install --no-save --no-audit --no-fund
COPY ui/ ./
RUN npm run build

FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY . .
COPY --from=ui /src/ui/dist/ ui/dist/
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=unknown
# Downloads only the modules that are linked. Static binaries: all they need from the final image is
# certificates and time zones.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X amanat/internal/app/opsserver.version=$VERSION" -o /out/ ./cmd/api ./cmd/worker ./cmd/amanat

# Certificates and time zones, and neither a shell nor a package manager; the user has no name. Pin
# the digest that your registry shows for the tag: a tag can be moved.
FROM gcr.io/distroless/static-debian13:nonroot AS base
ARG VERSION=unknown
LABEL org.opencontainers.image.title="Amanat" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.base.name="gcr.io/distroless/static-debian13:nonroot"
USER 65532:65532

FROM base AS api
COPY --from=build /out/api /usr/local/bin/api
# The defaults bind to the loopback address, which cannot be reached from outside the container.
ENV ADDR=0.0.0.0:8080 OPS_ADDR=0.0.0.0:9090
EXPOSE 8080 9090
LABEL org.opencontainers.image.description="Serves the site; api -probe is its health check"
ENTRYPOINT ["/usr/local/bin/api"]

FROM base AS worker
COPY --from=build /out/worker /usr/local/bin/worker
ENV OPS_ADDR=0.0.0.0:9091
EXPOSE 9091
LABEL org.opencontainers.image.description="Runs background jobs; worker -probe is its health check"
ENTRYPOINT ["/usr/local/bin/worker"]

# Backups need the pg_dump and pg_restore of the server in compose.yaml, which are in its image.
FROM postgres:18 AS amanat
ARG VERSION=unknown
COPY --from=base /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/amanat /usr/local/bin/amanat
USER 65532:65532
LABEL org.opencontainers.image.title="Amanat" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.base.name="postgres:18" \
      org.opencontainers.image.description="The operator's tool, with the programs that backups need"
ENTRYPOINT ["/usr/local/bin/amanat"]
