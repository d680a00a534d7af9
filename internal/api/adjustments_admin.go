package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	who "amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

func (s *Server) registerAdminAdjustments() {
	register(s, endpoint{
		id: "admin-adjustments", method: http.MethodGet, path: "/admin/adjustments", tag: adminTag, access: admin,
		summary: "Corrections of balances: open ones oldest first, others newest first",
	}, s.adminAdjustments)
	register(s, endpoint{
		id: "admin-adjustment", method: http.MethodGet, path: "/admin/adjustments/{id}", tag: adminTag, access: admin,
		summary: "One correction of a balance", visible: known(s.wallet.GetAdjustment),
	}, s.adminAdjustment)
	registerIdempotent(s, endpoint{
		id: "admin-adjustment-propose", method: http.MethodPost, path: "/admin/adjustments", tag: adminTag, access: reauthenticated,
		status:  http.StatusCreated,
		summary: "Propose a correction of a user's balance, which another admin has to confirm within 72 hours",
		codes:   []fault.Code{fault.Conflict, fault.InsufficientBalance},
	}, false, s.adminAdjustmentPropose)
	registerIdempotent(s, endpoint{
		id: "admin-adjustment-confirm", method: http.MethodPost, path: "/admin/adjustments/{id}/confirm", tag: adminTag,
		access: reauthenticated, visible: known(s.wallet.GetAdjustment),
		summary: "Correct a balance as somebody else has proposed",
		codes:   []fault.Code{fault.AlreadyHandled, fault.Conflict, fault.InsufficientBalance},
	}, true, s.adminAdjustmentConfirm)
	register(s, endpoint{
		id: "admin-adjustment-reject", method: http.MethodPost, path: "/admin/adjustments/{id}/reject", tag: adminTag,
		access: reauthenticated, visible: known(s.wallet.GetAdjustment),
		summary: "Reject a correction that somebody else has proposed", codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminAdjustmentReject)
	register(s, endpoint{
		id: "admin-adjustment-withdraw", method: http.MethodPost, path: "/admin/adjustments/{id}/withdraw", tag: adminTag,
		access: admin, visible: known(s.wallet.GetAdjustment),
		summary: "Withdraw one's own proposal of a correction", codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminAdjustmentWithdraw)
}

// Adjustment is a correction of a user's balance.
type Adjustment struct {
	ID         uuid.UUID          `json:"_id"`
	User       user.Ref           `json:"user"`
	Direction  string             `json:"direction" enum:"credit,debit"`
	Amount     money.Cents        `json:"amount" doc:"USD, above zero." example:"500"`
	Balance    money.Cents        `json:"balance" doc:"USD that the user can spend now." example:"399.99"`
	Reason     string             `json:"reason" doc:"The user reads it." example:"A deposit was credited twice."`
	Note       string             `json:"note" doc:"For admins; empty when there is none." example:"See the bank statement."`
	Status     string             `json:"status" enum:"open,confirmed,rejected,withdrawn,expired"`
	ProposedBy Nullable[user.Ref] `json:"proposedBy" doc:"null: an operator."`
	ProposedAt time.Time          `json:"proposedAt"`
	ExpiresAt  time.Time          `json:"expiresAt" doc:"Until then it can be confirmed."`
	DecidedBy  Nullable[user.Ref] `json:"decidedBy" doc:"null while it is open, and if it expired."`
	DecidedAt  *time.Time         `json:"decidedAt"`
	Decision   *string            `json:"decision" doc:"Why it was rejected." example:"The deposit was credited once."`
	Operation  *operations.View   `json:"operation,omitempty" doc:"Only while it is being confirmed."`
}

// Directions of a correction.
const (
	credit = "credit"
	debit  = "debit"
)

func adjustmentOf(a wallet.Adjustment) (Adjustment, error) {
	wire := Adjustment{
		ID: a.ID, User: a.User, Direction: credit, Amount: a.Amount, Balance: a.Balance, Reason: a.Reason, Note: a.Note,
		Status: string(a.Status), ProposedBy: Nullable[user.Ref]{a.ProposedBy}, ProposedAt: a.ProposedAt, ExpiresAt: a.ExpiresAt,
		DecidedBy: Nullable[user.Ref]{a.DecidedBy}, DecidedAt: a.DecidedAt, Decision: a.Decision,
	}
	if a.Amount < 0 {
		wire.Direction, wire.Amount = debit, -a.Amount
	}
	var err error
	wire.Operation, err = operationOrNil(a.Operation)
	return wire, err
}

// AdminAdjustmentsInput is the query of the corrections' worklist.
type AdminAdjustmentsInput struct {
	Paged
	Status string `query:"status" enum:"open,confirmed,rejected,withdrawn,expired" doc:"All when not given."`
	Search string `query:"search" doc:"The beginning of a username, from two characters." example:"ra"`
}

// AdminAdjustments is a page of the corrections' worklist.
type AdminAdjustments struct {
	Adjustments []Adjustment `json:"adjustments"`
	Pages
}

func (s *Server) adminAdjustments(ctx context.Context, in *AdminAdjustmentsInput) (*output[AdminAdjustments], error) {
	status, err := oneOf("status", in.Status, wallet.AdjustmentStatuses()...)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.AdjustmentWorklist(ctx, wallet.AdjustmentQuery{Status: status, Search: in.Search}, slice)
	if err != nil {
		return nil, err
	}
	rows, err := mappedOrFail(list, adjustmentOf)
	return respond(AdminAdjustments{rows, pagesOf(number, slice.Limit, total)}), err
}

func (s *Server) adminAdjustment(ctx context.Context, _ *IDPath) (*output[Adjustment], error) {
	found, err := s.wallet.GetAdjustment(ctx, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := adjustmentOf(found)
	return respond(wire), err
}

// AdjustmentBody is the body of a proposal of a correction.
type AdjustmentBody struct {
	UserID    string `json:"userId" format:"uuid" doc:"Whose balance is corrected; not the admin's own."`
	Direction string `json:"direction" enum:"credit,debit"`
	Amount    Amount `json:"amount" doc:"USD, above zero." example:"500"`
	Reason    string `json:"reason" doc:"The user reads it; 1 to 200 characters." example:"A deposit was credited twice."`
	Note      string `json:"note,omitempty" doc:"For admins; at most 500 characters." example:"See the bank statement."`
}

func (b AdjustmentBody) proposal() (wallet.AdjustmentProposal, error) {
	p := wallet.AdjustmentProposal{Reason: b.Reason, Note: b.Note}
	direction, err := oneOf("direction", b.Direction, credit, debit)
	if err != nil {
		return p, err
	}
	if direction == "" {
		return p, fault.Field("direction", "direction_missing", "Choose whether money is added or taken off.")
	}
	if p.Amount, err = b.Amount.read("amount"); err != nil {
		return p, err
	}
	if p.Amount < 0 {
		return p, fault.Field("amount", "amount_invalid", "Enter a valid amount")
	}
	if direction == debit {
		p.Amount = -p.Amount
	}
	// A malformed id becomes the zero id, which is nobody's, so wallet refuses it.
	p.UserID, _ = uuid.Parse(b.UserID)
	return p, nil
}

// AdjustmentHandled is the answer to an admin's action on a correction.
type AdjustmentHandled struct {
	catalog.Outcome
	Adjustment Adjustment `json:"adjustment"`
}

func (s *Server) adminAdjustmentPropose(
	ctx context.Context, in *struct{ Payload Payload[AdjustmentBody] },
) (*Settled[AdjustmentHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	proposal, err := body.proposal()
	if err != nil {
		return nil, err
	}
	proposed, err := s.wallet.ProposeAdjustment(ctx, who.User(actor(ctx).ID), proposal, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	wire, err := adjustmentOf(proposed)
	return settledWith(AdjustmentHandled{wallet.OutcomeAdjustmentProposed, wire}), err
}

func (s *Server) adminAdjustmentConfirm(ctx context.Context, _ *IDPath) (*Settled[AdjustmentHandled], error) {
	op, err := s.wallet.ConfirmAdjustment(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (AdjustmentHandled, error) {
		confirmed, err := s.wallet.GetAdjustment(ctx, pathID(ctx))
		if err != nil {
			return AdjustmentHandled{}, err
		}
		wire, err := adjustmentOf(confirmed)
		return AdjustmentHandled{done, wire}, err
	})
}

func (s *Server) adminAdjustmentReject(ctx context.Context, in *RejectInput) (*output[AdjustmentHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	rejected, err := s.wallet.RejectAdjustment(ctx, actor(ctx).ID, pathID(ctx), body.Reason)
	if err != nil {
		return nil, err
	}
	wire, err := adjustmentOf(rejected)
	return respond(AdjustmentHandled{wallet.OutcomeAdjustmentRejected, wire}), err
}

func (s *Server) adminAdjustmentWithdraw(ctx context.Context, _ *IDPath) (*output[AdjustmentHandled], error) {
	withdrawn, err := s.wallet.WithdrawAdjustment(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := adjustmentOf(withdrawn)
	return respond(AdjustmentHandled{wallet.OutcomeAdjustmentWithdrawn, wire}), err
}
