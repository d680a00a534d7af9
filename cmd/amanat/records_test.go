package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/lib/webpush"
	"amanat/internal/money/chain"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/s3test"
)

// requireCorrections proposes corrections with each login that the api and the worker have.
func requireCorrections(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	out, err := amanat(t, "corrections", "list")
	require.NoError(t, err)
	require.Equal(t, "There are no corrections.\n", out.stdout.String())
	for want, args := range map[string][]string{
		"3 arguments expected": {"corrections", "propose", "rahim", "5"},
		`"five" is no amount`:  {"corrections", "propose", "rahim", "five", "A check"},
		"Enter a valid amount": {"corrections", "propose", "rahim", "0", "A check"},
		"User not found":       {"corrections", "propose", "nobody", "5", "A check"},
		"less than the debit":  {"corrections", "propose", "rahim", "-9000000", "A check"},
		"must be 1 to 1000":    {"corrections", "list", "--limit", "0"},
	} {
		_, err := amanat(t, args...)
		require.ErrorContains(t, err, want)
	}
	for login, url := range map[string]string{"api": db.APIURL, "worker": db.WorkerURL} {
		t.Setenv("DATABASE_URL", url)
		out, err := amanat(t, "corrections", "propose", "--note", "As "+login, "RAHIM", "+12.50", "A deposit was lost.")
		require.NoError(t, err, login)
		require.Regexp(t, `^Proposed \S+: \+12\.50 USD for rahim, who has \S+ USD\. An admin has to confirm it by .+\.\n$`, out.stdout.String())
	}
	out, err = amanat(t, "corrections", "list", "--open", "--limit", "1")
	require.NoError(t, err)
	require.Regexp(t, `rahim +12\.50 +open +operator +- +- +A deposit was lost\.\n1 of 2; --limit shows more\.\n$`, out.stdout.String())
	requireFields(t, "id proposedAt user amount status proposedBy decidedAt decidedBy expiresAt balance reason note",
		document(t, "corrections", "list"))
	var proposals, notices int
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select (select count(*) from audit_log where action = 'correction.propose' and actor_id is null),
		       (select count(*) from river.river_job where args ->> 'notice_kind' = 'admin_correction_operator')`).Scan(&proposals, &notices))
	require.Equal(t, 2, proposals)
	require.Equal(t, 2, notices)
}

// requireBlobs moves the picture of requireExport to an object storage.
func requireBlobs(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.WorkerURL)
	_, err := amanat(t, "move-blobs")
	require.ErrorContains(t, err, "BLOBS_URL: is required")
	server := s3test.Start(t)
	o := server.Options
	scheme, host, _ := strings.Cut(o.Endpoint, "://")
	t.Setenv("BLOBS_URL", scheme+"://"+o.AccessKey+":"+o.SecretKey+"@"+host+"/"+o.Bucket+"/"+o.Prefix+"?region="+o.Region)
	out, err := amanat(t, "move-blobs")
	require.NoError(t, err)
	require.Equal(t, "Moved: 1 files, 23 bytes.\n", out.stdout.String())
	require.Len(t, server.Files(), 1)

	path := filepath.Join(t.TempDir(), "nusrat.zip")
	_, err = amanat(t, "export-user", "nusrat", path)
	require.NoError(t, err)
	archive, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer func() { _ = archive.Close() }()
	pictures := 0
	for _, entry := range archive.File {
		if strings.HasPrefix(entry.Name, "pictures/") {
			require.EqualValues(t, 23, entry.UncompressedSize64)
			pictures++
		}
	}
	require.Equal(t, 1, pictures)
}

// requireChains verifies the chains, and finds a row that was changed.
func requireChains(t *testing.T, db *dbtest.DB) {
	t.Helper()
	for _, head := range []string{"x", "ab"} {
		_, err := amanat(t, "verify-chain", "--head", head)
		require.ErrorIs(t, err, errUsage)
	}
	sealed, err := (&chain.Sealer{DB: db.Worker()}).Seal(t.Context(), time.Now())
	require.NoError(t, err)
	require.Positive(t, sealed)
	out, err := amanat(t, "verify-chain")
	require.NoError(t, err)
	require.Regexp(t, `ok      audit: \d+ rows sealed, 0 not yet`, out.stdout.String())
	requireFields(t, "ok chains", document(t, "verify-chain"))
	head := regexp.MustCompile(`head \d+ ([0-9a-f]{64})`).FindStringSubmatch(out.stdout.String())
	require.NotEmpty(t, head)
	_, err = amanat(t, "verify-chain", "--head", head[1])
	require.NoError(t, err)
	out, err = amanat(t, "verify-chain", "--head", strings.Repeat("0", 64))
	require.ErrorIs(t, err, errChain)
	require.Contains(t, out.stdout.String(), "BROKEN  no seal has the hash 0000")

	_, err = db.Owner().Exec(t.Context(), `set session_replication_role = replica;
		update audit_log set action = 'nothing' where id = 1; set session_replication_role = default`)
	require.NoError(t, err)
	out, err = amanat(t, "verify-chain")
	require.ErrorIs(t, err, errChain)
	require.Contains(t, out.stdout.String(), "BROKEN  audit")
	require.Contains(t, out.stdout.String(), "entry of the audit log 1 or its seal 1 was changed")
}

// Deals of 10.00 between rahim and salma: one that the seller has cancelled, and one that was
// removed unpaid.
const (
	sqlCancelledDeal = `
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, activated_at,
                   closed_at, close_reason, refunded_amount)
