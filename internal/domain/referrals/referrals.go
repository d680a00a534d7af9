// Package referrals rewards users who refer others: with 1% of the price of every completed deal of
// a referred user, out of the fee (docs/rules.md#referral).
package referrals

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Notifier notifies a user of a change, in the transaction that makes it.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Service returns users' referral statistics.
type Service struct {
	DB postgres.DB
}

// Settler records rewards and settles their credits. It is for workers.
type Settler struct {
	DB         postgres.DB
	Share      int // percent of a deal's fee that its rewards may take together, 0 to 100
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
}

// Stats are a user's referrals and what they have earned with them.
type Stats struct {
	Referred int         // users who signed up with the user's code
	Earnings money.Cents // credited so far
}

// Stats returns a user's referral statistics.
func (s *Service) Stats(ctx context.Context, userID uuid.UUID) (Stats, error) {
	return readStats.One(ctx, s.DB, postgres.Args{"user": userID})
}

// Owe records the rewards for a completed deal to the referrers of its parties, requests each
// credit, and returns the sum, which the caller moves to the account of payable rewards. Neither
// party is rewarded for their own deal, and a user who referred both parties is rewarded once. Two
// users who referred one party each may together take the whole fee, so that such a group trades
// free of charge; Share bounds what they take.
func (s *Settler) Owe(
	ctx context.Context, tx *postgres.Tx, dealID, buyerID, sellerID uuid.UUID, price, fee money.Cents,
) (money.Cents, error) {
	referred, err := referrersOf.Many(ctx, tx, postgres.Args{"buyer": buyerID, "seller": sellerID})
	if err != nil {
		return 0, err
	}
	reward := rewardOf(price, fee, s.Share, len(referred))
	if reward == 0 {
		return 0, nil
	}
	var total money.Cents
	for _, b := range referred {
		id, err := s.owe(ctx, tx, dealID, b, reward)
		if err != nil {
			return 0, err
		}
		credit := creditOf(id)
		s.Operations.Begin(ctx, tx, &credit)
		if err := s.Operations.Enqueue(ctx, tx, &credit); err != nil {
			return 0, err
		}
		total += reward
	}
	return total, nil
}

func creditOf(reward uuid.UUID) operations.Request {
	return operations.Request{
		Kind: jobs.KindReferralCredit, Subject: operations.Reward(reward), Actor: actor.System(), Params: struct{}{},
	}
}

const (
	creditAgainAfter = 24 * time.Hour
	creditsAtOnce    = 100
)

// RequestCredits requests again the credits of rewards that are still owed a day after they were
// requested, because an operator has ended their operations. It returns how many it requested.
func (s *Settler) RequestCredits(ctx context.Context) (int64, error) {
	owed, err := listOwed.Many(ctx, s.DB, postgres.Args{"before": s.Clock.Now().Add(-creditAgainAfter), "limit": creditsAtOnce})
	if err != nil {
		return 0, err
	}
	for n, id := range owed {
		credit := creditOf(id)
		err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
			s.Operations.Begin(ctx, tx, &credit)
			return s.Operations.Enqueue(ctx, tx, &credit) // whoever comes second finds the operation pending
		})
		if err != nil {
			return int64(n), err
		}
	}
	return int64(len(owed)), nil
}

// rewardOf returns the reward of each referrer: the reward of the price, or less if all together
// would exceed the share, in percent, of the fee. The remainder of the division stays with the
// provider.
func rewardOf(price, fee money.Cents, share, referrers int) money.Cents {
	if referrers == 0 {
		return 0
	}
	return min(money.Reward(price), fee*money.Cents(share)/100/money.Cents(referrers))
}

func (s *Settler) owe(ctx context.Context, tx *postgres.Tx, dealID uuid.UUID, b referralRow, reward money.Cents) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.UUID{}, err
	}
	return id, insertReward(ctx, tx, id, dealID, b, reward, s.Clock.Now())
}

// SettleCredit pays a reward into the referrer's wallet.
func (s *Settler) SettleCredit(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	r, err := lockReward.One(ctx, tx, postgres.Args{"id": id})
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:  ledger.RewardCredit.Key(id),
		Kind: op.Kind,
		Legs: []ledger.Leg{ledger.Move(ledger.ReferralPayable(), ledger.Wallet(r.ReferrerID), money.Cents(r.Amount))},
		At:   now,
	})
	if err != nil {
		return nil, err
	}
	if err := setCredited(ctx, tx, id, now); err != nil {
		return nil, err
	}
	s.Events.WalletUpdated(tx, r.ReferrerID)
	params := catalog.Params{"amount": money.Cents(r.Amount).String()}
	return struct{}{}, s.Notices.Notify(ctx, tx, r.ReferrerID, catalog.ReferralCredited, params, "/refer")
}

// CreditRule allows only the system to credit rewards: credits follow from deals.
func CreditRule() operations.Rule { return operations.Always[struct{}](operations.BySystem) }
