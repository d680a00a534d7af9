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
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
COPY --from=ui /src/ui/dist/ ui/dist/
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=unknown
# Static binaries: all they need from the final image is certificates and time zones.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X amanat/internal/platform/opsserver.version=$VERSION" -o /out/ ./cmd/api ./cmd/worker ./cmd/amanat

FROM debian:stable-slim AS base
# The health check requests /readyz with curl.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin amanat
USER 10001

FROM base AS api
COPY --from=build /out/api /usr/local/bin/api
# The defaults bind to the loopback address, which cannot be reached from outside the container.
ENV ADDR=0.0.0.0:8080 OPS_ADDR=0.0.0.0:9090
EXPOSE 8080 9090
ENTRYPOINT ["/usr/local/bin/api"]

FROM base AS worker
COPY --from=build /out/worker /usr/local/bin/worker
ENV OPS_ADDR=0.0.0.0:9091
EXPOSE 9091
ENTRYPOINT ["/usr/local/bin/worker"]

FROM base AS amanat
COPY --from=build /out/amanat /usr/local/bin/amanat
ENTRYPOINT ["/usr/local/bin/amanat"]
