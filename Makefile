# Needs Go >= 1.26, Node >= 20.19 and make. Everything else is installed by Go and npm.
# `make` or `make help` lists the targets.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL: # the steps of `make test` and `make lint` each use every core already

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# Packages whose goroutines share memory: their tests run under the race detector on each change,
# those of all packages at night.
RACE_PACKAGES := internal/money internal/realtime internal/lib/ratelimit internal/app/opsserver internal/lib/postgres
# A module of its own, whose tests kill, freeze and time whole processes. They run alone, since the
# load of other tests would distort their timing. Those in its folders run with the others.
SYSTEM := tools/system
# The race detector needs a C compiler, which is not required: without one, the tests run without
# it.
RACE = $(if $(filter gcc,$(MISSING)),,-race)
# What tools/setup.sh could not install. Tests that need it are skipped.
MISSING = $(shell bash tools/setup.sh missing)
TESTFLAGS ?= -timeout 20m

UI_SOURCES := $(shell find ui/src ui/public ui/tools ui/index.html ui/vite.config.ts ui/package-lock.json -type f \
                ! -name '*.test.ts' ! -name '*.test.tsx' 2>/dev/null)
PACKAGES := ui/node_modules/.stamp
RUN_PACKAGES := ui/node_modules/.run-stamp
UI := ui/dist/index.html
PRISM := tools/contract/node_modules/.bin/prism
LIGHTHOUSE := tools/lighthouse/node_modules/.bin/lighthouse

# Runs a command with a temporary PostgreSQL server.
WITH_POSTGRES = $(CURDIR)/bin/withpostgres
# Lists failed and skipped tests at the end.
GOTESTSUM = $(CURDIR)/bin/gotestsum --format-icons text --format-hide-empty-pkg

##@ Every day

.PHONY: help
help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: need-go $(UI) bin/local ## Start everything on this machine: http://localhost:8080 (PORT), data in .local/ (AMANAT_DATA)
	@exec bin/local

.PHONY: test
test: need-go need-node ## All tests, to the end, with a summary; installs what they need where it can
	@bash tools/suites.sh

.PHONY: test-fast
test-fast: need-go $(PACKAGES) bin/withpostgres bin/s3server ## Tests of what differs from HEAD, without a browser and without killing processes
	@bash tools/changed.sh test

.PHONY: setup
setup: need-go $(PACKAGES) ## Install the programs that tests need (Debian and Ubuntu), or say which are missing
	@bash tools/setup.sh

.PHONY: lint
lint: lint-go lint-ui verify vulns ## Static checks: linters, package boundaries, types, text catalogues, generated files, known vulnerabilities

.PHONY: precommit
precommit: need-go bin/golangci-lint $(PACKAGES) bin/withpostgres bin/s3server ## Lint and test what differs from HEAD
	@bash tools/changed.sh

##@ Tests

.PHONY: test-go
test-go: need-go $(PACKAGES) bin/withpostgres bin/s3server bin/gotestsum ## Go tests on a real PostgreSQL; TESTFLAGS="-run Pay -v" narrows
	@AMANAT_MISSING='$(MISSING)' $(WITH_POSTGRES) $(MAKE) --no-print-directory test-go-packages

# The tests of test-go, given a server: RACE_PACKAGES under the race detector, the others without.
.PHONY: test-go-packages
test-go-packages: APART = $(shell go list $(patsubst %,./%/...,$(RACE_PACKAGES)))
test-go-packages:
	@for folder in $(RACE_PACKAGES); do [ -d "$$folder" ] || { echo "Makefile: there is no $$folder any more" >&2; exit 1; }; done
	@status=0; set -x; \
	$(GOTESTSUM) -- $(TESTFLAGS) $(filter-out $(APART),$(shell go list ./...)) || status=1; \
	$(GOTESTSUM) -- $(RACE) $(TESTFLAGS) $(patsubst %,./%/...,$(RACE_PACKAGES)) || status=1; \
	(cd $(SYSTEM) && $(GOTESTSUM) -- $(TESTFLAGS) ./bench ./deploy ./torture) || status=1; \
	go test -C tools $(TESTFLAGS) ./mutants || status=1; \
	{ set +x; } 2>/dev/null; exit $$status

