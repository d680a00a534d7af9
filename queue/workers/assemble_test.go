package workers

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// River reindexes the indexes that Migrate leaves, and all that River has otherwise.
func TestReindexed(t *testing.T) {
	t.Parallel()
	present, err := postgres.Many[struct{ Indexname string }](t.Context(), dbtest.New(t).Owner(), "test.indexes",
		`select indexname::text from pg_indexes where schemaname = @schema and tablename = 'river_job'`,
		pgx.NamedArgs{"schema": postgres.RiverSchema})
	require.NoError(t, err)
	names := make([]string, len(present))
	for i, index := range present {
		names[i] = index.Indexname
	}
	require.Subset(t, names, reindexed())
	require.Len(t, reindexed(), len(river.ReindexerIndexNamesDefault())-len(postgres.UnusedRiverIndexes()))
	for _, unused := range postgres.UnusedRiverIndexes() {
		require.Contains(t, river.ReindexerIndexNamesDefault(), unused)
		require.NotContains(t, names, unused)
	}
}
