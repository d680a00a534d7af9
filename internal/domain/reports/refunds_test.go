package reports_test

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/testing/dbtest"
	"amanat/migrations"
)

// The migration fills the refunded amount of earlier deals from the ledger.
func TestMigration0028_fills_refunded_amount(t *testing.T) {
	t.Parallel()
	s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	s.seed()
	s.exec(`update deals set refunded_amount = null`)
	text, err := fs.ReadFile(migrations.FS, "0028_refunded_amount.sql")
	require.NoError(t, err)
	_, update, found := strings.Cut(string(text), "add column refunded_amount bigint;")
	require.True(t, found)
	s.exec(update)
	findings, err := reports.Reconcile(t.Context(), s.db.Worker())
	require.NoError(t, err)
	require.Empty(t, findings)
	var full, less, none int
	require.NoError(t, s.db.Owner().QueryRow(t.Context(), `
		select count(*) filter (where refunded_amount = price), count(*) filter (where refunded_amount = price - fee),
		       count(*) filter (where refunded_amount is null) from deals`).Scan(&full, &less, &none))
	require.Equal(t, []int{2, 3, 2}, []int{full, less, none})
}
