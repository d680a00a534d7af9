package dbtest

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// sqlFund inserts an approved deposit with its operation, its entry in the audit log and its ledger
// transfer.
const sqlFund = `
with deposit as (
  insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount,
                        status, created_at, handled_at)
  values (@id::uuid, @user::uuid, 'Bkash', @transaction, @cents::bigint, @cents::bigint, 123, @cents::bigint * 123,
          'completed', @now::timestamptz, @now::timestamptz)
  returning id, amount, converted_amount
), operation as (
  insert into operations (id, kind, subject, params, status, result, created_at, finished_at)
  select id, 'deposit_approve', 'deposit:' || id, jsonb_build_object('amount', amount / 100.0), 'done', '{}', @now::timestamptz,
         @now::timestamptz
    from deposit
), audited as (
  insert into audit_log (at, action, subject, details)
  select @now, 'deposit.approve', 'deposit:' || id, jsonb_build_object('amount', amount / 100.0) from deposit
)
select p.outcome
  from deposit d, ledger.post('deposit:' || d.id || ':approve', 'deposit_approve', @now::timestamptz, null, null,
         array['bkash', 'exchange', 'exchange', 'wallet'], array[null, null, null, @user::uuid]::uuid[], array['BDT', 'BDT', 'USD', 'USD'],
         array[-d.converted_amount, d.converted_amount, -d.amount, d.amount]) p`

// Fund credits a user as an approved deposit does, so that the books balance.
func (db *DB) Fund(userID uuid.UUID, cents int64) {
	db.tb.Helper()
	id, err := uuid.NewV7()
	require.NoError(db.tb, err)
	var outcome string
	require.NoError(db.tb, db.Owner().QueryRow(db.tb.Context(), sqlFund, pgx.NamedArgs{
		"id": id, "user": userID, "transaction": strings.ToUpper(uuid.NewString()[24:]), "cents": cents, "now": time.Now(),
	}).Scan(&outcome))
	require.Equal(db.tb, "posted", outcome)
}