.PHONY: test-system
# Most of the time these tests wait for processes, so more of them run than there are cores.
test-system: need-go $(PACKAGES) bin/withpostgres bin/gotestsum ## Tests that start, kill, freeze and time whole processes; run nothing else at the same time
	@cd $(SYSTEM) && AMANAT_MISSING='$(MISSING)' $(WITH_POSTGRES) $(GOTESTSUM) -- -parallel 4 $(TESTFLAGS) -timeout 15m .

.PHONY: test-ui
test-ui: $(PACKAGES) $(UI) ## UI unit tests and page size budgets
	cd ui && npm run --silent test
	cd ui && npm run --silent size

.PHONY: e2e
e2e: need-go $(PACKAGES) $(UI) bin/local ## End-to-end tests: a real Chromium against `make run`
	cd ui && npm run --silent e2e

# Go fuzzes one target at a time. It stores failing inputs in the package's testdata/fuzz, and go
# test runs them from then on. FUZZTIME is a number of inputs and not a duration: a run that ends by
# the clock can fail with "context deadline exceeded" (golang/go#75804, fixed in Go 1.27).
FUZZTIME ?= 5000x

.PHONY: fuzz
fuzz: need-go $(PACKAGES) bin/withpostgres ## Fuzzing, FUZZTIME (5000 inputs) for each target
	@$(WITH_POSTGRES) $(MAKE) --no-print-directory fuzz-targets

.PHONY: fuzz-targets
fuzz-targets:
	@set -e; grep -rl --include='*_test.go' '^func Fuzz' cmd internal queue | while read -r file; do \
	  for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\).*/\1/p' "$$file"); do \
	    echo "$$(dirname "$$file") $$target"; \
	    go test $(TESTFLAGS) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "./$$(dirname "$$file")"; \
	  done; \
	done

# What runs every night and not on each change: see docs/testing.md#nightly.
.PHONY: soak
soak: need-go setup $(PRISM) $(UI) bin/local bin/withpostgres bin/s3server bin/gotestsum bin/caddy ## Hours of tests: all under the race detector and in many rounds, every journey and look, Prism, the whole model, long fuzzing
	@status=0; set -x; \
	export AMANAT_MISSING='$(MISSING)'; \
	$(WITH_POSTGRES) $(GOTESTSUM) -- -tags soak $(RACE) -count 1 -timeout 240m ./... || status=1; \
	(cd $(SYSTEM) && PATH="$(CURDIR)/bin:$$PATH" $(WITH_POSTGRES) $(GOTESTSUM) -- -tags soak -count 1 -parallel 4 -p 1 -timeout 60m ./...) || status=1; \
	$(MAKE) contract || status=1; \
	(cd ui && SOAK=1 npm run --silent test) || status=1; \
	(cd ui && SOAK=1 npm run --silent e2e) || status=1; \
	$(MAKE) fuzz FUZZTIME=150000x || status=1; \
	{ set +x; } 2>/dev/null; exit $$status

.PHONY: mutants
mutants: need-go $(PACKAGES) bin/withpostgres ## Mutation tests of the money core: each fault must make a test fail; ONLY=deal narrows
	@go build -C tools -o ../bin/mutants ./mutants
	@$(WITH_POSTGRES) bin/mutants -only '$(ONLY)'

# Prism cannot parse the random input of the tests that are skipped.
.PHONY: contract
contract: need-go $(PACKAGES) $(PRISM) bin/withpostgres ## API tests through Prism, which checks each response
	@AMANAT_PRISM=$(CURDIR)/$(PRISM) $(WITH_POSTGRES) go test -count 1 -timeout 15m -skip '_odd_values|^Fuzz' ./internal/api

