package chain_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/chain"
	"amanat/internal/testing/dbtest"
)

var noon = time.Date(2026, 11, 27, 6, 0, 0, 0, time.UTC)

// fixture is a database with sealed rows.
type fixture struct {
	*testing.T
	db   *dbtest.DB
	user uuid.UUID
}

// newFixture returns a database with two transfers and two entries of the audit log, all sealed.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{T: t, db: dbtest.New(t), user: uuid.New()}
	f.exec(`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ('` + f.user.String() + `', 'one', 'one', '', 'one', now(), now())`)
	f.add(2)
	require.EqualValues(t, 4, f.seal())
	return f
}

// add adds transfers, and as many entries of the audit log.
func (f *fixture) add(n int) {
	f.Helper()
	for i := range n {
		f.db.Fund(f.user, 5_00)
		f.exec(fmt.Sprintf(`insert into audit_log (at, action, subject, details) values (now(), 'test', 'subject', '{"n": %d}')`, i))
	}
}

func (f *fixture) exec(sql string) {
	f.Helper()
	_, err := f.db.Owner().Exec(f.Context(), sql)
	require.NoError(f, err, sql)
}

// unguarded runs SQL as a superuser who has disabled all triggers.
func (f *fixture) unguarded(sql string) {
	f.Helper()
	f.exec(`set session_replication_role = replica; ` + sql + `; set session_replication_role = default`)
}

func (f *fixture) value(sql string) int64 {
	f.Helper()
	var n int64
	require.NoError(f, f.db.Owner().QueryRow(f.Context(), sql).Scan(&n))
	return n
}

func (f *fixture) seal() int64 {
	f.Helper()
	n, err := (&chain.Sealer{DB: f.db.Worker(), Patience: time.Minute}).Seal(f.Context(), noon)
	require.NoError(f, err)
	return n
}

func (f *fixture) verify(o chain.Options) []chain.Result {
	f.Helper()
	results, err := chain.Verify(f.Context(), f.db.Worker(), o)
	require.NoError(f, err)
	return results
}

func (f *fixture) keep(results []chain.Result) {
	f.Helper()
	require.NoError(f, chain.Keep(f.Context(), f.db.Worker(), results, noon))
}

func findings(results []chain.Result) []string {
	var all []string
	for _, r := range results {
		all = append(all, r.Findings...)
	}
	return all
}

func TestVerify_whole(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.add(1)
	results := f.verify(chain.Options{})
	require.Empty(t, findings(results))
	for i, name := range chain.Names() {
		require.Equal(t, name, results[i].Chain)
		require.True(t, results[i].Whole)
		require.EqualValues(t, []int64{2, 2, 1}, []int64{results[i].Checked, results[i].Last, results[i].Waiting})
	}
	f.keep(results)

	f.seal()
	require.Zero(t, f.seal(), "each row once")
	short := f.verify(chain.Options{Short: true, Head: results[0].Head})
	require.Empty(t, findings(short))
	require.False(t, short[0].HasHead, "it begins after the head")
	require.EqualValues(t, []int64{1, 3, 0}, []int64{short[0].Checked, short[0].Last, short[0].Waiting})
	whole := f.verify(chain.Options{Head: results[0].Head})
	require.True(t, whole[0].HasHead, "what was a head remains part of the chain")
	require.False(t, whole[1].HasHead)
	require.Equal(t, short[0].Head, whole[0].Head)
}

