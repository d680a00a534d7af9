// Package referrals rewards those who bring friends: 1% of the price of every completed deal of a friend, out of the fee (DESIGN §3 rule 2).
package referrals

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/clock"
	"amanat/internal/ledger"
	"amanat/internal/money"
	"amanat/internal/operations"
	"amanat/internal/postgres"
	"amanat/internal/realtime"
	"amanat/internal/texts"
	"amanat/queue/jobs"
)

// Notifier tells one person of something, in the transaction that made it true.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind texts.Kind, params texts.Params, link string) error
}

// Service holds the use cases of referrals. Workers call Owe and SettleCredit, the api calls Stats.
type Service struct {
	DB         postgres.DB
	Clock      clock.Clock
	Operations *operations.Service
	Events     *realtime.Log
	Notices    Notifier
}

// Stats are what a user has earned by bringing friends.
type Stats struct {
	Referred int         // friends who signed up with the user's code
	Earnings money.Cents // credited so far
}

// Stats returns a user's own.
func (s *Service) Stats(ctx context.Context, userID uuid.UUID) (Stats, error) {
	return stats(ctx, s.DB, userID)
}

// Owe writes down what a completed deal owes to those who brought its parties, asks for each credit, and returns the sum, which the
// caller moves to the account of what is payable. Nobody is rewarded for his own deal, and who brought both parties is rewarded once, so
// that a ring of friends cannot trade for nothing.
func (s *Service) Owe(ctx context.Context, tx *postgres.Tx, dealID, buyerID, sellerID uuid.UUID, price money.Cents) (money.Cents, error) {
	reward := money.Reward(price)
	if reward == 0 {
		return 0, nil
	}
	brought, err := referrersOf(ctx, tx, buyerID, sellerID)
	if err != nil {
		return 0, err
	}
	var total money.Cents
	for _, b := range brought {
		id, err := s.owe(ctx, tx, dealID, b, reward)
		if err != nil {
			return 0, err
		}
		opID, err := uuid.NewV7()
		if err != nil {
			return 0, err
		}
		err = s.Operations.Follow(ctx, tx, operations.Request{
			ID: opID, Kind: jobs.KindReferralCredit, Subject: operations.Reward(id), Params: struct{}{},
		})
		if err != nil {
			return 0, err
		}
		total += reward
	}
	return total, nil
}

func (s *Service) owe(ctx context.Context, tx *postgres.Tx, dealID uuid.UUID, b broughtRow, reward money.Cents) (uuid.UUID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return uuid.Nil, err
	}
	return id, insertReward(ctx, tx, id, dealID, b, reward, s.Clock.Now())
}

// SettleCredit pays a reward into the referrer's wallet.
func (s *Service) SettleCredit(ctx context.Context, tx *postgres.Tx, op operations.Operation) (any, error) {
	id, err := op.SubjectID()
	if err != nil {
		return nil, err
	}
	r, err := lockReward(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	err = ledger.Post(ctx, tx, ledger.Transfer{
		Key:  "reward:" + id.String() + ":credit",
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
	params := texts.Params{"amount": money.Cents(r.Amount).String()}
	return struct{}{}, s.Notices.Notify(ctx, tx, r.ReferrerID, texts.ReferralCredited, params, "/refer")
}
