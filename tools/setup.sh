#!/usr/bin/env bash
# Installs the programs that the tests need besides Go, Node and make: make setup. It does so on
# Debian and Ubuntu, as root or with sudo. Elsewhere it prints what is missing and how to install
# it, and the tests that need it are skipped; with CI=true it fails.
# `tools/setup.sh missing` prints the names of the missing programs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PATH=$PATH:/usr/sbin # of PgBouncer and nginx

# program | its packages in Debian | what is skipped without it
programs() {
  cat <<'EOT'
redis-server|redis-server|tests of Redis behind Sentinel and with TLS (the others use one in the process)
pgbouncer|pgbouncer|tests of connections through PgBouncer
nginx|nginx-light|the test of deploy/nginx.conf
systemd-analyze|systemd|the check of the systemd units
gcc|gcc libc6-dev|the race detector
chromium|chromium-headless-shell|end-to-end tests
EOT
}

is_installed() {
  case $1 in
    gcc) [[ $(go env CGO_ENABLED) == 1 ]] && command -v "$(go env CC | cut -d' ' -f1)" >/dev/null ;;
    chromium) (cd ui && node tools/browser.js >/dev/null 2>&1) ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing() {
  local program rest
  while IFS='|' read -r program rest; do
    is_installed "$program" || printf '%s|%s\n' "$program" "$rest"
  done < <(programs)
}

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo "$@"; fi
}

may_install() {
  command -v apt-get >/dev/null || return 1
  [[ $(id -u) == 0 ]] && return
  command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }
}

# Package lists may be missing or outdated, and mirrors fail occasionally.
apt() {
  local attempt
  for attempt in 1 2 3; do
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120 "$@" >/dev/null && return
    echo "apt-get $1 failed (attempt $attempt)" >&2
    sleep $((attempt * 5))
  done
  return 1
}

# Installs the packages without starting their services: the tests start their own servers. Ubuntu
# has Chromium only as a snap, so Playwright installs one there.
install() {
  local program packages rest wanted=() policy=/usr/sbin/policy-rc.d status=0
  apt update || return
  while IFS='|' read -r program packages rest; do
    if [[ $program == chromium && -z $(apt-cache madison "$packages") ]]; then
      (cd ui && npx --no -- playwright install --with-deps --no-shell chromium) || return
    else
      read -ra packages <<<"$packages"
      wanted+=("${packages[@]}")
    fi
  done <<<"$1"
  ((${#wanted[@]} > 0)) || return 0
  echo "setup: installing ${wanted[*]}"
  if [[ -e $policy ]]; then
    policy=
  else
    printf '#!/bin/sh\nexit 101\n' | as_root install -m 755 /dev/stdin $policy
  fi
  apt install -y --no-install-recommends "${wanted[@]}" || status=$?
  [[ -z $policy ]] || as_root rm -f "$policy"
  return $status
}

rows=$(missing)
if [[ ${1:-} == missing ]]; then
  cut -d'|' -f1 <<<"$rows"
  exit
fi
[[ -n $rows ]] || exit 0
if may_install; then
  install "$rows" || echo "setup: the installation failed" >&2
  rows=$(missing)
  [[ -n $rows ]] || exit 0
fi

echo "setup: these programs are missing, and the tests that need them are skipped:"
while IFS='|' read -r program packages skipped; do
  printf '  %-16s %s\n' "$program" "$skipped"
done <<<"$rows"
if command -v apt-get >/dev/null; then
  echo "Install them with: sudo make setup"
else
  echo "Install them with your package manager (Homebrew: brew install redis pgbouncer nginx), and a browser with:"
  echo "  cd ui && npx playwright install --with-deps --no-shell chromium"
fi
[[ ${CI:-} != true ]]
