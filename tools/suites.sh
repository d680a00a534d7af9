#!/usr/bin/env bash
# Runs all tests to the end, side by side where they do not disturb each other, and sums up how long
# each suite took, what failed and what was skipped: make test. `tools/suites.sh checks` also runs
# the checks of make lint: continuous integration. The output of each suite is in bin/logs.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

checks=${1:-}
logs=bin/logs
rm -rf $logs
mkdir -p $logs
trap 'trap - TERM; kill 0' INT TERM # the shell's children ignore Ctrl-C

# Makes targets and reports how long that took, the CPU time of make and its children (a browser is
# none of them) and the result in the suite's own words. Returns the status of make.
suite() {
  local name=$1 started=$SECONDS status=0 verdict=ok TIMEFORMAT='%U %S' cpu result
  shift
  { time make --no-print-directory --keep-going "$@" >"$logs/$name" 2>&1; } 2>"$logs/time.$name" || status=$?
  if ((status != 0)); then
    verdict=FAILED
    echo "$name" >>$logs/failed
  fi
  cpu=$(awk '{printf "%d", $1 + $2}' "$logs/time.$name")
  result=$(grep -aE '^DONE |^ +Tests |^ +[0-9]+ (passed|failed)' "$logs/$name" | xargs -d '\n' echo)
  printf '%-8s %-6s %5d s, %5d s of CPU time %s\n' "$name" $verdict $((SECONDS - started)) "$cpu" "$result" | tee -a $logs/summary
  return $status
}

failures() {
  local name
  while read -r name; do
    printf '\n=== %s failed: the end of %s, and what failed in it\n' "$name" "$logs/$name"
    tail -n 80 "$logs/$name"
    echo '[…]'
    grep -aE '^ *--- FAIL|^=== FAIL|^FAIL|^panic:|DATA RACE| FAIL |: error |^ +(Assertion)?Error: |^ +[-+] ' "$logs/$name" | head -n 40
  done <$logs/failed
}

# gotestsum lists skipped tests, each with the program that it needs.
skipped() {
  cat $logs/missing
  sed -n 's/^=== SKIP: //p' $logs/test-go $logs/system 2>/dev/null
}

# Runs what needs neither the packages nor the programs that are installed meanwhile.
ahead() {
  if [[ $checks == checks ]]; then
    suite lint-go lint-go vulns
  else
    suite build bin/withpostgres bin/gotestsum bin/s3server
  fi
}
ui_suites() {
  suite test-ui test-ui
  [[ $checks != checks ]] || suite lint-ui lint-ui verify
}

ahead &
suite install ui/node_modules/.stamp || { wait; failures; exit 1; }
status=0
bash tools/setup.sh >$logs/missing || status=$? # in the foreground: sudo may ask for a password
cat $logs/missing
wait
((status == 0)) || exit 1
suite test-go test-go &
ui_suites &
wait
if grep -q '^  chromium' $logs/missing; then
  echo 'e2e      skipped' | tee -a $logs/summary
else
  suite e2e e2e
fi
GOGC=100 suite system test-system # alone, since it measures time, with the garbage collection of production

[[ ! -e $logs/failed ]] || failures
printf '\n=== Summary: %d s\n' $SECONDS
cat $logs/summary
skips=$(skipped)
[[ -z $skips ]] || printf 'Skipped:\n%s\n' "$skips"
[[ ! -e $logs/failed ]] || { echo "Failed: $(xargs <$logs/failed)"; exit 1; }
