package api

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/wallet"
)

// AdminDepositsInput is the query of the deposits' queue.
type AdminDepositsInput struct {
	Paged
	Status string `query:"status" enum:"pending,completed,Failed"`
}

// AdminDeposits is a page of the deposits' queue.
type AdminDeposits struct {
	Success  bool           `json:"success"`
	Deposits []AdminDeposit `json:"deposits"`
	Pages
}

func (s *Server) adminDeposits(ctx context.Context, in *AdminDepositsInput) (*output[AdminDeposits], error) {
	status, err := oneOf("status", in.Status, wallet.DepositPending, wallet.DepositCompleted, wallet.DepositFailed)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.QueueDeposits(ctx, status, wallet.Page(slice))
	if err != nil {
		return nil, err
	}
	deposits, err := mappedOrFail(list, adminDepositOf)
	return respond(AdminDeposits{true, deposits, pagesOf(number, slice.Limit, total)}), err
}

// DepositHandled is the answer to an admin's action on a deposit.
type DepositHandled struct {
	Message string       `json:"message"`
	Deposit AdminDeposit `json:"deposit"`
}

func (s *Server) adminDepositClaim(ctx context.Context, _ *IDPath) (*output[DepositHandled], error) {
	claimed, err := s.wallet.ClaimDeposit(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := adminDepositOf(claimed)
	return respond(DepositHandled{wallet.MessageClaimed, wire}), err
}

// ApproveBody is the body of an approval.
type ApproveBody struct {
	Amount Amount `json:"amount" doc:"What is credited."`
	UserID string `json:"userId" format:"uuid" doc:"The owner of the deposit."`
	Reason string `json:"reason,omitempty" doc:"Why the amount is not what the user reported."`
}

// ApproveInput is an approval.
type ApproveInput struct {
	IDPath
	Payload Payload[ApproveBody]
}

func (s *Server) adminDepositApprove(ctx context.Context, in *ApproveInput) (*Settled[DepositHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	approval := wallet.Approval{Reason: body.Reason}
	if approval.Amount, err = body.Amount.read("amount"); err != nil {
		return nil, err
	}
	// A malformed owner is nobody, which the noun refuses in its turn.
	approval.UserID, _ = uuid.Parse(body.UserID)
	op, err := s.wallet.RequestApprove(ctx, actor(ctx).ID, pathID(ctx), approval, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return settled(ctx, s, op, func(message string) (DepositHandled, error) {
		handled, err := s.wallet.GetDeposit(ctx, pathID(ctx))
		if err != nil {
			return DepositHandled{}, err
		}
		wire, err := adminDepositOf(handled)
		return DepositHandled{message, wire}, err
	})
}

// RejectBody is the body of a rejection.
type RejectBody struct {
	Reason string `json:"reason,omitempty"`
}

// RejectInput is a rejection.
type RejectInput struct {
	IDPath
	Payload Payload[RejectBody]
}

func (s *Server) adminDepositReject(ctx context.Context, in *RejectInput) (*output[DepositHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	rejected, err := s.wallet.RejectDeposit(ctx, actor(ctx).ID, pathID(ctx), body.Reason)
	if err != nil {
		return nil, err
	}
	wire, err := adminDepositOf(rejected)
	return respond(DepositHandled{wallet.MessageDepositRejected, wire}), err
}
