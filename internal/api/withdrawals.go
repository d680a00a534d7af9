package api

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

// registerWithdrawals serves the owner's actions on a pending withdrawal: cancel, confirm, and
// report that another person requested it.
func (s *Server) registerWithdrawals() {
	registerIdempotent(s, endpoint{
		id: "withdrawal-cancel", method: http.MethodPost, path: "/withdraw/{id}/cancel", tag: "Wallet",
		summary: "Take back a withdrawal that no admin works on; for its owner",
		codes:   []fault.Code{fault.Conflict},
	}, true, s.withdrawalCancel)
	registerIdempotent(s, endpoint{
		id: "withdrawal-not-mine", method: http.MethodPost, path: "/withdraw/{id}/not-mine", tag: "Wallet",
		summary: "Say that a withdrawal was somebody else's; for its owner: it is cancelled unless it is sent or an admin may have sent it, " +
			"none that is pending is sent after that, all other sessions end, and nothing is withdrawn before the password is reset",
	}, false, s.withdrawalNotMine)
	register(s, endpoint{
		id: "withdrawal-confirm", method: http.MethodPost, path: "/withdraw/{id}/confirm", tag: "Wallet",
		summary: "End the hold of a withdrawal with a proof of the second factor; for its owner",
		visible: allowed(s.wallet.RequireOwner),
		codes:   []fault.Code{fault.Conflict, fault.RateLimited, fault.SecondFactorRequired},
	}, s.withdrawalConfirm)
	register(s, endpoint{
		id: "confirm-withdrawal", method: http.MethodPost, path: "/auth/confirm-withdrawal", tag: accountTag, access: anyone,
		summary: "End the hold of a withdrawal with the token of the mailed link",
		codes:   []fault.Code{fault.Conflict},
	}, s.confirmWithdrawal)
	register(s, endpoint{
		id: "stop-withdrawal", method: http.MethodPost, path: "/auth/stop-withdrawal", tag: accountTag, access: anyone,
		summary: "Say with the token of the mailed link that a withdrawal was somebody else's: it is cancelled unless it is sent " +
			"or an admin may have sent it, none that is pending is sent after that, all sessions end, and nothing is withdrawn before " +
			"the password is reset",
	}, s.stopWithdrawal)
}

func (s *Server) withdrawalCancel(ctx context.Context, _ *IDPath) (*Settled[WithdrawalChange], error) {
	op, err := s.wallet.RequestCancel(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (WithdrawalChange, error) {
		wire, err := s.withdrawalOf(ctx, op.SubjectID)
		return WithdrawalChange{Outcome: done, Withdrawal: wire}, err
	})
}

// WithdrawalChange is the answer to an owner's action on a withdrawal.
type WithdrawalChange struct {
	catalog.Outcome
	Withdrawal Withdrawal `json:"withdrawal"`
}

// WithdrawalConfirmInput confirms a withdrawal.
type WithdrawalConfirmInput struct {
	IDPath
	Payload Payload[ProofBody]
}

func (s *Server) withdrawalConfirm(ctx context.Context, in *WithdrawalConfirmInput) (*output[WithdrawalChange], error) {
	c, id := callOf(ctx), pathID(ctx)
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	err = s.accounts.WithSettledFactor(ctx, c.user, c.session, body.proof(), func(ctx context.Context, tx *postgres.Tx) error {
		return s.wallet.Confirm(ctx, tx, c.user.ID, id)
	})
	s.proofEvent(ctx, err)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "withdrawal confirmed", &c.user.ID)
	found, err := s.wallet.GetWithdrawal(ctx, id)
	if err != nil {
		return nil, err
	}
	wire, err := withdrawalOf(found.Withdrawal)
	return respond(WithdrawalChange{
		Outcome: catalog.Outcome{Code: "withdrawal_confirmed", Message: "Your withdrawal is confirmed."}, Withdrawal: wire,
	}), err
}