select $1, b.id, s.id, s.id, 1000, 20, E'A channel\ttoday\nwith posts', 7, 'Cancelled by Seller', $2, $2, $2, $2, 'seller', 1000
  from users b, users s where b.username = 'rahim' and s.username = 'salma'
returning buyer_id, seller_id`
	sqlRemovedDeal = `
insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, created_at, due_at, removed_at)
select $1, b.id, s.id, s.id, 1000, 20, 'A logo', 7, $2, $2, $2
  from users b, users s where b.username = 'rahim' and s.username = 'salma'`
	sqlDealOperation = `
insert into operations (id, kind, subject, actor_id, params, status, error_code, error_reason, error_message, created_at, finished_at,
                        request_id)
values ($1, $2, 'deal:' || $3::uuid, $4, case $2 when 'deal_refund' then '{"reason": "seller"}'::jsonb else '{}' end, $5,
        case $5 when 'rejected' then 'conflict' end, case $5 when 'rejected' then 'deal_status' end,
        case $5 when 'rejected' then 'Refused.' end, $6, $6, nullif($7, ''))`
)

// requireDealStatements prints the statements of a cancelled deal, of a removed one and of none.
func requireDealStatements(t *testing.T, db *dbtest.DB) {
	t.Helper()
	t.Setenv("DATABASE_URL", db.APIURL)
	at := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := db.Owner().Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	deal, removed := uuid.New(), uuid.New()
	var buyer, seller uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), sqlCancelledDeal, deal, at).Scan(&buyer, &seller))
	exec(sqlRemovedDeal, removed, at)
	const refused, paid, cancelled = "019a5c1e-0000-7c3d-9e4f-000000000001", "019a5c1e-0000-7c3d-9e4f-000000000002", ""
	pay, refund := uuid.New(), uuid.New()
	exec(sqlDealOperation, uuid.New(), "deal_pay", deal, buyer, "rejected", at.Add(-time.Minute), refused)
	exec(sqlDealOperation, pay, "deal_pay", deal, buyer, "done", at, paid)
	exec(sqlDealOperation, refund, "deal_refund", deal, nil, "done", at, cancelled)
	escrow, wallet := ledger.Escrow(deal), ledger.Wallet(buyer)
	post := func(transfer ledger.Transfer) {
		t.Helper()
		transfer.At = at
		require.NoError(t, postgres.WithTx(t.Context(), db.Worker(), func(tx *postgres.Tx) error {
			return ledger.Post(t.Context(), tx, transfer)
		}))
	}
	post(ledger.Transfer{
		Key: ledger.DealPay.Key(deal), Kind: "deal_pay", Actor: actor.User(buyer), Legs: []ledger.Leg{ledger.Move(wallet, escrow, 10_00)},
	})
	post(ledger.Transfer{Key: ledger.DealClose.Key(deal), Kind: "deal_refund", Legs: []ledger.Leg{ledger.Move(escrow, wallet, 10_00)}})

	for _, name := range []string{deal.String(), "deal:" + deal.String()} {
		out, err := amanat(t, "statement", name)
		require.NoError(t, err)
		require.Regexp(t, `^Deal `+deal.String()+` "A channel today": buyer rahim, seller salma, price 10\.00, Cancelled by Seller
TIME +KIND +FROM +TO +AMOUNT +ESCROW +BY +OPERATION +CALL
2026-11-20 09:30:00Z +deal_pay +wallet of rahim +escrow +10\.00 +10\.00 +rahim +`+pay.String()+` +`+tracing.Reference(paid)+`
2026-11-20 09:30:00Z +deal_refund +escrow +wallet of rahim +10\.00 +0\.00 +system +`+refund.String()+` +-
$`, out.stdout.String())
	}
	out, err := amanat(t, "statement", removed.String())
	require.NoError(t, err)
	require.Equal(t, "Deal "+removed.String()+` "A logo": buyer rahim, seller salma, price 10.00, Pending, removed 2026-11-20 09:30:00Z
