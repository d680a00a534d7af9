// Package system runs the binaries of api, worker and amanat as separate processes with a real
// PostgreSQL, Redis and SMTP server, and kills, stops, freezes and starves them. Every test ends
// with `amanat reconcile`. It has tests only; in its folders are the programs of `make bench` and
// `make torture`, and the tests of the files with which Amanat is deployed. It is a module of its
// own because the product does not need the proxies, parsers and checkers that it requires.
//
// Without the tag soak, only those tests run that break each part once. Tests that use random
// times log AMANAT_TEST_SEED=…; set it to repeat a run. A failed test logs the end of every
// process's log; `go test -artifacts -outputdir DIR` keeps the whole logs.
package system
