// Package localstack starts the servers that Amanat needs on 127.0.0.1: a real PostgreSQL, an
// in-process Redis and a mail catcher. `make run` and the tests use it; deployments bring their own
// servers.
package localstack
