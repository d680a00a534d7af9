#!/usr/bin/env bash
# Builds what a release consists of in bin/release, and uploads nothing: make release
# VERSION=v1.2.3. .github/workflows/release.yml does the rest for a tag.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$1
out=bin/release
programs=(api worker amanat)

fail() {
  echo "release: $*" >&2
  exit 1
}

[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "VERSION=$version is not like v1.2.3"
rm -rf "$out"
mkdir -p "$out"

awk -v heading="## [${version#v}]" '/^## \[/ {inside = index($0, heading) == 1; next} inside' CHANGELOG.md >"$out/notes.md"
grep -q '[^[:space:]]' "$out/notes.md" || fail "CHANGELOG.md has no section [${version#v}]"

# The files of an archive have the commit's time, and neither owner nor order of this machine.
epoch=$(git log -1 --format=%ct)
for arch in amd64 arm64; do
  name=amanat-$version-linux-$arch
  mkdir -p "$out/$name/bin" "$out/$name/docs"
  CGO_ENABLED=0 GOOS=linux GOARCH=$arch go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X amanat/internal/app/opsserver.version=$version" -o "$out/$name/bin/" "${programs[@]/#/./cmd/}"
  cp -r deploy CHANGELOG.md "$out/$name/"
  cp docs/third-party-licences.md "$out/$name/docs/"
  tar --create --gzip --directory "$out" --file "$out/$name.tar.gz" \
    --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w,a+rX --mtime="@$epoch" "$name"
done

# Bills of materials, in the format of CycloneDX: of the modules linked into each program, and of
# the packages that the pages are built of. Without their own times and serial numbers they are the
# same each time, as the archives are.
name=amanat-$version-linux-$(go env GOHOSTARCH)
for program in "${programs[@]}"; do
  printed=$("$out/$name/bin/$program" --version)
  [[ $printed == "$version" ]] || fail "$program says that it is $printed"
  bin/cyclonedx-gomod bin -json -noserial -notimestamp -version "$version" -output "$out/amanat-$version-$program.cdx.json" \
    "$out/$name/bin/$program" 2>/dev/null
done
(cd ui && npm sbom --omit dev --package-lock-only --sbom-format cyclonedx --sbom-type application) |
  sed '/^  "serialNumber": /d; /^    "timestamp": /d' >"$out/amanat-$version-ui.cdx.json"

rm -r "$out"/amanat-*-linux-amd64 "$out"/amanat-*-linux-arm64
(cd "$out" && sha256sum amanat-* >SHA256SUMS)
ls -l "$out"
