package reports_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/testing/dbtest"
)

// The statements for operators find transfers and their operations by indexes, however many there
// are.
func TestOperatorStatements_plans_use_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	generate(t, db.Owner(), 2_000)
	db.Grow(20, "users", "deals", "deposits", "operations", "ledger.transfers", "ledger.entries", "ledger.accounts")
	var deal, user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select md5('deal7')::uuid, md5('user7')::uuid`).Scan(&deal, &user))
	for name, use := range map[string]func(s *reports.Service){
		"of a deal": func(s *reports.Service) {
			lines, err := s.DealStatement(t.Context(), deal)
			require.NoError(t, err)
			require.Len(t, lines, 3)
		},
		"of a user": func(s *reports.Service) {
			moved := 0
			err := s.TracedStatementParts(t.Context(), user, reports.StatementFilter{}, func(_ reports.Statement, lines []reports.TracedLine) error {
				moved += len(lines)
				return nil
			})
			require.NoError(t, err)
			require.NotZero(t, moved)
		},
	} {
		plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
			for range 10 { // after five executions PostgreSQL may choose a generic plan
				use(&reports.Service{DB: pool})
			}
		})
		require.Contains(t, plans, "operations_subject", name)
		require.NotContains(t, plans, "Seq Scan on operations", name)
		require.NotContains(t, plans, "Seq Scan on transfers", name)
		require.NotContains(t, plans, "Seq Scan on entries", name)
	}
}
