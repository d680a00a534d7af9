package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/platform/actor"
	"amanat/internal/platform/postgres"
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
		ledger.Move(ledger.Wallet(from), ledger.Wallet(to), postedAmount-postedFee), ledger.Move(ledger.Wallet(from), ledger.Fees(), postedFee),
	}
}

// post measures postings, one a transaction, between wallets that take turns.
func (m *market) post(ctx context.Context, legs legsOf) (Sample, error) {
	m.posted++
	var next atomic.Int64
	return closedLoop(ctx, m.options.Clients, m.options.Duration, func(ctx context.Context, _ int) error {
		n := next.Add(1)
		from, to := m.wallets[n%walletCount], m.wallets[(n*7+1)%walletCount] // never the same: 6n+1 is odd
		return m.book(ctx, m.ledger, fmt.Sprintf("bench:%d:%d", m.posted, n), legs(from, to))
	})
}

// fill makes an account's balance what nobody can spend during a bench. The money comes from where deposits come from.
func (m *market) fill(ctx context.Context, worker *pgxpool.Pool, owner uuid.UUID) error {
	return m.book(ctx, worker, "bench:fill:"+owner.String(), []ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(owner), money.MaxPrice)})
}

func (m *market) book(ctx context.Context, worker *pgxpool.Pool, key string, legs []ledger.Leg) error {
	return postgres.WithTx(ctx, worker, func(tx *postgres.Tx) error {
		return ledger.Post(ctx, tx, ledger.Transfer{Key: key, Kind: "bench", Legs: legs, At: time.Now()})
	})
}

// credit posts an approved deposit, see insertDeposits: more than anybody can spend during a bench.
func credit(ctx context.Context, worker *pgxpool.Pool, depositID, owner, by uuid.UUID) error {
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
