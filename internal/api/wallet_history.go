package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/queue/jobs"
)

func (s *Server) registerWalletHistory() {
	register(s, endpoint{
		id: "wallet-history", method: http.MethodGet, path: "/wallet/history", tag: "Wallet",
		summary: "Everything that moved the user's balance in the last days, oldest first",
	}, s.walletHistory)
	s.registerStatements()
}

// Days of a wallet's history.
const (
	defaultHistoryDays = 30
	maxHistoryDays     = 365
)

// WalletHistoryInput is the query of /wallet/history.
type WalletHistoryInput struct {
	Days queryNumber `query:"days" doc:"From 1 to 365; 30 by default." example:"30"`
}

// WalletHistory is the movements that led to the user's balance.
type WalletHistory struct {
	From      time.Time        `json:"from"`
	To        time.Time        `json:"to" doc:"Now, in business time."`
	Opening   money.Cents      `json:"opening" doc:"The balance before the first of the movements." example:"0"`
	Movements []WalletMovement `json:"movements"`
	Complete  bool             `json:"complete" doc:"false: there were more than 1,000, and the oldest are left out."`
}

// WalletMovement is a credit or debit of the wallet.
type WalletMovement struct {
	Kind         MovementKind `json:"kind"`
	Subject      string       `json:"subject" doc:"deal:{id}, deposit:{id}, withdrawal:{id}, reward:{id} or adjustment:{id}" example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Amount       money.Cents  `json:"amount" doc:"Below zero: it left the wallet." example:"500"`
	BalanceAfter money.Cents  `json:"balanceAfter" example:"399.99"`
	At           time.Time    `json:"at"`
	Reason       *string      `json:"reason" doc:"Of a correction, as an admin wrote it; null for other movements." example:"A deposit was credited twice."`
}

// MovementKind is the kind of the money operation that moved the balance.
type MovementKind string

// Schema documents MovementKind.
func (MovementKind) Schema(huma.Registry) *huma.Schema {
	return enumSchema(jobs.KindDealPay, jobs.KindDealComplete, jobs.KindDealRefund, jobs.KindDealSettle, jobs.KindReferralCredit,
		jobs.KindDepositApprove, jobs.KindWithdrawalHold, jobs.KindWithdrawalReject,
		jobs.KindWithdrawalCancel, jobs.KindBalanceAdjust)
}

func (s *Server) walletHistory(ctx context.Context, in *WalletHistoryInput) (*output[WalletHistory], error) {
	days, err := wholeNumber("days", in.Days, defaultHistoryDays, 0)
	if err != nil {
		return nil, err
	}
	if days > maxHistoryDays {
		return nil, fault.Field("days", "days_too_many", "days must be at most 365.")
	}
	now := s.clock.Now()
	from := now.AddDate(0, 0, -days)
	history, err := s.reports.WalletHistory(ctx, actor(ctx).ID, from)
	return respond(WalletHistory{
		From: from.UTC(), To: now.UTC(), Opening: history.Opening, Complete: history.Complete,
		Movements: mapped(history.Movements, walletMovement),
	}), err
}