// Each case is what a superuser can do who has disabled the triggers. The finding names the row.
// Rows 3 and 4 were added since the latest verification.
func TestVerify_manipulations(t *testing.T) {
	t.Parallel()
	const late = "3"
	insert := func(id, key string) string {
		return `insert into ledger.transfers (id, key, kind, request_hash, entry_count, at) overriding system value
			values (` + id + `, '` + key + `', 'test', '', 2, now())`
	}
	swap := func(table, column, key, a, b string) string {
		return fmt.Sprintf(`update %[1]s set %[2]s = -%[4]s where %[3]s = %[4]s; update %[1]s set %[2]s = %[4]s where %[3]s = %[5]s;
			update %[1]s set %[2]s = %[5]s where %[2]s = -%[4]s`, table, column, key, a, b)
	}
	const gone = `delete from ledger.entries where transfer_id = 3; delete from ledger.transfers where id = 3`
	for name, c := range map[string]struct{ sql, finding string }{
		"amount edited":           {`update ledger.entries set amount = amount * 2 where transfer_id = 3`, "transfer 3 or its seal 3 was changed"},
		"balance edited":          {`update ledger.entries set balance_after = 7 where transfer_id = 3 and version > 0`, "transfer 3 or"},
		"key edited":              {`update ledger.transfers set key = 'x' where id = 3`, "transfer 3 or its seal 3 was changed"},
		"reason edited":           {`update ledger.transfers set reason = '' where id = 3`, "transfer 3 or its seal 3 was changed"},
		"time edited":             {`update ledger.transfers set recorded_at = recorded_at + interval '1 us' where id = 3`, "transfer 3 or its seal 3"},
		"texts moved":             {`update ledger.transfers set key = key || left(kind, 1), kind = substr(kind, 2) where id = 3`, "transfer 3 or"},
		"account of another":      {`update ledger.accounts set owner_id = gen_random_uuid() where kind = 'wallet'`, "transfer 1 or its seal 1"},
		"entry removed":           {`delete from ledger.entries where transfer_id = 3 and amount < 0`, "transfer 3 or its seal 3 was changed"},
		"entry inserted":          {`insert into ledger.entries (transfer_id, account_id, currency, amount, at) values (3, 99, 'USD', 1, now())`, "transfer 3 or"},
		"entry of no transfer":    {`insert into ledger.entries (transfer_id, account_id, currency, amount, at) values (99, 1, 'USD', 1, now())`, "transfer 99, which does not exist"},
		"transfer removed":        {gone, "transfer 3 was removed (seal 3)"},
		"with its seal":           {gone + `; delete from chain.transfer_seals where seq = 3`, "seals 3 to 3 are missing before transfer 4"},
		"transfer inserted":       {gone + `; delete from chain.transfer_seals where seq = 3;` + insert(late, "x"), "seals 3 to 3 are missing before transfer 4"},
		"transfer inserted below": {insert("-1", "x"), "transfer -1 has no seal"},
		"transfers swapped":       {`alter table ledger.transfers alter id set generated by default; ` + swap("ledger.transfers", "id", "id", "3", "4"), "transfer 3 or its seal 3 was changed"},
		"seals swapped":           {swap("chain.transfer_seals", "row_id", "seq", "3", "4"), "transfer 4 or its seal 3 was changed"},
		"seal edited":             {`update chain.transfer_seals set hash = sha256('') where seq = 3`, "transfer 3 or its seal 3 was changed"},
		"seal of another version": {`update chain.transfer_seals set version = 2 where seq = 3`, "unknown version 2"},
		"end cut off": {`delete from ledger.entries where transfer_id > 2; delete from ledger.transfers where id > 2;
			delete from chain.transfer_seals where seq > 2`, "seals 3 to 4, the last ones, are missing"},
		"end cut off, and said so": {`delete from ledger.entries where transfer_id > 2; delete from ledger.transfers where id > 2;
			delete from chain.transfer_seals where seq > 2; update chain.progress set sealed = 2`, "seal 4, the last one when"},
		"head of a day edited": {`update chain.heads set hash = sha256('') where seq = 4`, "seal 4 is not the one that"},
		"what was done edited": {`update audit_log set details = '{"n": 7}' where id = 3`, "entry of the audit log 3 or its seal 3 was changed"},
		"who did it edited":    {`update audit_log set actor_id = gen_random_uuid() where id = 3`, "entry of the audit log 3 or its seal 3 was changed"},
		"deed removed":         {`delete from audit_log where id = 3`, "entry of the audit log 3 was removed"},
		"log gone":             {`truncate audit_log`, "entry of the audit log 1 was removed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.keep(f.verify(chain.Options{}))
			f.add(2)
			f.seal()
			f.exec(`insert into chain.heads select 'transfers', '2026-11-30', seq, hash from chain.transfer_seals where seq = 4`)
			require.Empty(t, findings(f.verify(chain.Options{})))
			f.unguarded(c.sql)
			found := findings(f.verify(chain.Options{}))
			require.NotEmpty(t, found)
			require.Contains(t, strings.Join(found, "\n"), c.finding)
			if strings.HasSuffix(c.finding, "1") || strings.Contains(c.sql, "-1") {
				return // of rows verified before, which only a whole verification reads
			}
			found = findings(f.verify(chain.Options{Short: true}))
			require.Contains(t, strings.Join(found, "\n"), strings.ReplaceAll(c.finding, "log 1 ", "log 3 "), "short")
		})
	}
}