func (s *Server) confirmWithdrawal(ctx context.Context, in *struct{ Payload Payload[LinkBody] }) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	owner, err := s.accounts.ConfirmWithdrawal(ctx, accounts.Token(body.Token), s.wallet.Confirm)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "withdrawal confirmed", &owner)
	return respond(Message{catalog.Outcome{Code: "withdrawal_confirmed", Message: "Your withdrawal is confirmed."}}), nil
}

// WithdrawalStopped is the state of a withdrawal that its owner did not request.
type WithdrawalStopped struct {
	Message string `json:"message" example:"Done."`
	Outcome string `json:"outcome" enum:"cancelled,cancelling,held,sent" doc:"cancelled: the money is back in the balance. cancelling: it comes back in a moment. held: an admin was working on it and may have sent it; if not, it is never sent, and comes back when it is rejected or cancelled. sent: it was sent before."`
}

func (s *Server) stopWithdrawal(
	ctx context.Context, in *struct{ Payload Payload[LinkBody] },
) (*output[WithdrawalStopped], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	token := accounts.Token(body.Token)
	owner, id, err := s.accounts.WithdrawalToStop(ctx, token)
	if err != nil {
		return nil, err
	}
	// The token is consumed after the cancellation is requested: after a crash in between, it can
	// be used again and finds the same operation.
	outcome, err := s.disown(ctx, owner, id, func() error { return s.accounts.StopWithdrawals(ctx, token, s.wallet.Disown) })
	return respond(outcome), err
}

// WithdrawalNotMine is the answer to reporting a withdrawal that another person requested.
type WithdrawalNotMine struct {
	WithdrawalStopped
	Stopped bool `json:"stopped" doc:"Nothing is withdrawn before the password is reset with the link that is mailed. False when the user's address is not verified."`
}

func (s *Server) withdrawalNotMine(ctx context.Context, _ *IDPath) (*Settled[WithdrawalNotMine], error) {
	caller, id := callOf(ctx), pathID(ctx)
	if _, repeated, err := idempotency.Lookup(ctx, s.db, caller.key); err != nil || repeated {
		if err != nil {
			return nil, err
		}
		outcome, err := s.stopOutcome(ctx, id)
		return settledWith(WithdrawalNotMine{outcome, caller.user.IsVerified}), err
	}
	var stopped bool
	outcome, err := s.disown(ctx, caller.user.ID, id, func() (err error) {
		stopped, err = s.accounts.StopOwnWithdrawals(ctx, caller.user, caller.session,
			func(ctx context.Context, tx *postgres.Tx, owner uuid.UUID) error {
				if _, _, err := idempotency.Reserve(ctx, tx, caller.key, id, s.clock.Now()); err != nil {
					return err
				}
				return s.wallet.Disown(ctx, tx, owner)
			})
		return err
	})
	if err != nil {
		return nil, err
	}
	return settledWith(WithdrawalNotMine{outcome, stopped}), nil
}

// disown requests the cancellation of a withdrawal, which may be too late, calls stop to prevent
// further payouts, and returns the outcome.
func (s *Server) disown(ctx context.Context, owner, id uuid.UUID, stop func() error) (WithdrawalStopped, error) {
	op, err := s.wallet.RequestCancel(ctx, owner, id, nil)
	asked := err == nil
	if !asked && fault.CodeOf(err) != fault.Conflict {
		return WithdrawalStopped{}, err
	}
	if err := stop(); err != nil {
		return WithdrawalStopped{}, err
	}
	s.securityEvent(ctx, slog.LevelWarn, "withdrawals stopped by owner", &owner)
	if asked {
		if _, err := s.waiter.Wait(ctx, op); err != nil {
			return WithdrawalStopped{}, err
		}
	}
	return s.stopOutcome(ctx, id)
}

