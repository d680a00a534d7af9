package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
)

func (s *Server) registerPayoutNumbers() {
	const tag = "Wallet"
	register(s, endpoint{
		id: "payout-numbers", method: http.MethodGet, path: "/wallet/payout-numbers", tag: tag,
		summary: "The numbers that the user has saved for withdrawals, by name",
	}, s.payoutNumbers)
	registerIdempotent(s, endpoint{
		id: "payout-number-save", method: http.MethodPost, path: "/wallet/payout-numbers", tag: tag, status: http.StatusCreated,
		summary: "Save a number for withdrawals, up to ten; withdrawals to it are held as those to any new number",
		codes:   []fault.Code{fault.Conflict, fault.Duplicate},
	}, false, s.savePayoutNumber)
	register(s, endpoint{
		id: "payout-number-rename", method: http.MethodPatch, path: "/wallet/payout-numbers/{id}", tag: tag,
		summary: "Rename one of one's saved numbers",
	}, s.renamePayoutNumber)
	register(s, endpoint{
		id: "payout-number-remove", method: http.MethodDelete, path: "/wallet/payout-numbers/{id}", tag: tag,
		summary: "Remove one of one's saved numbers",
	}, s.removePayoutNumber)
}

// PayoutNumber is a number that the user has saved for withdrawals.
type PayoutNumber struct {
	ID            uuid.UUID  `json:"_id"`
	Name          string     `json:"name" example:"My bKash"`
	PaymentMethod string     `json:"paymentMethod" enum:"Bkash,Nagad"`
	PhoneNumber   string     `json:"phoneNumber" example:"01712345678"`
	LastSentAt    *time.Time `json:"lastSentAt" doc:"When a withdrawal was last sent to it; null if none was."`
	CreatedAt     time.Time  `json:"createdAt"`
}

func payoutNumberOf(n wallet.PayoutNumber) PayoutNumber { return PayoutNumber(n) }

// PayoutNumbers are the numbers that a user has saved.
type PayoutNumbers struct {
	Numbers []PayoutNumber `json:"numbers"`
}

func (s *Server) payoutNumbers(ctx context.Context, _ *struct{}) (*output[PayoutNumbers], error) {
	list, err := s.wallet.PayoutNumbers(ctx, actor(ctx).ID)
	return respond(PayoutNumbers{mapped(list, payoutNumberOf)}), err
}

// PayoutNumberBody is the body that saves a number.
type PayoutNumberBody struct {
	Name          string `json:"name" doc:"1 to 40 characters." example:"My bKash"`
	PaymentMethod string `json:"paymentMethod" enum:"Bkash,Nagad"`
	PhoneNumber   string `json:"phoneNumber" doc:"11 digits that start with 01." example:"01712345678"`
}

// PayoutNumberChange is the answer to saving or renaming a number.
type PayoutNumberChange struct {
	catalog.Outcome
	Number PayoutNumber `json:"number"`
}

func (s *Server) savePayoutNumber(
	ctx context.Context, in *struct{ Payload Payload[PayoutNumberBody] },
) (*Settled[PayoutNumberChange], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	draft := wallet.PayoutNumberDraft{Name: body.Name, Method: body.PaymentMethod, PhoneNumber: body.PhoneNumber}
	saved, err := s.wallet.SavePayoutNumber(ctx, actor(ctx).ID, draft, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return settledWith(PayoutNumberChange{wallet.OutcomePayoutNumberSaved, payoutNumberOf(saved)}), nil
}

// PayoutNumberNameBody is the body that renames a number.
type PayoutNumberNameBody struct {
	Name string `json:"name" doc:"1 to 40 characters." example:"My bKash"`
}

// PayoutNumberNameInput renames a number.
type PayoutNumberNameInput struct {
	IDPath
	Payload Payload[PayoutNumberNameBody]
}

func (s *Server) renamePayoutNumber(ctx context.Context, in *PayoutNumberNameInput) (*output[PayoutNumberChange], error) {
	if err := s.wallet.RequirePayoutNumber(ctx, actor(ctx).ID, pathID(ctx)); err != nil {
		return nil, err
	}
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	renamed, err := s.wallet.RenamePayoutNumber(ctx, actor(ctx).ID, pathID(ctx), body.Name)
	return respond(PayoutNumberChange{wallet.OutcomePayoutNumberRenamed, payoutNumberOf(renamed)}), err
}

func (s *Server) removePayoutNumber(ctx context.Context, _ *IDPath) (*output[Message], error) {
	err := s.wallet.RemovePayoutNumber(ctx, actor(ctx).ID, pathID(ctx))
	return respond(Message{wallet.OutcomePayoutNumberRemoved}), err
}
