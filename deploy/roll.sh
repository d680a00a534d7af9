#!/usr/bin/env bash
# Brings a running compose.yaml to the version of this folder without an outage:
#   deploy/roll.sh
# It builds, migrates, and then replaces the workers and the apis one container at a time: a new one
# is started and must be healthy before an old one is stopped. If a new one does not become healthy,
# the script ends and the old ones go on serving.
#   deploy/roll.sh api worker
# replaces the containers of these services alone, in the version that is built: after a change of
# settings.
# Settings: DOCKER (docker), HEALTH_WAIT, the seconds that a new container may take (120).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

docker=${DOCKER:-docker}
health_wait=${HEALTH_WAIT:-120}

compose() { "$docker" compose "$@"; }
say() { printf 'roll: %s\n' "$*"; }

await_healthy() {
  local id=$1 state deadline=$((SECONDS + health_wait))
  while state=$("$docker" inspect --format '{{.State.Health.Status}}' "$id"); [[ $state != healthy ]]; do
    if ((SECONDS >= deadline)); then
      say "$id is $state after $health_wait s; its log ends with:" >&2
      "$docker" logs --tail 20 "$id" >&2
      return 1
    fi
    sleep 1
  done
}

# Replaces the containers of a service one by one.
roll() {
  local service=$1 old ids count new
  mapfile -t old < <(compose ps --quiet "$service")
  if ((${#old[@]} == 0)); then
    say "no $service is running: start with docker compose up" >&2
    return 1
  fi
  count=${#old[@]}
  for id in "${old[@]}"; do
    compose up --detach --no-deps --no-build --no-recreate --scale "$service=$((count + 1))" "$service"
    new=
    mapfile -t ids < <(compose ps --quiet "$service")
    for candidate in "${ids[@]}"; do
      # Not one of the old containers, nor one that has replaced another before.
      [[ " ${old[*]} ${replaced[*]:-} " == *" $candidate "* ]] || new=$candidate
    done
    [[ -n $new ]] || { say "no new $service was started" >&2; return 1; }
    if ! await_healthy "$new"; then
      "$docker" rm --force "$new" >/dev/null
      return 1
    fi
    replaced+=("$new")
    say "$service: $new is healthy, $id drains"
    "$docker" stop "$id" >/dev/null # as long as stop_grace_period
    "$docker" rm "$id" >/dev/null
  done
}

replaced=()
services=("$@")
if ((${#services[@]} == 0)); then
  compose build
  compose run --rm --no-deps migrate
  services=(worker api)
fi
for service in "${services[@]}"; do
  roll "$service"
done
say "done"