// stopOutcome returns the outcome of disown as it is now.
func (s *Server) stopOutcome(ctx context.Context, id uuid.UUID) (WithdrawalStopped, error) {
	op, pending, err := operations.PendingOn(ctx, s.db, operations.Withdrawal(id))
	if err != nil {
		return WithdrawalStopped{}, err
	}
	w, err := s.wallet.GetWithdrawal(ctx, id)
	if err != nil {
		return WithdrawalStopped{}, err
	}
	switch {
	case w.Status == wallet.WithdrawalFailed:
		return WithdrawalStopped{"The withdrawal is cancelled.", "cancelled"}, nil
	case w.Status == wallet.WithdrawalCompleted:
		return WithdrawalStopped{"The withdrawal was sent before.", "sent"}, nil
	case pending && op.Kind == jobs.KindWithdrawalCancel:
		return WithdrawalStopped{"It cannot be sent; the money comes back in a moment.", "cancelling"}, nil
	}
	return WithdrawalStopped{"An admin may have sent the withdrawal already. If not, it is never sent.", "held"}, nil
}

func (s *Server) registerAdminWithdrawals() {
	register(s, endpoint{
		id: "admin-withdrawals", method: http.MethodGet, path: "/admin/withdrawals", tag: adminTag, access: admin,
		summary: "Withdrawals: pending ones oldest first, others newest first",
	}, s.adminWithdrawals)
	register(s, endpoint{
		id: "admin-withdrawal-claim", method: http.MethodPost, path: "/admin/withdrawals/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a withdrawal for five minutes", visible: known(s.wallet.GetWithdrawal),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminWithdrawalClaim)
	registerIdempotent(s, endpoint{
		id: "admin-withdrawal-send", method: http.MethodPost, path: "/admin/withdrawals/{id}/send", tag: adminTag, access: reauthenticated,
		summary: "Book a withdrawal as paid out", visible: known(s.wallet.GetWithdrawal),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict, fault.Duplicate},
	}, true, s.adminWithdrawalSend)
	registerIdempotent(s, endpoint{
		id: "admin-withdrawal-reject", method: http.MethodPost, path: "/admin/withdrawals/{id}/reject", tag: adminTag, access: reauthenticated,
		summary: "Give a withdrawal's amount back to its user", visible: known(s.wallet.GetWithdrawal),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminWithdrawalReject)
}

// AdminWithdrawalsInput is the query of the withdrawals' worklist.
type AdminWithdrawalsInput struct {
	Paged
	Status string `query:"status" enum:"pending,held,completed,failed" doc:"held: pending ones that nobody can send yet. pending: the others."`
	Search string `query:"search" doc:"The beginning of a phone number, a transaction id or a username, from two characters, or exactly an amount in dollars or in taka. With $ or ৳ before it, only amounts in that currency." example:"017"`
}

// held is a filter: in a withdrawal, held ones are pending.
const held wallet.WithdrawalStatus = "held"

// read returns the query. Code Invalid.
func (in *AdminWithdrawalsInput) read() (wallet.WithdrawalQuery, error) {
	status, err := oneOf("status", in.Status, wallet.WithdrawalPending, held, wallet.WithdrawalCompleted, wallet.WithdrawalFailed)
	query := wallet.WithdrawalQuery{Status: status, Search: in.Search}
	if status == wallet.WithdrawalPending {
		query.Hold = wallet.NotOnHold
	}
	if status == held {
		query.Status, query.Hold = wallet.WithdrawalPending, wallet.OnHold
	}
	return query, err
}

// AdminWithdrawals is a page of the withdrawals' worklist.
type AdminWithdrawals struct {
	Success     bool              `json:"success" example:"true"`
	Withdrawals []AdminWithdrawal `json:"withdrawals"`
	Pages
}

func (s *Server) adminWithdrawals(ctx context.Context, in *AdminWithdrawalsInput) (*output[AdminWithdrawals], error) {
	query, err := in.read()
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.WithdrawalWorklist(ctx, query, slice)
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
	Differs       bool   `json:"differs,omitempty" doc:"Book it although the SMS with the transaction ID states another payment." example:"false"`
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
	payout := wallet.Payout{TransactionID: body.TransactionID, Differs: body.Differs}
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
