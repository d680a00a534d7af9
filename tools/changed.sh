#!/usr/bin/env bash
# Lints and tests what differs from HEAD: make precommit. `tools/changed.sh test` only tests it:
# make test-fast. Neither needs a browser or kills processes. They are quick checks before a commit
# and do not replace make lint and make test.
# Go: format, golangci-lint on new lines, tests of changed packages; of packages with slow tests,
# only the tests in changed files and in test files that are named after a changed file.
# UI: oxlint, biome, types, and the unit tests of the changed features and files.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)" # also works as a hook, through a symlink in .git/hooks

# Packages whose tests take more than a few seconds.
SLOW='^\./(cmd/local|queue/workers|internal/(api|realtime|devtools/localstack|domain/(deals|reports)|lib/postgres))$'
TEST_TIMEOUT=60s

mapfile -t changed < <({ git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; } | sort -u)
matching() { printf '%s\n' "${changed[@]}" | grep -E "$1" || true; }

mapfile -t go_files < <(matching '\.go$' | grep -v '^tools/' || true)
mapfile -t system_files < <(matching '^tools/system/.*\.go$')
mapfile -t packages < <(printf '%s\n' "${go_files[@]}" | sed -n 's|^\(.*\)/[^/]*$|./\1|p' | sort -u)
mapfile -t ui_files < <(matching '^ui/.*\.(ts|tsx|js)$' | sed 's|^ui/||' | grep -v '\.gen\.ts$' || true)

# Prints the tests of a package's changed files as a regular expression for -run: those of
# deals_test.go and deals_pay_test.go for deals.go.
changed_tests() {
  local folder=${1#./}
  printf '%s\n' "${go_files[@]}" | { grep "^$folder/[^/]*\.go$" || true; } |
    sed -E 's/(_test)?\.go$//' | while read -r stem; do compgen -G "${stem}_test.go" || true; compgen -G "${stem}_*_test.go" || true; done | sort -u |
    xargs -r sed -n 's/^func \(Test[A-Za-z0-9_]*\)(t \*testing\.T).*/\1/p' | paste -sd'|'
}

# Runs the tests that check files of all kinds.
check_tree() {
  (($(matching '\.(go|sql|md|ts|tsx|js|yaml)$' | wc -l) == 0)) || go test ./internal/testing/archtest
}

lint_go() {
  if ((${#packages[@]} > 0)); then
    bin/golangci-lint fmt --diff "${go_files[@]}"
    bin/golangci-lint run --allow-parallel-runners --new-from-rev HEAD "${packages[@]}"
  fi
  if ((${#system_files[@]} > 0)); then
    cd tools/system
    ../../bin/golangci-lint fmt --diff "${system_files[@]#tools/system/}"
    ../../bin/golangci-lint run --allow-parallel-runners --new-from-rev HEAD
  fi
}

test_go() {
  local package quick=() names
  for package in "${packages[@]}"; do
    if [[ $package =~ $SLOW ]]; then
      names=$(changed_tests "$package")
      go vet "$package"
      [[ -z $names ]] || go test -timeout "$TEST_TIMEOUT" -run "^($names)$" "$package"
    else
      quick+=("$package")
    fi
  done
  ((${#quick[@]} == 0)) || go test -timeout "$TEST_TIMEOUT" "${quick[@]}"
  # The tests of the module itself kill processes.
  ((${#system_files[@]} == 0)) || (cd tools/system && go vet . && go test -timeout "$TEST_TIMEOUT" ./bench ./deploy ./torture)
}

lint_ui() {
  ((${#ui_files[@]} > 0)) || return 0
  cd ui
  npx --no -- biome ci --no-errors-on-unmatched "${ui_files[@]}"
  SYNCKIT_TIMEOUT=600000 npx --no -- oxlint -c oxlint.config.js --threads 1 "${ui_files[@]}"
}

types_ui() {
  ((${#ui_files[@]} > 0)) || return 0
  cd ui
  npx --no -- tsc --noEmit --incremental --tsBuildInfoFile ../bin/cache/tsc.tsbuildinfo
}

# Tests of a screen load the whole application, so `vitest related` would run nearly all of them for
# any file. Instead, a change runs the tests of its feature's folder, or else the test beside the
# file.
test_ui() {
  local file tests=()
  for file in "${ui_files[@]}"; do
    case $file in
      *.test.ts | *.test.tsx | *.test.js) tests+=("$file") ;;
      src/features/*/*) tests+=("$(cut -d/ -f1-3 <<<"$file")/") ;;
      src/* | tools/*) tests+=("${file%.*}.test") ;;
    esac
  done
  ((${#tests[@]} > 0)) || return 0
  cd ui
  npx --no -- vitest run --passWithNoTests "${tests[@]}"
}

if [[ ${1:-} == test_go ]]; then # run by bin/withpostgres
  test_go
  exit
fi
if ((${#changed[@]} == 0)); then
  echo "Nothing differs from HEAD."
  exit
fi

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
declare -A steps
start() {
  local name=$1
  shift
  "$@" >"$logs/$name" 2>&1 &
  steps[$name]=$!
}

start tree check_tree
((${#packages[@]} + ${#system_files[@]} == 0)) || start test-go bin/withpostgres bash tools/changed.sh test_go
start test-ui test_ui
if [[ ${1:-} != test ]]; then
  start lint-go lint_go
  start lint-ui lint_ui
  start types types_ui
fi

failed=0
for name in "${!steps[@]}"; do
  if wait "${steps[$name]}"; then
    printf '%-8s ok\n' "$name"
  else
    failed=1
    printf '%-8s failed\n' "$name"
    cat "$logs/$name"
  fi
done
printf '%s changed files, %s s\n' "${#changed[@]}" "$SECONDS"
exit "$failed"
