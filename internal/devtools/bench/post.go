package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/actor"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
)

const (
	walletCount  = 1000
	postedAmount = money.Cents(100)
	postedFee    = money.Cents(2)
)

type legsOf func(from, to uuid.UUID) []ledger.Leg

func spreadLegs(from, to uuid.UUID) []ledger.Leg {
	return []ledger.Leg{ledger.Move(ledger.Wallet(from), ledger.Wallet(to), postedAmount)}
}

func feeLegs(from, to uuid.UUID) []ledger.Leg {
	return []ledger.Leg{
		ledger.Move(ledger.Wallet(from), ledger.Wallet(to), postedAmount-postedFee),
		ledger.Move(ledger.Wallet(from), ledger.Fees(), postedFee),
	}
}

// post measures transfers between alternating wallets, one per transaction.
func (e *environment) post(ctx context.Context, legs legsOf) (Sample, error) {
	e.posted++
	var next atomic.Int64
	return closedLoop(ctx, e.options.Clients, e.options.Duration, func(ctx context.Context, _ int) error {
		n := next.Add(1)
		// Never the same wallet, because 6n+1 is odd.
		from, to := e.wallets[n%walletCount], e.wallets[(n*7+1)%walletCount]
		return e.postTransfer(ctx, e.ledger, fmt.Sprintf("bench:%d:%d", e.posted, n), legs(from, to))
	})
}

// fillWallet posts a balance that cannot be spent during a run. The money comes from the exchange
// account, as that of deposits does.
func (e *environment) fillWallet(ctx context.Context, worker *pgxpool.Pool, owner uuid.UUID) error {
	legs := []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(owner), money.MaxPrice)}
	return e.postTransfer(ctx, worker, "bench:fill:"+owner.String(), legs)
}

func (e *environment) postTransfer(ctx context.Context, worker *pgxpool.Pool, key string, legs []ledger.Leg) error {
	return postgres.WithTx(ctx, worker, func(tx *postgres.Tx) error {
		return ledger.Post(ctx, tx, ledger.Transfer{Key: key, Kind: "bench", Legs: legs, At: time.Now()})
	})
}

// postDeposit posts an approved deposit (see insertDeposits) that cannot be spent during a run.
func postDeposit(ctx context.Context, worker *pgxpool.Pool, depositID, owner, by uuid.UUID) error {
	bkash, err := ledger.Mobile("Bkash")
	if err != nil {
		return err
	}
	return postgres.WithTx(ctx, worker, func(tx *postgres.Tx) error {
		return ledger.Post(ctx, tx, ledger.Transfer{
			Key: ledger.DepositApprove.Key(depositID), Kind: "deposit_approve", Actor: actor.User(by), At: time.Now(),
			Legs: []ledger.Leg{
				ledger.MoveBDT(bkash, ledger.ExchangeBDT(), money.Poisha(money.MaxPrice)),
				ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(owner), money.MaxPrice),
			},
		})
	})
}