No money has moved.
`, out.stdout.String())
	_, err = amanat(t, "statement", uuid.NewString())
	require.ErrorContains(t, err, "Deal not found")

	out, err = amanat(t, "statement", "rahim")
	require.NoError(t, err)
	require.Regexp(t, `deal_pay +deal:`+deal.String()+` +salma +- +-10\.00 +\S+ +`+tracing.Reference(paid)+`\n`, out.stdout.String())
	require.Regexp(t, `deal_refund +deal:`+deal.String()+` +salma +- +10\.00 +\S+ +-\n`, out.stdout.String())

	exec("update users set username = $1 where username = 'karim'", deal.String())
	out, err = amanat(t, "statement", "--user", deal.String())
	require.NoError(t, err)
	require.Regexp(t, `closing +- .* 0\.00 +-\n$`, out.stdout.String(), "of the user whose name is the ID of the deal")
	var looks int
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select count(*) from audit_log
		 where action = 'deal.statement' and subject in ('deal:' || $1::uuid, 'deal:' || $2::uuid) and actor_id is null
		   and details ->> 'buyer' = $3::uuid::text and details ->> 'seller' = $4::uuid::text`, deal, removed, buyer, seller).Scan(&looks))
	require.Equal(t, 3, looks)
	requireFields(t, "opening closing lines", document(t, "statement", "rahim"))
	requireFields(t, "deal description buyer seller price status removedAt lines", document(t, "statement", deal.String()))
	require.Len(t, document(t, "operations", "list", "--deal", deal.String()), 3)
	require.Len(t, document(t, "operations", "list", "--deal", deal.String(), "--state", "rejected"), 1)
	require.Len(t, document(t, "operations", "list", "--user", "SALMA"), 3)
}

// trails are the commands with the actions that each records in the audit log; "" if it changes
// nothing. A new command needs an entry here and a call in TestRun_setup.
func trails() map[string]string {
	return map[string]string{
		"migrate": "database.migrate", "reconcile": "", "verify-chain": "", "set-rate": "exchange_rate.set",
		"operations show": "", "operations list": "user.statement deal.statement", "operations reject": "operation.reject",
		"jobs list": "", "jobs show": "", "jobs retry": "job.retry", "jobs cancel": "job.cancel",
		"queues list": "", "queues pause": "queue.pause", "queues resume": "queue.resume",
		"pauses": "", "pause": "pause.begin", "resume": "pause.end",
		"move-blobs":  "blobs.move",
		"grant-admin": "user.grant_admin", "revoke-admin": "user.revoke_admin",
		"verify-user": "user.verify", "disable-user": "user.disable", "enable-user": "user.enable",
		"reset-second-factor": "user.reset_second_factor", "statement": "user.statement deal.statement",
		"export-user": "user.export", "erase-user": "user.erase", "sessions list": "", "sessions end": "user.end_sessions",
		"corrections propose": "correction.propose", "corrections list": "", "trail": "user.trail",
		"hold-withdrawals": "user.hold_withdrawals", "release-withdrawals": "user.release_withdrawals",
		"vapid-keys": "", "version": "", "verify-backup": "",
	}
}

// requireTrails requires that every command that changes something has left an entry that says who
// ran it.
func requireTrails(t *testing.T, db *dbtest.DB) {
	t.Helper()
	rows, err := db.Owner().Query(t.Context(), `
		select action, bool_and(coalesce(details ->> 'ranBy' = $1, false)) from audit_log where actor_id is null group by action`, operator())
	require.NoError(t, err)
	signed := map[string]bool{}
	var action string
	var all bool
	_, err = pgx.ForEachRow(rows, []any{&action, &all}, func() error { signed[action] = all; return nil })
	require.NoError(t, err)
	require.NoError(t, rows.Err())
	for name := range leaves(newRoot(), "") {
		actions, known := trails()[name]
		require.True(t, known, "%s: does it change anything?", name)
		for action := range strings.FieldsSeq(actions) {
			require.True(t, signed[action], "%s leaves no %s, or one without who ran it", name, action)
		}
	}
}

func TestOperator(t *testing.T) {
	host, err := os.Hostname()
	require.NoError(t, err)
	t.Setenv("SUDO_USER", "")
	require.Regexp(t, `^[\w ]+@`+host+`$`, operator())
	t.Setenv("SUDO_USER", "karim")
	require.Regexp(t, `^[\w ]+@`+host+` \(karim\)$`, operator())
}

// The printed lines are an environment with a pair of keys, which is new each time.
func TestVAPIDKeys(t *testing.T) {
	t.Parallel()
	keys := func() webpush.Keys {
		out, err := amanat(t, "vapid-keys")
		require.NoError(t, err)
		values := map[string]string{}
		for line := range strings.Lines(out.stdout.String()) {
			name, value, found := strings.Cut(strings.TrimSpace(line), "=")
			require.True(t, found, line)
			values[name] = value
		}
		require.Len(t, values, 2)
		return webpush.Keys{Public: values["VAPID_PUBLIC_KEY"], Private: values["VAPID_PRIVATE_KEY"]}
	}
	one := keys()
	require.NoError(t, one.Check())
	require.NotEqual(t, one, keys())
}
