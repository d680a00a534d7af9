package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money/operations"
)

func (s *Server) registerAdminWithdrawals() {
	register(s, endpoint{
		id: "admin-withdrawals", method: http.MethodGet, path: "/admin/withdrawals", tag: adminTag, access: admin,
		summary: "Withdrawals: pending ones oldest first, others newest first",
	}, s.adminWithdrawals)
	register(s, endpoint{
		id: "admin-withdrawal-claim", method: http.MethodPost, path: "/admin/withdrawals/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a withdrawal for five minutes", exists: s.withdrawalExists,
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminWithdrawalClaim)
	registerIdempotent(s, endpoint{
		id: "admin-withdrawal-send", method: http.MethodPost, path: "/admin/withdrawals/{id}/send", tag: adminTag, access: reauthenticated,
		summary: "Book a withdrawal as paid out", exists: s.withdrawalExists,
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict, fault.Duplicate},
	}, true, s.adminWithdrawalSend)
	registerIdempotent(s, endpoint{
		id: "admin-withdrawal-reject", method: http.MethodPost, path: "/admin/withdrawals/{id}/reject", tag: adminTag, access: reauthenticated,
		summary: "Give a withdrawal's amount back to its user", exists: s.withdrawalExists,
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminWithdrawalReject)
}

func (s *Server) withdrawalExists(ctx context.Context, id uuid.UUID) error {
	_, err := s.wallet.GetWithdrawal(ctx, id)
	return err
}

// AdminWithdrawalsInput is the query of the withdrawals' worklist.
type AdminWithdrawalsInput struct {
	Paged
	Status string `query:"status" enum:"pending,completed,failed"`
}

// AdminWithdrawals is a page of the withdrawals' worklist.
type AdminWithdrawals struct {
	Success     bool              `json:"success" example:"true"`
	Withdrawals []AdminWithdrawal `json:"withdrawals"`
	Pages
}

func (s *Server) adminWithdrawals(ctx context.Context, in *AdminWithdrawalsInput) (*output[AdminWithdrawals], error) {
	status, err := oneOf("status", in.Status, wallet.WithdrawalPending, wallet.WithdrawalCompleted, wallet.WithdrawalFailed)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.QueueWithdrawals(ctx, status, slice)
	if err != nil {
		return nil, err
	}
	withdrawals, err := mappedOrFail(list, adminWithdrawalOf)
	return respond(AdminWithdrawals{true, withdrawals, pagesOf(number, slice.Limit, total)}), err
}

// WithdrawalHandled is the answer to an admin's action on a withdrawal.
type WithdrawalHandled struct {
	catalog.Outcome
	Withdrawal AdminWithdrawal `json:"withdrawal"`
}

func (s *Server) adminWithdrawalClaim(ctx context.Context, _ *IDPath) (*output[WithdrawalHandled], error) {
	claimed, err := s.wallet.ClaimWithdrawal(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := adminWithdrawalOf(claimed)
	return respond(WithdrawalHandled{wallet.OutcomeClaimed, wire}), err
}

// SendBody is the body of a payout.
type SendBody struct {
	Amount        Amount `json:"amount" doc:"Must equal the request." example:"500"`
	TransactionID string `json:"transactionId,omitempty" doc:"Of the payment; shown to the user." example:"AB12CD34EF"`
}

// SendInput is a payout.
type SendInput struct {
	IDPath
	Payload Payload[SendBody]
}

func (s *Server) adminWithdrawalSend(ctx context.Context, in *SendInput) (*Settled[WithdrawalHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	payout := wallet.Payout{TransactionID: body.TransactionID}
	if payout.Amount, err = body.Amount.read("amount"); err != nil {
		return nil, err
	}
	op, err := s.wallet.RequestSend(ctx, actor(ctx).ID, pathID(ctx), payout, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledWithdrawal(ctx, op)
}

func (s *Server) adminWithdrawalReject(ctx context.Context, in *RejectInput) (*Settled[WithdrawalHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	op, err := s.wallet.RequestReject(ctx, actor(ctx).ID, pathID(ctx), body.Reason, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledWithdrawal(ctx, op)
}

func (s *Server) settledWithdrawal(ctx context.Context, op operations.Operation) (*Settled[WithdrawalHandled], error) {
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (WithdrawalHandled, error) {
		handled, err := s.wallet.GetWithdrawal(ctx, pathID(ctx))
		if err != nil {
			return WithdrawalHandled{}, err
		}
		wire, err := adminWithdrawalOf(handled)
		return WithdrawalHandled{done, wire}, err
	})
}