.PHONY: screenshots
screenshots: need-go $(PACKAGES) $(UI) bin/local ## Screenshots of every screen in ui/screenshots/: 1280 and 360 px, light, dark and Bangla; ONLY=deal narrows
	cd ui && npm run --silent screenshots

.PHONY: compare
compare: $(PACKAGES) ## Compare two folders of screenshots pixel by pixel: BEFORE=folder AFTER=ui/screenshots; differences go to ui/screenshots-diff/
	node ui/tools/compare-screenshots.js '$(BEFORE)' '$(or $(AFTER),ui/screenshots)' ui/screenshots-diff

.PHONY: docs-screenshots
docs-screenshots: need-go $(PACKAGES) $(UI) bin/local ## The screenshots in README.md, in docs/screenshots/
	cd ui && npm run --silent docs-screenshots

.PHONY: lighthouse
lighthouse: need-go $(PACKAGES) $(UI) $(LIGHTHOUSE) bin/local ## Lighthouse on the public pages with a simulated phone, against targets; needs an idle machine
	node tools/lighthouse/measure.js

.PHONY: bench
bench: need-go $(PACKAGES) ## Ten minutes of benchmarks beside pgbench, compared with bench/results.json, which is updated; needs an idle machine
	go build -trimpath -o bin/ ./cmd/api ./cmd/worker
	go build -C $(SYSTEM) -trimpath -o ../../bin/ ./bench
	bin/bench -programs bin -results bench/results.json

.PHONY: bench-large
bench-large: need-go $(PACKAGES) bin/withpostgres ## Half an hour of large benchmarks: 10,000 sockets on each of two nodes, a million posts, ten million messages, a million transfers; writes the slowest plans to bench/
	go build -trimpath -o bin/ ./cmd/api ./cmd/worker
	go build -C $(SYSTEM) -trimpath -o ../../bin/ ./bench
	bin/bench -programs bin -sockets 10000 -rounds 1 -only 'sockets|fan-out|broadcast'
	@AMANAT_BENCH=large $(WITH_POSTGRES) -large go test -run '^$$' -bench 'Explore|Inbox' -benchtime 300x -timeout 60m -p 1 ./internal/domain/posts ./internal/domain/chat
	@AMANAT_BENCH=large $(WITH_POSTGRES) -large go test -run '^$$' -bench Alert -benchtime 1x ./internal/domain/posts
	@AMANAT_BENCH=large $(WITH_POSTGRES) -large go test -run '^$$' -bench Reconcile -benchtime 1x -v -timeout 60m ./internal/domain/reports

# DURATION and SEED (0: a new one, which is printed) are those of the load and the faults.
DURATION ?= 10m
SEED ?= 0

.PHONY: torture
torture: need-go $(PACKAGES) ## Ten minutes (DURATION) of load while everything is killed, cut off and frozen; SEED repeats a run; needs redis-server and an idle machine
	go build -trimpath -tags failpoints -o bin/torture.d/ ./cmd/api ./cmd/worker ./cmd/amanat
	go build -C $(SYSTEM) -trimpath -o ../../bin/ ./torture
	bin/torture -programs bin/torture.d -duration $(DURATION) -seed $(SEED) -history bin/torture-history.jsonl

##@ Checks

.PHONY: lint-go
lint-go: need-go bin/golangci-lint ## Go: golangci-lint (.golangci.yaml) and the rules of internal/testing/archtest
	bin/golangci-lint run
	cd $(SYSTEM) && $(CURDIR)/bin/golangci-lint run
	go test ./internal/testing/archtest

.PHONY: lint-ui
lint-ui: $(PACKAGES) ## UI: oxlint, types, formatting, text catalogues
	cd ui && npm run --silent lint

# The vulnerability database is on another host. If it cannot be reached, the target prints a
# warning; it fails on any other error.
UNREACHABLE := ^govulncheck: fetching vulnerabilities: Get "[^"]*": dial tcp

