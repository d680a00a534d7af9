// Package localstack starts the servers that Amanat needs inside the machine it runs on: a real PostgreSQL, an in-process Redis and a mail
// catcher, all on 127.0.0.1. It serves `make run` and the tests; deployments bring their own servers.
package localstack
