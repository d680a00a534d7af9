// Package systemtest starts the real programs, api, worker and amanat, as processes of their own on a real PostgreSQL, Redis and SMTP
// server, and then kills, stops, freezes and starves them. Every test ends with the operator's own check of the books. It has tests only.
//
// `go test -short` kills fewer processes. Tests that draw random moments log AMANAT_TEST_SEED=…; set it to draw the same again. When a test
// fails it shows the end of every process's log; `go test -artifacts -outputdir DIR` keeps the whole logs.
package systemtest