// Broken chains are verified whole, and sealing goes on behind a gap, which stays visible.
func TestVerify_after_finding(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.keep(f.verify(chain.Options{}))
	f.add(1)
	f.seal()
	f.unguarded(`delete from chain.transfer_seals where seq = 3; delete from ledger.entries where transfer_id = 3;
		delete from ledger.transfers where id = 3`)
	results := f.verify(chain.Options{Short: true})
	require.Equal(t, []string{"seals 3 to 3, the last ones, are missing"}, findings(results))
	f.keep(results)
	f.add(1)
	f.seal()
	results = f.verify(chain.Options{Short: true})
	require.True(t, results[0].Whole)
	require.False(t, results[1].Whole)
	require.Equal(t, []string{"seals 3 to 3 are missing before transfer 4"}, findings(results))
	state, err := chain.Verified(t.Context(), f.db.Worker())
	require.NoError(t, err)
	require.True(t, noon.Equal(state.Checked) && noon.Equal(state.Whole))
}

// Whoever removed the latest rows with their seals and heads is found only by a head that was
// stored elsewhere.
func TestVerify_stored_head(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	head := f.verify(chain.Options{})[0].Head
	f.unguarded(`delete from ledger.entries where transfer_id = 2; delete from ledger.transfers where id = 2;
		delete from chain.transfer_seals where seq = 2; delete from chain.heads;
		update chain.progress set sealed = 1 where chain = 'transfers'`)
	results := f.verify(chain.Options{Head: head})
	require.Empty(t, findings(results))
	require.False(t, results[0].HasHead || results[1].HasHead)
}

// A new column of a sealed table needs a new version of the canonical form.
func TestCanonical_columns(t *testing.T) {
	t.Parallel()
	rows, err := dbtest.New(t).Owner().Query(t.Context(), `
		select table_name || ': ' || string_agg(column_name, ', ' order by ordinal_position) from information_schema.columns
		 where (table_schema, table_name) in (('ledger', 'transfers'), ('ledger', 'entries'), ('public', 'audit_log'))
		 group by table_name order by 1`)
	require.NoError(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{
		"audit_log: id, at, actor_id, action, subject, details",
		"entries: transfer_id, account_id, currency, amount, balance_after, version, at, xid", // xid is left out
		"transfers: id, key, kind, request_hash, entry_count, actor_id, reason, at, recorded_at",
	}, columns)
}

func TestRights(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	refused := func(db *pgxpool.Pool, code, sql string) {
		t.Helper()
		_, err := db.Exec(t.Context(), sql)
		var pgErr *pgconn.PgError
		require.ErrorAs(t, err, &pgErr, sql)
		require.Equal(t, code, pgErr.Code, sql)
	}
	const insufficientPrivilege, restrictViolation = "42501", "23001"
	for _, table := range []string{"transfer_seals", "audit_seals", "heads", "progress"} {
		refused(f.db.API(), insufficientPrivilege, `select from chain.`+table)
		refused(f.db.API(), insufficientPrivilege, `insert into chain.`+table+` default values`)
		refused(f.db.Worker(), insufficientPrivilege, `delete from chain.`+table)
		refused(f.db.Worker(), insufficientPrivilege, `truncate chain.`+table)
		if table == "progress" {
			continue
		}
		refused(f.db.Worker(), insufficientPrivilege, `update chain.`+table+` set seq = seq`)
		refused(f.db.Owner(), restrictViolation, `update chain.`+table+` set seq = seq`)
		refused(f.db.Owner(), restrictViolation, `delete from chain.`+table)
		refused(f.db.Owner(), restrictViolation, `truncate chain.`+table)
	}
}
