package main

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/money/ledger"
	"amanat/internal/testing/dbtest"
)

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
insert into operations (id, kind, subject, actor_id, params, status, error_code, error_reason, error_message, created_at, finished_at, request_id)
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
	require.Regexp(t, `closing +0\.00 *\n$`, out.stdout.String(), "of the user whose name is the ID of the deal")
	var looks int
	require.NoError(t, db.Owner().QueryRow(t.Context(), `
		select count(*) from audit_log
		 where action = 'deal.statement' and subject in ('deal:' || $1::uuid, 'deal:' || $2::uuid) and actor_id is null
		   and details ->> 'buyer' = $3::uuid::text and details ->> 'seller' = $4::uuid::text`, deal, removed, buyer, seller).Scan(&looks))
	require.Equal(t, 3, looks)
}
