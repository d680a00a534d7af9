package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/postgres"
	"amanat/internal/queue/jobs"
)

// Package jobs imports nothing of ours, so the name of the schema stands here and in package postgres, which makes it and has it for SQL.
func TestSchemaIsTheOneThatMigrationsMake(t *testing.T) {
	t.Parallel()
	require.Equal(t, postgres.RiverSchema, jobs.Schema)
	require.Equal(t, jobs.Schema+".river_job", postgres.RiverJobs)
}