.PHONY: vulns
vulns: need-go bin/govulncheck ## Known vulnerabilities in the Go code that is called; skipped if their database cannot be reached
	@out=$$(mktemp); trap 'rm -f "$$out"' EXIT; \
	bin/govulncheck ./... >"$$out" 2>&1 && { cat "$$out"; exit 0; }; \
	cat "$$out" >&2; \
	grep -Eq '$(UNREACHABLE)' "$$out" || exit 1; \
	echo "vulns: NOT CHECKED, because the database of vulnerabilities cannot be reached from here." >&2

.PHONY: fmt
fmt: need-go bin/golangci-lint $(PACKAGES) ## Format Go and UI sources
	bin/golangci-lint fmt
	cd $(SYSTEM) && $(CURDIR)/bin/golangci-lint fmt
	cd ui && npm run --silent format

.PHONY: generate
generate: need-go $(PACKAGES) ## Regenerate the OpenAPI document, its TypeScript types, the list of sentences, the facts of posts and the tables of settings
	go run ./internal/api/openapi > ui/src/api/openapi.json.new
	mv ui/src/api/openapi.json.new ui/src/api/openapi.json
	cd ui && npm run --silent generate
	$(SENTENCES_TEST) -update
	$(SETTINGS_TEST) -update
	$(FACTS_TEST) -update

# Writes the facts of posts for the UI.
FACTS_TEST := go test -count 1 -run TestAllFacts_file ./internal/domain/posts

# Writes the tables of docs/configuration.md; without -update, a test of the package compares them.
SETTINGS_TEST := go test -count 1 -run TestConfiguration_document ./internal/app/config

# Lists the sentences that the server answers with, for the UI's translations.
SENTENCES_TEST := go test -count 1 -run TestRead_file_up_to_date ./internal/devtools/sentences

LICENCES := docs/third-party-licences.md

.PHONY: licences
licences: need-go ## Regenerate the list of the third-party software that Amanat ships, with its licences
	@go build -C tools -o ../bin/licences ./licences
	bin/licences > $(LICENCES).new
	mv $(LICENCES).new $(LICENCES)

LOCK_CHECK := const assert = require("node:assert"), lock = require("./package-lock.json").packages[""], own = require("./package.json"); \
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) \
    assert.deepEqual(lock[kind], own[kind], "ui/package-lock.json does not fit package.json: run npm install in ui/");

# Generates into a temporary directory, so it does not modify the tree and ignores unrelated
# changes.
.PHONY: verify
verify: need-go $(PACKAGES) ## Fail if generated files, go.mod or package-lock.json are out of date
	@cd ui && node -e '$(LOCK_CHECK)'
	@set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go run ./internal/api/openapi > "$$dir/openapi.json"; \
	(cd ui && npm exec --no -- openapi-typescript "$$dir/openapi.json" -o "$$dir/types.gen.ts" >/dev/null); \
	for file in openapi.json types.gen.ts; do \
	  diff -u "ui/src/api/$$file" "$$dir/$$file" >"$$dir/diff" || { \
	    head -40 "$$dir/diff"; echo "ui/src/api/$$file is out of date: run make generate" >&2; exit 1; }; \
	done
	@go build -C tools -o ../bin/licences ./licences
	@bin/licences | diff -u $(LICENCES) - || { echo "$(LICENCES) is out of date: run make licences" >&2; exit 1; }
	$(SENTENCES_TEST)
	go mod tidy -diff
	cd $(SYSTEM) && go mod tidy -diff

##@ Building

.PHONY: build
build: need-go $(PACKAGES) $(UI) ## Build bin/api, bin/worker, bin/amanat and bin/local
	cd ui && npm run --silent typecheck
	go build -trimpath -ldflags "-X amanat/internal/app/opsserver.version=$(VERSION)" -o bin/ ./cmd/api ./cmd/worker ./cmd/amanat ./cmd/local

