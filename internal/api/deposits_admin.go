package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

func (s *Server) registerAdminDeposits() {
	register(s, endpoint{
		id: "admin-deposits", method: http.MethodGet, path: "/admin/deposits", tag: adminTag, access: admin,
		summary: "Deposits, which can be searched, filtered and sorted, and the sum of all pages",
	}, s.adminDeposits)
	register(s, endpoint{
		id: "admin-deposit-claim", method: http.MethodPost, path: "/admin/deposits/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a deposit for five minutes", visible: known(s.wallet.GetDeposit),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminDepositClaim)
	registerIdempotent(s, endpoint{
		id: "admin-deposit-approve", method: http.MethodPost, path: "/admin/deposit/approve/{id}", tag: adminTag, access: reauthenticated,
		summary: "Credit a deposit with the given amount, or propose it to a second admin when it is large", visible: known(s.wallet.GetDeposit),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminDepositApprove)
	registerIdempotent(s, endpoint{
		id: "admin-deposit-confirm", method: http.MethodPost, path: "/admin/deposits/{id}/confirm", tag: adminTag, access: reauthenticated,
		summary: "Credit a deposit as another admin has proposed", visible: known(s.wallet.GetDeposit),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminDepositConfirm)
	register(s, endpoint{
		id: "admin-deposit-reject", method: http.MethodPost, path: "/admin/deposit/reject/{id}", tag: adminTag, access: reauthenticated,
		summary: "Fail a deposit", visible: known(s.wallet.GetDeposit),
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminDepositReject)
}

// AdminDepositsInput is the query of the deposits' worklist.
type AdminDepositsInput struct {
	Page   queryNumber `query:"page" doc:"From 1." example:"1"`
	Limit  queryNumber `query:"limit" doc:"Rows a page, 10 by default, at most 50." example:"10"`
	Status string      `query:"status" enum:"pending,completed,Failed"`
	Method string      `query:"method" enum:"Bkash,Nagad" doc:"Only deposits with this payment method."`
	Payer  string      `query:"payer" enum:"credited,never_credited,verified,unverified" doc:"Only deposits of users of whom one was ever credited, or none; with a verified email address, or without."`
	Search string      `query:"search" doc:"The beginning of a transaction id or of a username, from two characters, or exactly an amount in dollars or in taka. With $ or ৳ before it, only amounts in that currency." example:"CK"`
	Sort   string      `query:"sort" enum:"oldest,newest,largest" doc:"By default pending deposits come oldest first, others newest first."`
}

// maxQueue is how many deposits a page of the worklist has at most.
const maxQueue = 50

// read returns the query, the page and its number. Code Invalid.
func (in *AdminDepositsInput) read() (query wallet.DepositQuery, slice postgres.Page, number int, err error) {
	query.Status, err = oneOf("status", in.Status, wallet.DepositPending, wallet.DepositCompleted, wallet.DepositFailed)
	if err != nil {
		return query, slice, 0, err
	}
	if query.Method, err = oneOf("method", in.Method, wallet.Methods()...); err != nil {
		return query, slice, 0, err
	}
	if query.Payer, err = oneOf("payer", in.Payer, wallet.Credited, wallet.NeverCredited, wallet.Verified, wallet.Unverified); err != nil {
		return query, slice, 0, err
	}
	if query.Sort, err = oneOf("sort", in.Sort, wallet.OldestFirst, wallet.NewestFirst, wallet.LargestFirst); err != nil {
		return query, slice, 0, err
	}
	query.Search = in.Search
	slice, number, err = Paged{in.Page, in.Limit}.slice()
	if slice.Limit > maxQueue {
		slice = postgres.Page{Limit: maxQueue, Offset: (number - 1) * maxQueue}
	}
	return query, slice, number, err
}

// AdminDeposits is a page of the deposits' worklist.
type AdminDeposits struct {
	Success           bool           `json:"success" example:"true"`
	Deposits          []AdminDeposit `json:"deposits"`
	SecondAdminAbove  money.Cents    `json:"secondAdminAbove" example:"1000" doc:"USD: a larger credit waits for a second admin. 0: none does."`
	ReceivedTakaAbove money.Cents    `json:"receivedTakaAbove" example:"500" doc:"USD: for a larger credit the page asks for receivedTaka."`
	TotalAmount       money.Cents    `json:"totalAmount" example:"500" doc:"USD of the deposits on all pages: as the users say, and once approved as credited."`
	Pages
}

func (s *Server) adminDeposits(ctx context.Context, in *AdminDepositsInput) (*output[AdminDeposits], error) {
	query, slice, number, err := in.read()
	if err != nil {
		return nil, err
	}
	list, totals, err := s.wallet.DepositWorklist(ctx, query, slice)
	if err != nil {
		return nil, err
	}
	deposits, err := mappedOrFail(list, s.adminDepositOf)
	return respond(AdminDeposits{
		Success: true, Deposits: deposits, SecondAdminAbove: s.wallet.SecondAdminAbove,
		ReceivedTakaAbove: wallet.ReceivedTakaAbove, TotalAmount: totals.Amount,
		Pages: pagesOf(number, slice.Limit, totals.Count),
	}), err
}

// DepositHandled is the answer to an admin's action on a deposit.
type DepositHandled struct {
	catalog.Outcome
	Deposit AdminDeposit `json:"deposit"`
}

func (s *Server) adminDepositClaim(ctx context.Context, _ *IDPath) (*output[DepositHandled], error) {
	claimed, err := s.wallet.ClaimDeposit(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	wire, err := s.adminDepositOf(claimed)
	return respond(DepositHandled{wallet.OutcomeClaimed, wire}), err
}

// ApproveBody is the body of an approval.
type ApproveBody struct {
	Amount Amount `json:"amount" doc:"What is credited." example:"500"`
	UserID string `json:"userId" format:"uuid" doc:"The owner of the deposit."`
	Received
	Reason string `json:"reason,omitempty" doc:"Why the amount is not what the user reported. Required when it differs by more than 10%, or is more than the creditAmount of a deposit that is older than a day." example:"The payment was of another amount."`
}

// Received is what an admin reads off a payment.
type Received struct {
	ReceivedTaka *Amount `json:"receivedTaka,omitempty" doc:"BDT that arrived, which must be worth the amount. A confirmation of an amount above receivedTakaAbove requires them." example:"60500"`
}

func (r Received) read() (money.Poisha, error) {
	if r.ReceivedTaka == nil {
		return 0, nil
	}
	units, err := r.ReceivedTaka.read("receivedTaka")
	return money.Poisha(units), err
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
	if approval.Received, err = body.read(); err != nil {
		return nil, err
	}
	// A malformed id becomes the zero id, which is not the depositor's, so wallet refuses it.
	approval.UserID, _ = uuid.Parse(body.UserID)
	approved, err := s.wallet.Approve(ctx, actor(ctx).ID, pathID(ctx), approval, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	if approved.Proposed {
		body, err := s.depositHandled(ctx, wallet.OutcomeDepositProposed)
		return settledWith(body), err
	}
	return s.settledDeposit(ctx, approved.Operation)
}

func (s *Server) settledDeposit(ctx context.Context, op operations.Operation) (*Settled[DepositHandled], error) {
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (DepositHandled, error) { return s.depositHandled(ctx, done) })
}

func (s *Server) depositHandled(ctx context.Context, done catalog.Outcome) (DepositHandled, error) {
	handled, err := s.wallet.GetDeposit(ctx, pathID(ctx))
	if err != nil {
		return DepositHandled{}, err
	}
	wire, err := s.adminDepositOf(handled)
	return DepositHandled{done, wire}, err
}

// ConfirmBody is the body of a confirmation.
type ConfirmBody struct {
	Amount Amount `json:"amount" doc:"Must equal the proposed credit." example:"500"`
	Received
}

// ConfirmInput is the confirmation of a credit.
type ConfirmInput struct {
	IDPath
	Payload Payload[ConfirmBody]
}

func (s *Server) adminDepositConfirm(ctx context.Context, in *ConfirmInput) (*Settled[DepositHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	amount, err := body.Amount.read("amount")
	if err != nil {
		return nil, err
	}
	received, err := body.read()
	if err != nil {
		return nil, err
	}
	op, err := s.wallet.ConfirmCredit(ctx, actor(ctx).ID, pathID(ctx), amount, received, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return s.settledDeposit(ctx, op)
}

// RejectBody is the body of a rejection.
type RejectBody struct {
	Reason string `json:"reason,omitempty" example:"The payment was of another amount."`
}

// RejectDepositBody is the body of a rejection of a deposit.
type RejectDepositBody struct {
	Code   string `json:"code,omitempty" enum:"not_found,other_amount,used_before,other_number,other" doc:"Why: the user is told so in their language. Without one, other when there is a reason."`
	Reason string `json:"reason,omitempty" doc:"In your own words, which the user reads, too." example:"The payment was of another amount."`
}

// RejectDepositInput is a rejection of a deposit.
type RejectDepositInput struct {
	IDPath
	Payload Payload[RejectDepositBody]
}

// RejectInput is a rejection.
type RejectInput struct {
	IDPath
	Payload Payload[RejectBody]
}

func (s *Server) adminDepositReject(ctx context.Context, in *RejectDepositInput) (*output[DepositHandled], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	rejection := wallet.Rejection{Code: wallet.ReasonCode(body.Code), Reason: body.Reason}
	rejected, err := s.wallet.RejectDeposit(ctx, actor(ctx).ID, pathID(ctx), rejection)
	if err != nil {
		return nil, err
	}
	wire, err := s.adminDepositOf(rejected)
	return respond(DepositHandled{wallet.OutcomeDepositRejected, wire}), err
}
