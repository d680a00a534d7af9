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

func (s *Server) registerAdminCorrections() {
	register(s, endpoint{
		id: "admin-corrections", method: http.MethodGet, path: "/admin/corrections", tag: adminTag, access: admin,
		summary: "Corrections of balances: open ones oldest first, others newest first",
	}, s.adminCorrections)
	register(s, endpoint{
		id: "admin-correction", method: http.MethodGet, path: "/admin/corrections/{id}", tag: adminTag, access: admin,
		summary: "One correction of a balance", visible: known(s.wallet.GetCorrection),
	}, s.adminCorrection)
	registerIdempotent(s, endpoint{
		id: "admin-correction-propose", method: http.MethodPost, path: "/admin/corrections", tag: adminTag, access: reauthenticated,
		status:  http.StatusCreated,
		summary: "Propose a correction of a user's balance, which another admin has to confirm within 72 hours",
		codes:   []fault.Code{fault.Conflict, fault.InsufficientBalance},
	}, false, s.adminCorrectionPropose)
	registerIdempotent(s, endpoint{
		id: "admin-correction-confirm", method: http.MethodPost, path: "/admin/corrections/{id}/confirm", tag: adminTag,
		access: reauthenticated, visible: known(s.wallet.GetCorrection),
		summary: "Correct a balance as somebody else has proposed",
		codes:   []fault.Code{fault.AlreadyHandled, fault.Conflict, fault.InsufficientBalance},
	}, true, s.adminCorrectionConfirm)
	register(s, endpoint{
		id: "admin-correction-reject", method: http.MethodPost, path: "/admin/corrections/{id}/reject", tag: adminTag,
		access: reauthenticated, visible: known(s.wallet.GetCorrection),
		summary: "Reject a correction that somebody else has proposed", codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminCorrectionReject)
	register(s, endpoint{
		id: "admin-correction-withdraw", method: http.MethodPost, path: "/admin/corrections/{id}/withdraw", tag: adminTag,
		access: admin, visible: known(s.wallet.GetCorrection),
		summary: "Withdraw one's own proposal of a correction", codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminCorrectionWithdraw)
}

// Correction is a correction of a user's balance.
type Correction struct {
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

func correctionOf(c wallet.Correction) (Correction, error) {
	wire := Correction{
		ID: c.ID, User: c.User, Direction: credit, Amount: c.Amount, Balance: c.Balance, Reason: c.Reason, Note: c.Note,
		Status: string(c.Status), ProposedBy: Nullable[user.Ref]{c.ProposedBy}, ProposedAt: c.ProposedAt, ExpiresAt: c.ExpiresAt,
		DecidedBy: Nullable[user.Ref]{c.DecidedBy}, DecidedAt: c.DecidedAt, Decision: c.Decision,
	}
	if c.Amount < 0 {
		wire.Direction, wire.Amount = debit, -c.Amount
	}
	var err error
	wire.Operation, err = operationOrNil(c.Operation)
	return wire, err
}

// AdminCorrectionsInput is the query of the corrections' worklist.
type AdminCorrectionsInput struct {
	Paged
	Status string `query:"status" enum:"open,confirmed,rejected,withdrawn,expired" doc:"All when not given."`
	Search string `query:"search" doc:"The beginning of a username, from two characters." example:"ra"`
}

// AdminCorrections is a page of the corrections' worklist.
type AdminCorrections struct {
	Corrections []Correction `json:"corrections"`
	Pages
}

func (s *Server) adminCorrections(ctx context.Context, in *AdminCorrectionsInput) (*output[AdminCorrections], error) {
	status, err := oneOf("status", in.Status, wallet.CorrectionStatuses()...)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.CorrectionWorklist(ctx, wallet.CorrectionQuery{Status: status, Search: in.Search}, slice)
	if err != nil {
		return nil, err
	}
	rows, err := mappedOrFail(list, correctionOf)
	return respond(AdminCorrections{rows, pagesOf(number, slice.Limit, total)}), err
}

func (s *Server) adminCorrection(ctx context.Context, _ *IDPath) (*output[Correction], error) {
	found, err := s.wallet.GetCorrection(ctx, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := correctionOf(found)
	return respond(wire), err
}

// CorrectionBody is the body of a proposal of a correction.
type CorrectionBody struct {
	UserID    string `json:"userId" format:"uuid" doc:"Whose balance is corrected; not the admin's own."`
	Direction string `json:"direction" enum:"credit,debit"`
	Amount    Amount `json:"amount" doc:"USD, above zero." example:"500"`
	Reason    string `json:"reason" doc:"The user reads it; 1 to 200 characters." example:"A deposit was credited twice."`
	Note      string `json:"note,omitempty" doc:"For admins; at most 500 characters." example:"See the bank statement."`
}

func (b CorrectionBody) proposal() (wallet.CorrectionProposal, error) {
	p := wallet.CorrectionProposal{Reason: b.Reason, Note: b.Note}
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

// CorrectionHandled is the answer to an admin's action on a correction.
type CorrectionHandled struct {
	catalog.Outcome
	Correction Correction `json:"correction"`
}

func (s *Server) adminCorrectionPropose(
	ctx context.Context, in *struct{ Payload Payload[CorrectionBody] },
) (*Settled[CorrectionHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	proposal, err := body.proposal()
	if err != nil {
		return nil, err
	}
	proposed, err := s.wallet.ProposeCorrection(ctx, who.User(actor(ctx).ID), proposal, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	wire, err := correctionOf(proposed)
	return settledWith(CorrectionHandled{wallet.OutcomeCorrectionProposed, wire}), err
}

func (s *Server) adminCorrectionConfirm(ctx context.Context, _ *IDPath) (*Settled[CorrectionHandled], error) {
	op, err := s.wallet.ConfirmCorrection(ctx, actor(ctx).ID, pathID(ctx), callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (CorrectionHandled, error) {
		confirmed, err := s.wallet.GetCorrection(ctx, pathID(ctx))
		if err != nil {
			return CorrectionHandled{}, err
		}
		wire, err := correctionOf(confirmed)
		return CorrectionHandled{done, wire}, err
	})
}

func (s *Server) adminCorrectionReject(ctx context.Context, in *RejectInput) (*output[CorrectionHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	rejected, err := s.wallet.RejectCorrection(ctx, actor(ctx).ID, pathID(ctx), body.Reason)
	if err != nil {
		return nil, err
	}
	wire, err := correctionOf(rejected)
	return respond(CorrectionHandled{wallet.OutcomeCorrectionRejected, wire}), err
}

func (s *Server) adminCorrectionWithdraw(ctx context.Context, _ *IDPath) (*output[CorrectionHandled], error) {
	withdrawn, err := s.wallet.WithdrawCorrection(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := correctionOf(withdrawn)
	return respond(CorrectionHandled{wallet.OutcomeCorrectionWithdrawn, wire}), err
}