.PHONY: release
release: need-go $(PACKAGES) $(UI) bin/cyclonedx-gomod ## What a release consists of, in bin/release: VERSION=v1.2.3
	@bash tools/release.sh '$(VERSION)'

.PHONY: reset
reset: ## Delete the local data (.local/, or AMANAT_DATA)
	rm -rf "$${AMANAT_DATA:-.local}"

.PHONY: clean
clean: ## Delete build output; local data and installed packages stay
	rm -rf bin ui/dist/assets
	find ui/dist -type f ! -name .gitkeep -delete

# Files

# Without the check of types, which lint and build do.
$(UI): $(RUN_PACKAGES) $(UI_SOURCES)
	@echo 'Bundling the pages'
	@cd ui && npm run --silent bundle -- --logLevel warn
	@touch $@

# The stamp is written last, so an interrupted installation is repeated. `npm ci` is not used
# because it rejects a lock file without the optional packages of other platforms, which npm itself
# writes against a mirror that lacks them. --no-save installs from the lock file and never rewrites
# it; `make verify` checks that it matches package.json.
NPM_INSTALL := npm install --no-save --no-audit --no-fund

$(PACKAGES): ui/package-lock.json | need-node
	cd ui && $(NPM_INSTALL)
	@[ $(RUN_PACKAGES) -nt $< ] || touch $(RUN_PACKAGES)
	@touch $@

# Only what building and running needs, unless everything was installed before: npm would remove the
# rest.
$(RUN_PACKAGES): ui/package-lock.json | need-node
	@echo 'Installing packages'
	@cd ui && $(NPM_INSTALL) $$([ -e ../$(PACKAGES) ] || echo --omit=dev)
	@touch $@

$(PRISM): tools/contract/package-lock.json | need-node
	cd tools/contract && $(NPM_INSTALL)
	@touch $@

$(LIGHTHOUSE): tools/lighthouse/package-lock.json | need-node
	cd tools/lighthouse && $(NPM_INSTALL)
	@touch $@

bin/golangci-lint: tools/go.mod tools/go.sum | need-go
	cd tools && go build -trimpath -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

bin/gotestsum: tools/go.mod tools/go.sum | need-go
	@cd tools && go build -trimpath -o ../bin/gotestsum gotest.tools/gotestsum
	@touch $@

bin/govulncheck: tools/go.mod tools/go.sum | need-go
	cd tools && go build -trimpath -o ../bin/govulncheck golang.org/x/vuln/cmd/govulncheck
	@touch $@

# The S3 server of tests, in a module of its own because of its dependencies. They are compiled
# without optimization, which takes two thirds of the time; the standard library is that of the
# tests.
bin/s3server: tools/s3server/main.go tools/s3server/go.mod tools/s3server/go.sum | need-go
	go build -C tools/s3server -gcflags='github.com/...=-N -l' -o ../../bin/s3server .
	@touch $@

# The Caddy of compose.yaml; Debian's is older.
bin/caddy: compose.yaml | need-go
	GOBIN='$(CURDIR)/bin' go install "github.com/caddyserver/caddy/v2/cmd/caddy@v$$(sed -n 's/.*image: caddy:\([0-9.]*\).*/\1/p' compose.yaml)"
	@touch $@

bin/cyclonedx-gomod: | need-go
	GOBIN='$(CURDIR)/bin' go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

.PHONY: bin/withpostgres bin/local # go build decides whether they are out of date
bin/withpostgres:
	@go build -o $@ ./internal/devtools/localstack/cmd/withpostgres

bin/local: | $(UI)
	@echo 'Compiling'
	@go build -o $@ ./cmd/local

# Requirements

.PHONY: need-go
need-go:
	@go list -m >/dev/null || { echo "Amanat needs Go 1.26 or newer on PATH; found: $$(go version 2>/dev/null || echo none)." >&2; exit 1; }

.PHONY: need-node
need-node:
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null || \
	  { echo "Amanat needs Node 20.19 or newer on PATH; found: $$(node --version 2>/dev/null || echo none)." >&2; exit 1; }
