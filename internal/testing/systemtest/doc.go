// Package systemtest runs the binaries of api, worker and amanat as separate processes with a real
// PostgreSQL, Redis and SMTP server, and kills, stops, freezes and starves them. Every test ends
// with `amanat reconcile`. It has tests only.
//
// Without the tag soak, only those tests run that break each part once. Tests that use random
// times log AMANAT_TEST_SEED=…; set it to repeat a run. A failed test logs the end of every
// process's log; `go test -artifacts -outputdir DIR` keeps the whole logs.
package systemtest
