package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/queue/jobs"
)

// Package jobs imports no other package of this module, so the name of the schema is also in
// package postgres, which creates the schema and uses its name in SQL.
func TestSchema(t *testing.T) {
	t.Parallel()
	require.Equal(t, postgres.RiverSchema, jobs.Schema)
	require.Equal(t, jobs.Schema+".river_job", postgres.RiverJobs)
}
