package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// An advisory lock, since reporting, crediting and paying out the same ID touch different rows.
const sqlLockTransaction = `select pg_advisory_xact_lock(hashtextextended('wallet.transaction:' || @transaction, 0))`

// lockTransaction lets no other transaction decide about the same transaction ID until this one
// ends. Lock order: after the subject's row, before the ledger.
func lockTransaction(ctx context.Context, tx *postgres.Tx, transaction string) error {
	return postgres.Exec(ctx, tx, "wallet.lock_transaction", sqlLockTransaction, pgx.NamedArgs{"transaction": transaction})
}

// A payout counts from the moment an admin requests to book it, whatever becomes of the request:
// the money may have been sent.
const sqlIsPayout = `
select exists (select from withdrawals where transaction_id = @transaction)
    or exists (select from operations where kind = 'withdrawal_send' and params->>'transactionId' = @transaction)`

// isPayout reports whether a transaction ID is that of a payout that the platform made, or that an
// admin has asked to book.
func isPayout(ctx context.Context, q postgres.Querier, transaction string) (bool, error) {
	return postgres.Value[bool](ctx, q, "wallet.is_payout", sqlIsPayout, pgx.NamedArgs{"transaction": transaction})
}

const sqlTransactionTaken = `
select exists (select from withdrawals where transaction_id = @transaction)
    or exists (select from deposits where transaction_id = @transaction and status <> 'Failed')`

// transactionTaken reports whether a transaction ID is that of another payout, or of a deposit that
// has not failed.
func transactionTaken(ctx context.Context, q postgres.Querier, transaction string) (bool, error) {
	return postgres.Value[bool](ctx, q, "wallet.transaction_taken", sqlTransactionTaken, pgx.NamedArgs{"transaction": transaction})
}

const sqlPaidInBy = `
select u.username from deposits d join users u on u.id = d.user_id
 where d.transaction_id = @transaction and d.status = 'completed' and d.id <> @id`

// creditedTo returns the username of the user to whom another deposit with the transaction ID of d
// was credited, or "" if there is none.
func creditedTo(ctx context.Context, q postgres.Querier, d Deposit) (string, error) {
	username, _, err := postgres.Optional(postgres.Value[string](ctx, q, "wallet.credited_to", sqlPaidInBy,
		pgx.NamedArgs{"transaction": d.TransactionID, "id": d.ID}))
	return username, err
}

type rivalRow struct {
	ID            uuid.UUID
	TransactionID string
	UserID        uuid.UUID
	Username      string
	ProfilePic    string
	IsStaff       bool
	Closed        bool
	IsVerified    bool
	UserSince     time.Time
	PaymentMethod string
	ClaimedAmount int64
	Status        DepositStatus
	CreatedAt     time.Time
}

// maxRivals limits how many rival claims to one transaction ID are shown. More than a few are an
// attack.
const maxRivals = 20

const sqlRivals = `
select r.id, r.transaction_id, r.user_id, u.username, u.profile_pic, u.is_admin as is_staff,
       u.closed_at is not null as closed, u.is_verified, u.created_at as user_since,
       r.payment_method, r.claimed_amount, r.status, r.created_at
  from (select d.id, d.transaction_id, d.user_id, d.payment_method, d.claimed_amount, d.status, d.created_at,
               row_number() over (partition by d.transaction_id order by d.status = 'completed' desc, d.created_at, d.id) as place
          from deposits d where d.transaction_id = any (@transactions) and d.status <> 'Failed') r
  join users u on u.id = r.user_id
 where r.place <= @limit
 order by r.place`

// addRivals adds other users' claims to the same payment to each disputed deposit, the credited one
// first.
func addRivals(ctx context.Context, q postgres.Querier, list []QueuedDeposit) error {
	var disputed []string
	for _, d := range list {
		if d.Disputed {
			disputed = append(disputed, d.TransactionID)
		}
	}
	if len(disputed) == 0 {
		return nil
	}
	args := pgx.NamedArgs{"transactions": disputed, "limit": maxRivals + 1}
	rows, err := postgres.Many[rivalRow](ctx, q, "wallet.list_rivals", sqlRivals, args)
	if err != nil {
		return err
	}
	for i, d := range list {
		for _, r := range rows {
			if d.Disputed && r.TransactionID == d.TransactionID && r.UserID != d.User.ID {
				list[i].Rivals = append(list[i].Rivals, r.rival())
			}
		}
	}
	return nil
}

func (r rivalRow) rival() Rival {
	return Rival{
		ID: r.ID, User: user.Ref{ID: r.UserID, Username: r.Username, ProfilePic: r.ProfilePic, IsStaff: r.IsStaff, Closed: r.Closed},
		Verified: r.IsVerified, UserSince: r.UserSince, Method: r.PaymentMethod, Amount: money.Cents(r.ClaimedAmount),
		Status: r.Status, CreatedAt: r.CreatedAt,
	}
}
