package dbtest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/postgres"
)

const pairConns = 60

// Pair is a database with the whole schema on a server of its own, and a standby that follows it.
type Pair struct {
	*DB
	Standby *DB // the same database on the standby

	standby *localstack.Postgres
}

// Replicated starts a primary and a standby that end with the test.
func Replicated(tb testing.TB) *Pair {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	opts := localstack.PostgresOptions{MaxConnections: pairConns, NoSync: true, Replicated: true}
	primary, err := localstack.StartPostgres(ctx, opts)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = primary.Stop() })
	const name = "amanat"
	owner, err := primary.EnsureDatabase(ctx, name)
	require.NoError(tb, err)
	require.NoError(tb, postgres.Migrate(ctx, owner, Roles()))
	standby, err := localstack.StartStandby(ctx, primary, opts)
	require.NoError(tb, err)
	p := &Pair{standby: standby}
	tb.Cleanup(p.StopStandby)
	p.DB, p.Standby = newDB(tb, primary.URL(name), name), newDB(tb, standby.URL(name), name)
	return p
}

// StopStandby ends the standby.
func (p *Pair) StopStandby() {
	if p.standby != nil {
		_ = p.standby.Stop()
		p.standby = nil
	}
}
