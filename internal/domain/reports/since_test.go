package reports_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/money/chain"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

// checkpoint checks the books, which must be correct, and keeps the checkpoint. The check is short
// from the second one on.
func checkpoint(t *testing.T, db *dbtest.DB) reports.Checkpoint {
	t.Helper()
	_, err := (&chain.Sealer{DB: db.Worker(), Patience: time.Minute}).Seal(t.Context(), time.Now())
	require.NoError(t, err)
	check, err := reports.CheckBooks(t.Context(), db.Worker(), reports.CheckOptions{Short: true, Checkpoint: true})
	require.NoError(t, err)
	require.Empty(t, check.Findings)
	next := *check.Next
	_, err = db.Worker().Exec(t.Context(), `
		insert into books_checkpoints (checked_at, whole_at, settled, horizon, cluster, sums)
		values (now(), now(), @settled, @horizon::text::xid8, @cluster, @sums::text::jsonb)`, pgx.NamedArgs{
		"settled": next.Settled, "horizon": next.Horizon, "cluster": next.Cluster, "sums": next.Sums,
	})
	require.NoError(t, err)
	return next
}

func short(t *testing.T, db *dbtest.DB) reports.Check {
	t.Helper()
	check, err := reports.CheckBooks(t.Context(), db.API(), reports.CheckOptions{Short: true})
	require.NoError(t, err)
	return check
}

// Each short check continues from the one before, and correct books stay correct.
func TestCheckBooks_checkpoints(t *testing.T) {
	t.Parallel()
	s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	checkpoint(t, s.db)
	s.seed()
	first := checkpoint(t, s.db)
	require.Positive(t, first.Settled)
	for range 2 {
		s.db.Fund(buyer, 5_00)
		next := checkpoint(t, s.db)
		require.Equal(t, first.Settled+1, next.Settled)
		require.NotEqual(t, first.Sums, next.Sums)
		first = next
	}
	require.False(t, short(t, s.db).Whole)
	// A transaction that was open at the checkpoint belongs to what comes later.
	late, err := s.db.Worker().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = late.Rollback(t.Context()) }()
	_, err = late.Exec(t.Context(), `select ledger.post('late', 'test', now(), null, null, array['exchange', 'fees'],
		array[null, null]::uuid[], array['USD', 'USD'], array[-1, 1]::bigint[])`)
	require.NoError(t, err)
	s.db.Fund(buyer, 5_00)
	_, err = (&chain.Sealer{DB: s.db.Worker()}).Seal(t.Context(), time.Now())
	require.NoError(t, err)
	check, err := reports.CheckBooks(t.Context(), s.db.Worker(), reports.CheckOptions{Short: true, Checkpoint: true})
	require.NoError(t, err)
	require.Equal(t, first.Settled, check.Next.Settled)
	require.NoError(t, late.Commit(t.Context()))
	require.NotEmpty(t, short(t, s.db).Findings)
}

// A change of a row that is not the ledger's is found the next night, however old the row is.
func TestCheckBooks_short_sees_changed_rows(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"the seller replaced": `update deals set seller_id = '` + stranger.String() + `' where id = '` + completed.String() + `'`,
		"a price changed":     `update deals set price = price + 1 where id = '` + cancelled.String() + `'`,
		"an open deal closed": `update deals set status = 'Cancelled', closed_at = due_at, next_action = null, next_action_at = null
			where id = '` + open.String() + `'`,
		"a deposit reported again":           `update deposits set status = 'pending', handled_at = null where id = '` + approved.String() + `'`,
		"a withdrawal sent for a failed one": `update withdrawals set status = 'completed' where id = '` + rejected.String() + `'`,
		"a reward for another":               `update referral_rewards set referrer_id = '` + stranger.String() + `'`,
		"an operation rejected": `update operations set status = 'rejected', error_code = 'conflict', error_reason = 'x', error_message = 'x'
			where subject = 'deal:` + open.String() + `'`,
		"a balance changed": `update ledger.accounts set balance = balance + 1 where kind = 'wallet'`,
		"a rollup changed":  `insert into ledger.rollups select id, '1', 5 from ledger.accounts where kind = 'exchange'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
			s.seed()
			checkpoint(t, s.db)
			s.exec(sql)
			require.NotEmpty(t, short(t, s.db).Findings)
		})
	}
}

// What docs/money.md#reconciliation says that only a whole check sees.
func TestCheckBooks_only_whole_sees(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"entries changed": `alter table ledger.entries disable trigger all; alter table ledger.transfers disable trigger all;
			update ledger.entries set balance_after = balance_after + 1 where transfer_id = 1 and version is not null`,
		"an operation deleted": `delete from operations where subject = 'withdrawal:` + waiting.String() + `'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
			s.seed()
			checkpoint(t, s.db)
			s.exec(sql)
			require.Empty(t, short(t, s.db).Findings)
			findings, err := reports.Reconcile(t.Context(), s.db.Worker())
			require.NoError(t, err)
			require.NotEmpty(t, findings)
		})
	}
}

// A checkpoint counts only where its transaction IDs mean what they did.
func TestCheckBooks_invalid_checkpoint(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	exec := func(sql string) {
		t.Helper()
		_, err := db.Owner().Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	require.True(t, short(t, db).Whole, "there is none")
	checkpoint(t, db)
	require.False(t, short(t, db).Whole)
	exec(`update books_checkpoints set cluster = cluster + 1`)
	require.True(t, short(t, db).Whole, "of another cluster")
	exec(`update books_checkpoints set cluster = cluster - 1, horizon = '9000000000000'`)
	require.True(t, short(t, db).Whole, "of the future, as after a restore")
}

// A checkpoint without a finding cannot come from a check with one.
func TestCheckBooks_no_checkpoint_of_broken_books(t *testing.T) {
	t.Parallel()
	s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	s.post("bonus", "bonus:1", ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(uuid.New()), 1))
	check, err := reports.CheckBooks(t.Context(), s.db.Worker(), reports.CheckOptions{Checkpoint: true})
	require.NoError(t, err)
	require.NotEmpty(t, check.Findings)
	require.Nil(t, check.Next)
}
