package reports_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/postgres"
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
		insert into books_checkpoints (checked_at, whole_at, settled, horizon, cluster)
		values (now(), now(), @settled, @horizon::text::xid8, @cluster)`, postgres.Args{
		"settled": next.Settled, "horizon": next.Horizon, "cluster": next.Cluster,
	})
	require.NoError(t, err)
	return next
}

func short(t *testing.T, db *dbtest.DB) reports.Check {
	t.Helper()
	check, err := reports.CheckBooks(t.Context(), db.Worker(), reports.CheckOptions{Short: true})
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

// deleted returns SQL that deletes a row in spite of what refers to it.
func deleted(table string, id uuid.UUID) string {
	return `set session_replication_role = replica; delete from ` + table + ` where id = '` + id.String() + `';
		set session_replication_role = default`
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
		"a deal deleted":       deleted("deals", completed),
		"a deposit deleted":    deleted("deposits", approved),
		"a withdrawal deleted": deleted("withdrawals", rejected),
		"a reward deleted":     deleted("referral_rewards", reward),
		"a correction deleted": deleted("corrections", credited),
		"a user deleted":       deleted("users", seller),
		"a balance changed":    `update ledger.accounts set balance = balance + 1 where kind = 'wallet'`,
		"a rollup changed":     `insert into ledger.rollups select id, '1', 5 from ledger.accounts where kind = 'exchange'`,
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

// corruption sets a column of a row to a value that is likely to be wrong.
type corruption struct{ table, column, kind, value string }

var corruptions = []corruption{
	{"ledger.entries", "amount", "bigint", "amount + 1"},
	{"ledger.entries", "amount", "bigint", "amount - 1"},
	{"ledger.entries", "amount", "bigint", "-amount"},
	{"ledger.entries", "amount", "bigint", "amount + (1::bigint << 44)"},
	{"ledger.entries", "balance_after", "bigint", "balance_after + 1"},
	{"ledger.entries", "balance_after", "bigint", "null"},
	{"ledger.entries", "version", "bigint", "version + 1"},
	{"ledger.entries", "version", "bigint", "null"},
	{"ledger.entries", "version", "bigint", "coalesce(version, 1)"},
	{"ledger.entries", "currency", "text", "case currency when 'USD' then 'BDT' else 'USD' end"},
	{"ledger.entries", "currency", "text", "'EUR'"},
	{"ledger.entries", "account_id", "bigint", "account_id % 8 + 1"},
	{"ledger.entries", "account_id", "bigint", "999"},
	{"ledger.entries", "transfer_id", "bigint", "transfer_id % 8 + 1"},
	{"ledger.entries", "transfer_id", "bigint", "999"},
	{"ledger.transfers", "entry_count", "smallint", "entry_count + 1"},
	{"ledger.transfers", "key", "text", "key || 'x'"},
	{"ledger.transfers", "key", "text", "'x' || key"},
	{"ledger.transfers", "kind", "text", "'deal_refund'"},
	{"ledger.transfers", "kind", "text", "'withdrawal_cancel'"},
	{"ledger.transfers", "actor_id", "uuid", "gen_random_uuid()"},
	{"ledger.accounts", "balance", "bigint", "balance + 1"},
	{"ledger.accounts", "balance", "bigint", "-balance"},
	{"ledger.accounts", "version", "bigint", "version + 1"},
	{"ledger.accounts", "currency", "text", "case currency when 'USD' then 'BDT' else 'USD' end"},
	{"ledger.accounts", "owner_id", "uuid", "gen_random_uuid()"},
	{"operations", "kind", "text", "'deal_refund'"},
	{"operations", "subject", "text", "subject || 'x'"},
	{"operations", "actor_id", "uuid", "gen_random_uuid()"},
	{"deals", "price", "bigint", "price + 1"},
	{"deals", "fee", "bigint", "fee + 1"},
	{"deals", "status", "text", "'Completed'"},
	{"deals", "refunded_amount", "bigint", "price"},
	{"deposits", "payment_method", "text", "case status when 'completed' then 'Nagad' else payment_method end"},
	{"deposits", "user_id", "uuid", "case status when 'completed' then gen_random_uuid() else user_id end"},
	{"withdrawals", "status", "text", "'completed'"},
	{"withdrawals", "status", "text", "'failed'"},
	{"withdrawals", "user_id", "uuid", "gen_random_uuid()"},
	{"referral_rewards", "amount", "bigint", "amount + 1"},
	{"referral_rewards", "referrer_id", "uuid", "gen_random_uuid()"},
	{"referral_rewards", "credited_at", "timestamptz", "null"},
	{"corrections", "amount", "bigint", "case status when 'confirmed' then amount + 1 else amount end"},
	{"corrections", "user_id", "uuid", "case status when 'confirmed' then gen_random_uuid() else user_id end"},
}

// apply changes the first row whose constraints allow it, and returns the statement that undoes it.
func (c corruption) apply(t *testing.T, conn *pgxpool.Conn) (undo string) {
	t.Helper()
	for n := 0; ; n++ {
		var before *string
		var row string
		err := conn.QueryRow(t.Context(), fmt.Sprintf(`
			update %[1]s set %[2]s = %[3]s
			 where ctid = (select ctid from %[1]s where (%[3]s)::text is distinct from (%[2]s)::text order by ctid offset %[4]d limit 1)
			returning old.%[2]s::text, ctid::text`, c.table, c.column, c.value, n)).Scan(&before, &row)
		if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && strings.HasPrefix(refused.Code, "23") { // of a constraint
			continue
		}
		require.NoError(t, err, "%v", c)
		value := "null"
		if before != nil {
			value = "'" + *before + "'::" + c.kind
		}
		return fmt.Sprintf("update %s set %s = %s where ctid = '%s'", c.table, c.column, value, row)
	}
}

// Whatever column of the books is changed, a whole check finds it, and the next short one, too, if
// it is not of a transfer or an entry.
func TestCheckBooks_finds_changed_columns(t *testing.T) {
	t.Parallel()
	s := &scenario{t: t, db: dbtest.New(t), at: time.Now().Truncate(time.Microsecond)}
	s.seed()
	checkpoint(t, s.db)
	// The owner of the database can do all of this.
	s.exec(`alter table ledger.accounts drop constraint accounts_floor`)
	s.exec(`alter table ledger.entries drop constraint entries_version`)
	s.exec(`alter table deals drop constraint deals_fee_of_price`)
	conn, err := s.db.Owner().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	exec := func(sql string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	exec(`set session_replication_role = replica`) // no triggers
	for _, c := range corruptions {
		undo := c.apply(t, conn)
		findings, err := reports.Reconcile(t.Context(), s.db.Worker())
		require.NoError(t, err)
		require.NotEmpty(t, findings, "%v", c)
		if c.table != "ledger.entries" && c.table != "ledger.transfers" {
			require.NotEmpty(t, short(t, s.db).Findings, "%v", c)
		}
		exec(undo)
	}
	last := short(t, s.db)
	require.False(t, last.Whole)
	require.Empty(t, last.Findings, "all is undone")
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
