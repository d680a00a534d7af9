package api

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/pauses"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
)

// registerDeposits serves the user's own deposits.
func (s *Server) registerDeposits() {
	const tag = walletTag
	registerIdempotent(s, endpoint{
		id: "deposit", method: http.MethodPost, path: "/auth/deposit", tag: tag, status: http.StatusCreated, area: pauses.Deposits,
		summary: "Report a payment that was sent to one of the receivers", rateLimits: []rateLimit{s.perPerson("deposit", s.limits.DepositLimit)},
		codes: []fault.Code{fault.NotFound, fault.Forbidden, fault.Conflict, fault.Duplicate, fault.RateChanged},
	}, false, s.deposit)
	register(s, endpoint{
		id: "payment-code", method: http.MethodPost, path: "/wallet/payment-code", tag: tag,
		summary: "The user's code. A payment with it as the reference needs no report: it is credited by itself",
		codes:   []fault.Code{fault.NotFound, fault.Forbidden},
	}, s.paymentCode)
	register(s, endpoint{
		id: "deposit-history", method: http.MethodGet, path: "/auth/deposit/history", tag: tag,
		summary: "The user's deposits, newest first",
	}, s.depositHistory)
	register(s, endpoint{
		id: "deposits-pending", method: http.MethodGet, path: "/deposits/pending", tag: tag,
		summary: "The user's deposits that are being checked, newest first, at most 20",
	}, s.pendingDeposits)
	register(s, endpoint{
		id: "deposit-get", method: http.MethodGet, path: "/deposits/{id}", tag: tag,
		summary: "One of the user's own deposits", codes: []fault.Code{fault.NotFound},
	}, s.ownDeposit)
	register(s, endpoint{
		id: "deposit-retract", method: http.MethodPost, path: "/deposits/{id}/retract", tag: tag,
		summary:    "Take back the report of a deposit that no admin has approved yet; it fails, and its transaction id can be reported again",
		rateLimits: []rateLimit{s.perPerson("deposit-retract", s.limits.RetractLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Conflict},
	}, s.retractDeposit)
}

// DepositWait is how long a deposit usually waits for an admin.
type DepositWait struct {
	UsualMinutes *int       `json:"usualMinutes" doc:"Within the hours, from a report to its credit: the median of the last 50. null with fewer than 5." example:"30"`
	From         string     `json:"from" doc:"HH:MM in Dhaka: deposits are checked every day from then." example:"09:00"`
	To           string     `json:"to" doc:"HH:MM in Dhaka, 24:00 for midnight at the end of the day. Before from: on the next day." example:"23:00"`
	Open         bool       `json:"open" doc:"It is within the hours now." example:"true"`
	NextOpenAt   *time.Time `json:"nextOpenAt" doc:"null while open."`
}

func (s *Server) depositWait(ctx context.Context) (DepositWait, error) {
	w, err := s.wallet.DepositWait(ctx)
	if err != nil {
		return DepositWait{}, err
	}
	wire := DepositWait{Open: w.Open, NextOpenAt: w.NextOpenAt}
	wire.From, wire.To = w.Hours.Texts()
	if w.Usual != nil {
		minutes := max(1, int((*w.Usual+time.Minute-1)/time.Minute))
		wire.UsualMinutes = &minutes
	}
	return wire, nil
}

// DepositBody is the body of a report of a deposit.
type DepositBody struct {
	Amount          Amount          `json:"amount" example:"500"`
	TransactionID   string          `json:"transactionId" doc:"8 to 12 letters or digits." example:"AB12CD34EF"`
	PaymentMethod   string          `json:"paymentMethod" enum:"Bkash,Nagad"`
	ConvertedAmount Shown           `json:"convertedAmount" required:"false" doc:"BDT as the user was shown them. Refused with rate_changed when the server counts otherwise; not checked when absent, null or no number." example:"60500"`
	Receiver        string          `json:"receiver,omitempty" doc:"The number that the user was shown. The present one when it is left out." example:"01700000001"`
	DealID          string          `json:"dealId,omitempty" format:"uuid" doc:"The deal that the money is for. The user is its buyer. Left out if it is gone."`
	Terms           int             `json:"terms,omitempty" minimum:"0" doc:"The terms of the deal that the user has read: if it still has them, it is paid once the deposit is credited. Left out: it is not." example:"1"`
	ActionType      Ignored[string] `json:"actionType" required:"false" enum:"deposit,withdraw" doc:"Ignored."`
}

// DepositSubmitted is the answer to a report of a deposit.
type DepositSubmitted struct {
	catalog.Outcome
	Success bool        `json:"success" example:"true"`
	Deposit Deposit     `json:"deposit"`
	Wait    DepositWait `json:"wait"`
}

func (s *Server) deposit(ctx context.Context, in *struct{ Payload Payload[DepositBody] }) (*Settled[DepositSubmitted], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	if !body.Amount.given {
		return nil, errFieldsMissing("amount")
	}
	amount, err := body.Amount.read("amount")
	if err != nil {
		return nil, err
	}
	dealID, terms, err := s.dealToPay(ctx, body.DealID, body.Terms)
	if err != nil {
		return nil, err
	}
	report := wallet.Report{
		Amount: amount, TransactionID: body.TransactionID, Method: body.PaymentMethod, Taka: body.ConvertedAmount.taka,
		Receiver: body.Receiver, DealID: dealID, Terms: terms, MaxPending: s.limits.MaxPendingDeposits,
	}
	reported, err := s.wallet.ReportDeposit(ctx, actor(ctx).ID, report, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	done := wallet.OutcomeDepositSubmitted
	if reported.Disputed {
		done = wallet.OutcomeDepositDisputed
	}
	wire, err := depositOf(reported)
	if err != nil {
		return nil, err
	}
	wait, err := s.depositWait(ctx)
	return settledWith(DepositSubmitted{Success: true, Outcome: done, Deposit: wire, Wait: wait}), err
}

// dealToPay returns the deal that a deposit is for and the terms that it pays, nil if it names none
// that the caller can see: money that was sent is reported also when its deal is gone. Codes:
// NotFound for no ID, Forbidden for the seller.
func (s *Server) dealToPay(ctx context.Context, text string, terms int) (*uuid.UUID, int, error) {
	if text == "" {
		return nil, 0, nil
	}
	id, err := parseID(text)
	if err != nil {
		return nil, 0, err
	}
	err = s.deals.CheckBuyer(ctx, actor(ctx).ID, id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, 0, nil
	}
	return &id, max(terms, 0), s.unlessRepeated(ctx, err)
}

// PaymentCodeBody says what the payments of the next day are for. All of it may be left out.
type PaymentCodeBody struct {
	DealID string `json:"dealId,omitempty" format:"uuid" doc:"The deal that the money is for. The user is its buyer."`
	Terms  int    `json:"terms,omitempty" minimum:"0" doc:"As in a report of a deposit." example:"1"`
}

// PaymentCode is the code of a user.
type PaymentCode struct {
	Code string `json:"code" doc:"Written as the reference of a payment." example:"H7K2MQ"`
}

func (s *Server) paymentCode(ctx context.Context, in *struct{ Payload Payload[PaymentCodeBody] }) (*output[PaymentCode], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	dealID, terms, err := s.dealToPay(ctx, body.DealID, body.Terms)
	if err != nil {
		return nil, err
	}
	code, err := s.wallet.PaymentCode(ctx, actor(ctx).ID, dealID, terms)
	return respond(PaymentCode{code}), err
}

// errFieldsMissing is checked first for deposits and withdrawals. wallet cannot distinguish a
// missing amount from zero.
func errFieldsMissing(field string) error {
	return fault.Field(field, "fields_missing", "Please fill out all fields.")
}

// DepositHistory is a page of a user's deposits.
type DepositHistory struct {
	Success  bool      `json:"success" example:"true"`
	Deposits []Deposit `json:"deposits"`
	Pages
}

func (s *Server) depositHistory(ctx context.Context, in *Paged) (*output[DepositHistory], error) {
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.ListDeposits(ctx, actor(ctx).ID, slice)
	if err != nil {
		return nil, err
	}
	deposits, err := mappedOrFail(list, depositOf)
	return respond(DepositHistory{true, deposits, pagesOf(number, slice.Limit, total)}), err
}

// PendingDeposits are a user's deposits that are being checked.
type PendingDeposits struct {
	Deposits []Deposit   `json:"deposits"`
	Wait     DepositWait `json:"wait"`
}

func (s *Server) pendingDeposits(ctx context.Context, _ *struct{}) (*output[PendingDeposits], error) {
	list, err := s.wallet.PendingDeposits(ctx, actor(ctx).ID)
	if err != nil {
		return nil, err
	}
	deposits, err := mappedOrFail(list, depositOf)
	if err != nil {
		return nil, err
	}
	wait, err := s.depositWait(ctx)
	return respond(PendingDeposits{deposits, wait}), err
}

// OwnDeposit is one of the user's deposits.
type OwnDeposit struct {
	Deposit Deposit         `json:"deposit"`
	Wait    DepositWait     `json:"wait"`
	Paper   Nullable[Paper] `json:"paper" doc:"Of its receipt; null until it is credited."`
}

func (s *Server) ownDeposit(ctx context.Context, _ *IDPath) (*output[OwnDeposit], error) {
	found, err := s.wallet.OwnDeposit(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	deposit, err := depositOf(found)
	if err != nil {
		return nil, err
	}
	var paper Nullable[Paper]
	if found.Status == wallet.DepositCompleted {
		p, err := s.reports.DepositPaper(ctx, found.ID, *found.HandledAt)
		if err != nil {
			return nil, err
		}
		paper = orNull(new(s.paperOf(p)))
	}
	wait, err := s.depositWait(ctx)
	return respond(OwnDeposit{deposit, wait, paper}), err
}

// DepositRetracted is the answer to a user who takes back a report.
type DepositRetracted struct {
	catalog.Outcome
	Deposit Deposit `json:"deposit"`
}

func (s *Server) retractDeposit(ctx context.Context, _ *IDPath) (*output[DepositRetracted], error) {
	retracted, err := s.wallet.RetractDeposit(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	deposit, err := depositOf(retracted)
	return respond(DepositRetracted{wallet.OutcomeDepositRetracted, deposit}), err
}

func (s *Server) registerPayoutNumbers() {
	const tag = "Wallet"
	register(s, endpoint{
		id: "payout-numbers", method: http.MethodGet, path: "/wallet/payout-numbers", tag: tag,
		summary: "The numbers that the user has saved for withdrawals, by name",
	}, s.payoutNumbers)
	registerIdempotent(s, endpoint{
		id: "payout-number-save", method: http.MethodPost, path: "/wallet/payout-numbers", tag: tag, status: http.StatusCreated,
		summary: "Save a number for withdrawals, up to ten; withdrawals to it are held as those to any new number",
		codes:   []fault.Code{fault.NotFound, fault.Conflict, fault.Duplicate},
	}, false, s.savePayoutNumber)
	register(s, endpoint{
		id: "payout-number-rename", method: http.MethodPatch, path: "/wallet/payout-numbers/{id}", tag: tag,
		summary: "Rename one of one's saved numbers", visible: allowed(s.wallet.RequirePayoutNumber),
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
