package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/pauses"
	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/domain/trust"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

func (s *Server) registerWallet() {
	const tag = "Wallet"
	register(s, endpoint{
		id: "wallet", method: http.MethodGet, path: "/wallet", tag: tag, summary: "The user's balance and what is held of it",
	}, s.walletSummary)
	register(s, endpoint{
		id: "user-search", method: http.MethodGet, path: "/wallet/search", tag: tag,
		summary:    "Other users by a part of the username, of at least two characters",
		rateLimits: []rateLimit{perUser("search", s.limits.SearchLimit)},
	}, s.userSearch)
	register(s, endpoint{
		id: "receivers", method: http.MethodGet, path: "/wallet/receivers", tag: tag,
		summary: "The provider's numbers that deposits are sent to",
	}, s.listReceivers)
	register(s, endpoint{
		id: "exchange-rate", method: http.MethodGet, path: "/exchange-rate", tag: tag, access: anyone, shared: sharedContent,
		summary: "Taka a dollar, as an admin has set it",
	}, s.exchangeRate)
	registerIdempotent(s, endpoint{
		id: "withdraw", method: http.MethodPost, path: "/withdraw", tag: tag, status: http.StatusCreated, area: pauses.Withdrawals,
		summary:    "Ask for a payout; the amount is held until it is sent or rejected",
		rateLimits: []rateLimit{s.perPerson("withdrawals", s.limits.WithdrawalLimit)},
		codes:      []fault.Code{fault.InsufficientBalance, fault.Conflict, fault.RateChanged},
	}, true, s.withdraw)
	register(s, endpoint{
		id: "withdrawal-history", method: http.MethodGet, path: "/withdraw/history", tag: tag,
		summary: "The user's withdrawals, newest first; of one status if it is given",
	}, s.withdrawalHistory)
	s.registerDeposits()
	s.registerCheckouts()
}

// WalletSummary is a user's balances.
type WalletSummary struct {
	Wallet            money.Cents `json:"wallet" doc:"USD to spend." example:"399.99"`
	InEscrow          money.Cents `json:"inEscrow" doc:"USD paid into open deals." example:"100.01"`
	InEscrowSales     money.Cents `json:"inEscrowSales" doc:"USD that buyers have paid into open deals in which the user sells." example:"385"`
	PendingWithdrawal money.Cents `json:"pendingWithdrawal" doc:"USD held for withdrawals." example:"50.5"`
	MinWithdrawal     money.Cents `json:"minWithdrawal" doc:"The least USD of a withdrawal." example:"1"`
}

func (s *Server) walletSummary(ctx context.Context, _ *struct{}) (*output[WalletSummary], error) {
	has, err := s.reports.Wallet(ctx, actor(ctx).ID)
	return respond(WalletSummary{
		Wallet: has.Available, InEscrow: has.InEscrow, InEscrowSales: has.InEscrowSales,
		PendingWithdrawal: has.PendingWithdrawal, MinWithdrawal: s.wallet.Bounds.Minimum,
	}), err
}

// UserSearchInput is the query of /wallet/search.
type UserSearchInput struct {
	Query string `query:"query" doc:"From two characters. Finds usernames that contain it, or only those that begin with it when no three letters or digits in it stand in a row." example:"rah"`
}

func (s *Server) userSearch(ctx context.Context, in *UserSearchInput) (*output[[]user.Ref], error) {
	found, err := s.accounts.Search(ctx, actor(ctx).ID, in.Query)
	return respond(found), err
}

// Receiver is one of the platform's numbers that deposits are sent to.
type Receiver struct {
	PaymentMethod string        `json:"paymentMethod" enum:"Bkash,Nagad"`
	Number        *string       `json:"number" doc:"null while no number of the method can take more." example:"01700000001"`
	Automatic     bool          `json:"automatic" doc:"Deposits are credited as soon as the SMS about the payment arrives." example:"true"`
	Checkout      bool          `json:"checkout" doc:"Deposits can be paid on a page of the provider." example:"true"`
	Room          *money.Poisha `json:"room" nullable:"true" doc:"BDT that the number can take today, in whole thousands; null: any amount." example:"48000"`
	FullUntil     *time.Time    `json:"fullUntil" doc:"When a number of the method can take more; null while one can."`
}

func (s *Server) listReceivers(ctx context.Context, _ *struct{}) (*output[[]Receiver], error) {
	automatic, err := s.wallet.Automatic(ctx)
	if err != nil {
		return nil, err
	}
	takes, err := s.wallet.TakesCheckouts(ctx)
	if err != nil {
		return nil, err
	}
	shown, err := s.wallet.ShownReceivers(ctx)
	return respond(mapped(shown, func(r wallet.ShownReceiver) Receiver {
		wire := Receiver{
			PaymentMethod: r.Method, Automatic: slices.Contains(automatic, r.Method), Checkout: takes && r.Method == wallet.Bkash,
			Room: r.Room, FullUntil: r.FullUntil,
		}
		if r.FullUntil == nil {
			wire.Number = &r.Number
		}
		return wire
	})), err
}

// ExchangeRate is the price of a dollar.
type ExchangeRate struct {
	USDToBDT money.Rate `json:"usdToBdt" example:"120.25"`
}

func (s *Server) exchangeRate(ctx context.Context, _ *struct{}) (*output[ExchangeRate], error) {
	rate, err := s.wallet.Rate(ctx)
	return respond(ExchangeRate{rate}), err
}

// WithdrawBody is the body of a withdrawal.
type WithdrawBody struct {
	Amount          Amount          `json:"amount" example:"500"`
	Phonenumber     string          `json:"phonenumber" doc:"11 digits that start with 01." example:"01712345678"`
	PaymentMethod   string          `json:"paymentMethod" enum:"Bkash,Nagad"`
	ConvertedAmount Shown           `json:"convertedAmount" required:"false" doc:"BDT as the user was shown them. Refused with rate_changed when the server counts otherwise; not checked when absent, null or no number." example:"60500"`
	ActionType      Ignored[string] `json:"actionType" required:"false" enum:"withdraw,deposit" doc:"Ignored."`
}

// WithdrawalSubmitted is the answer to a withdrawal.
type WithdrawalSubmitted struct {
	catalog.Outcome
	Success    bool       `json:"success" example:"true"`
	Withdrawal Withdrawal `json:"withdrawal"`
}

func (s *Server) withdraw(ctx context.Context, in *struct{ Payload Payload[WithdrawBody] }) (*Settled[WithdrawalSubmitted], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	order := wallet.Order{PhoneNumber: body.Phonenumber, Method: body.PaymentMethod, Taka: body.ConvertedAmount.taka}
	if order.Amount, err = body.Amount.read("amount"); err != nil {
		return nil, err
	}
	if order.NewBrowser, err = s.accounts.IsNewBrowser(ctx, actor(ctx).ID, callOf(ctx).browser); err != nil {
		return nil, err
	}
	op, err := s.wallet.RequestWithdraw(ctx, actor(ctx).ID, order, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return awaitOperation(ctx, s, op, func(done catalog.Outcome) (WithdrawalSubmitted, error) {
		wire, err := s.withdrawalOf(ctx, op.SubjectID)
		return WithdrawalSubmitted{Success: true, Outcome: done, Withdrawal: wire}, err
	})
}

func (s *Server) withdrawalOf(ctx context.Context, subject func() (uuid.UUID, error)) (Withdrawal, error) {
	id, err := subject()
	if err != nil {
		return Withdrawal{}, err
	}
	found, err := s.wallet.GetWithdrawal(ctx, id)
	if err != nil {
		return Withdrawal{}, err
	}
	return withdrawalOf(found.Withdrawal)
}

// WithdrawalHistory is a page of a user's withdrawals.
type WithdrawalHistory struct {
	Success     bool         `json:"success" example:"true"`
	Withdrawals []Withdrawal `json:"withdrawals"`
	Pages
}

// WithdrawalHistoryInput is the query of /withdraw/history.
type WithdrawalHistoryInput struct {
	Paged
	Status string `query:"status" enum:"pending,completed,failed" doc:"Only withdrawals in this status."`
}

func (s *Server) withdrawalHistory(ctx context.Context, in *WithdrawalHistoryInput) (*output[WithdrawalHistory], error) {
	status, err := oneOf("status", in.Status, wallet.WithdrawalPending, wallet.WithdrawalCompleted, wallet.WithdrawalFailed)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.ListWithdrawals(ctx, actor(ctx).ID, status, slice)
	if err != nil {
		return nil, err
	}
	withdrawals, err := mappedOrFail(list, withdrawalOf)
	return respond(WithdrawalHistory{true, withdrawals, pagesOf(number, slice.Limit, total)}), err
}

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
	Subject      string       `json:"subject" doc:"deal:{id}, deposit:{id}, withdrawal:{id}, reward:{id} or correction:{id}" example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Amount       money.Cents  `json:"amount" doc:"Below zero: it left the wallet." example:"500"`
	BalanceAfter money.Cents  `json:"balanceAfter" example:"399.99"`
	At           time.Time    `json:"at"`
	Reason       *string      `json:"reason" doc:"Of a correction, and on a statement of a deposit credited with another amount, as an admin wrote it; null for other movements." example:"A deposit was credited twice."`
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

func (s *Server) registerWalletLimits() {
	register(s, endpoint{
		id: "wallet-limits", method: http.MethodGet, path: "/wallet/limits", tag: "Wallet", access: visitor, shared: maxShared,
		summary: "What the user may pay and withdraw, and what they lack for more; for a visitor, what a new account may",
	}, s.walletLimits)
}

// WalletLimits is what a user may pay and withdraw.
type WalletLimits struct {
	Level     string                  `json:"level" enum:"new,basic,established,trusted"`
	PerDeal   *money.Cents            `json:"perDeal" nullable:"true" doc:"USD that a deal may cost; null: no limit." example:"200"`
	Paid      LimitUse                `json:"paid" doc:"Sums of paid deals."`
	Withdrawn LimitUse                `json:"withdrawn" doc:"Sums of withdrawals."`
	Next      Nullable[WalletLimitUp] `json:"next" doc:"The next level; null at the highest, and when nothing is limited."`
}

// LimitUse is a limit for 24 hours and what is used of it.
type LimitUse struct {
	Limit *money.Cents `json:"limit" nullable:"true" doc:"USD in 24 hours; null: no limit." example:"500"`
	Used  money.Cents  `json:"used" doc:"USD in the last 24 hours." example:"120"`
}

// WalletLimitUp is the next level of a user's limits and what they lack for it.
type WalletLimitUp struct {
	Level     string       `json:"level" enum:"basic,established,trusted"`
	PerDeal   *money.Cents `json:"perDeal" nullable:"true" doc:"USD; null: no limit." example:"5000"`
	Paid      *money.Cents `json:"paid" nullable:"true" doc:"USD in 24 hours; null: no limit." example:"15000"`
	Withdrawn *money.Cents `json:"withdrawn" nullable:"true" doc:"USD in 24 hours; null: no limit." example:"1000"`
	Needs     []LimitNeed  `json:"needs" doc:"What is not met yet."`
}

// LimitNeed is a requirement that a user does not meet yet.
type LimitNeed struct {
	Kind string `json:"kind" enum:"account_age,completed_deals,partners,second_factor"`
	Have int    `json:"have" doc:"Days for the age; 0 for what is met or not." example:"0"`
	Need int    `json:"need" example:"1"`
}

func (s *Server) walletLimits(ctx context.Context, _ *struct{}) (*output[WalletLimits], error) {
	seen := s.trust.Newcomer()
	if reader := callOf(ctx).userID(); reader != nil {
		var err error
		if seen, err = s.trust.Overview(ctx, *reader); err != nil {
			return nil, err
		}
	}
	wire := WalletLimits{
		Level: string(seen.Level), PerDeal: limitOrNil(seen.Limit.Deal),
		Paid:      LimitUse{limitOrNil(seen.Limit.Paid), seen.Used.Paid},
		Withdrawn: LimitUse{limitOrNil(seen.Limit.Withdrawn), seen.Used.Withdrawn},
	}
	if next := seen.Next; next != nil {
		wire.Next = orNull(&WalletLimitUp{
			Level: string(next.Level), PerDeal: limitOrNil(next.Limit.Deal),
			Paid: limitOrNil(next.Limit.Paid), Withdrawn: limitOrNil(next.Limit.Withdrawn),
			Needs: mapped(next.Needs, func(n trust.Need) LimitNeed { return LimitNeed{string(n.Kind), n.Have, n.Need} }),
		})
	}
	return respond(wire), nil
}

// limitOrNil returns nil for 0, which stands for no limit.
func limitOrNil(amount money.Cents) *money.Cents {
	if amount == 0 {
		return nil
	}
	return &amount
}

// Customer is a user as shown in their own requests and to admins.
type Customer struct {
	user.Ref
	Email string `json:"email" example:"rahim@example.com"`
}

// Deposit is a payment reported by a user.
type Deposit struct {
	ID              uuid.UUID        `json:"_id"`
	User            Customer         `json:"user"`
	Amount          money.Cents      `json:"amount" doc:"USD: as the user says, and once approved as credited." example:"500"`
	ClaimedAmount   money.Cents      `json:"claimedAmount" doc:"USD as the user says." example:"500"`
	ConvertedAmount money.Poisha     `json:"convertedAmount" example:"60500"`
	Rate            int64            `json:"rate" doc:"Whole taka a dollar." example:"121"`
	TransactionID   string           `json:"transactionId" example:"AB12CD34EF"`
	PaymentMethod   string           `json:"paymentMethod" enum:"Bkash,Nagad"`
	ActionType      string           `json:"actionType" enum:"deposit"`
	Status          string           `json:"status" enum:"pending,completed,Failed"`
	Reason          *string          `json:"reason" doc:"In the admin's own words."`
	ReasonCode      *DepositReason   `json:"reasonCode" doc:"Why it failed. retracted: by its user. other: as the reason says."`
	CreatedAt       time.Time        `json:"createdAt"`
	HandledAt       *time.Time       `json:"handledAt"`
	DealID          *uuid.UUID       `json:"dealId" format:"uuid" nullable:"true" doc:"The deal that its user named, while it can be paid."`
	PaysDeal        bool             `json:"paysDeal" doc:"That deal is paid once this is credited." example:"true"`
	Disputed        bool             `json:"disputed" doc:"Another user has reported the same transaction id, and neither report has failed."`
	Expired         bool             `json:"expired" doc:"Failed because no admin looked at it in time. The transaction id can be reported again."`
	Operation       *operations.View `json:"operation,omitempty" doc:"Only while it is being approved."`
}

// DepositReason is why a deposit failed.
type DepositReason string

// Schema documents DepositReason, which may be null.
func (DepositReason) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(wallet.NotFound, wallet.OtherAmount, wallet.UsedBefore, wallet.OtherNumber, wallet.Retracted, wallet.Expired,
		wallet.OtherReason)
}

func depositReasonOf(code wallet.ReasonCode) *DepositReason {
	if code == wallet.NoReason {
		return nil
	}
	reason := DepositReason(code)
	return &reason
}

// Withdrawal is a payout requested by a user.
type Withdrawal struct {
	ID              uuid.UUID        `json:"_id"`
	User            Customer         `json:"user"`
	Amount          money.Cents      `json:"amount" example:"500"`
	ConvertedAmount money.Poisha     `json:"convertedAmount" example:"60500"`
	Rate            int64            `json:"rate" doc:"Whole taka a dollar." example:"121"`
	Phonenumber     string           `json:"phonenumber" example:"01712345678"`
	PaymentMethod   string           `json:"paymentMethod" enum:"Bkash,Nagad"`
	Method          string           `json:"method" enum:"Bkash,Nagad" doc:"The same as paymentMethod."`
	ActionType      string           `json:"actionType" enum:"withdraw"`
	TransactionID   *string          `json:"transactionId" doc:"Of the payout."`
	Status          string           `json:"status" enum:"pending,completed,failed"`
	Reason          *string          `json:"reason"`
	RequestedAt     time.Time        `json:"requestedAt"`
	HandledAt       *time.Time       `json:"handledAt"`
	CancelledAt     *time.Time       `json:"cancelledAt" doc:"By the user."`
	OnHold          bool             `json:"onHold" doc:"It cannot be sent now: it waits for heldUntil, or for the user to confirm it."`
	HeldUntil       *time.Time       `json:"heldUntil"`
	HeldReasons     []string         `json:"heldReasons" enum:"new_number,password_reset,new_browser,factor_reset,email_changed,factor_added" doc:"What was new when it was asked for."`
	ConfirmedAt     *time.Time       `json:"confirmedAt" doc:"By the user, with the mailed link."`
	DisownedAt      *time.Time       `json:"disownedAt" doc:"The user says that somebody else asked for it. It is never sent: an admin rejects it, or the user cancels it."`
	Operation       *operations.View `json:"operation,omitempty" doc:"Only while it is being sent, rejected or cancelled."`
}

// Claim is the admin who works on a request, and until when it is reserved for them.
type Claim struct {
	Admin user.Ref  `json:"admin"`
	Until time.Time `json:"until"`
}

// History counts the other requests of a user.
type History struct {
	Approved int `json:"approved" example:"2" doc:"By an admin, before this one was handled."`
	Refused  int `json:"refused" example:"1" doc:"By an admin, before this one was handled."`
	Waiting  int `json:"waiting" example:"3"`
}

// Handling is what admins see of a request in addition to its user.
type Handling struct {
	Claim     Nullable[Claim]    `json:"claim"`
	HandledBy Nullable[user.Ref] `json:"handledBy"`
	History   History            `json:"history"`
}

// AdminDeposit is a deposit in the admins' worklist.
type AdminDeposit struct {
	Deposit
	Handling
	IsVerified           bool               `json:"isVerified" doc:"The user's address is." example:"true"`
	SameTransactionID    int                `json:"sameTransactionId" doc:"Failed deposits with the same transaction id." example:"0"`
	Disputes             []Dispute          `json:"disputes" doc:"Claims of other users to the same payment, the credited one first."`
	CreditRate           int64              `json:"creditRate" doc:"Whole taka a dollar, were it credited now: a day after the report, the present rate counts." example:"121"`
	CreditAmount         money.Cents        `json:"creditAmount" doc:"USD that the taka sent come to at the creditRate." example:"500"`
	AwaitingConfirmation Nullable[Proposal] `json:"awaitingConfirmation" doc:"A credit that a second admin has to confirm."`
	Evidence             Nullable[Evidence] `json:"evidence" doc:"What the SMS of the payment states; null: none has come."`
	Receiver             *string            `json:"receiver" doc:"The number that the user was shown; null if it is the only one of the method, or not known." example:"01700000001"`
}

// Evidence is what an SMS or the provider states of a payment.
type Evidence struct {
	State  string       `json:"state" enum:"held,chained,ignored,paid" doc:"Of an SMS: chained, it continues the balance of the account; held: not yet; ignored: it never did. paid: on the page of the provider, which states it."`
	Amount money.Poisha `json:"amount" doc:"BDT that arrived, or left." example:"60500"`
	From   string       `json:"from" doc:"The other side's number or name." example:"01712345678"`
	At     time.Time    `json:"at"`
	Broken bool         `json:"broken" doc:"The SMS to the account do not add up now." example:"false"`
	Code   bool         `json:"code" doc:"The reference is the user's code: the payment has become the deposit without a report." example:"false"`
}

// Dispute is another user's claim to a payment.
type Dispute struct {
	ID            uuid.UUID   `json:"_id"`
	User          user.Ref    `json:"user"`
	IsVerified    bool        `json:"isVerified" doc:"The user's address." example:"true"`
	UserSince     time.Time   `json:"userSince"`
	PaymentMethod string      `json:"paymentMethod" enum:"Bkash,Nagad"`
	Amount        money.Cents `json:"amount" doc:"USD as the user says." example:"500"`
	Status        string      `json:"status" enum:"pending,completed"`
	CreatedAt     time.Time   `json:"createdAt"`
}

// Proposal is a credit proposed by one admin that another has to confirm.
type Proposal struct {
	Amount money.Cents `json:"amount" example:"500"`
	Reason string      `json:"reason" doc:"Empty when there is none." example:"The payment was of another amount."`
	By     user.Ref    `json:"by"`
	At     time.Time   `json:"at"`
}

// AdminWithdrawal is a withdrawal in the admins' worklist.
type AdminWithdrawal struct {
	Withdrawal
	Handling
	Held              bool `json:"held" doc:"The user's withdrawals are on hold or stopped, or the user is disabled: it can only be rejected."`
	ClaimedBeforeStop bool `json:"claimedBeforeStop" doc:"It was put on hold, stopped or disowned after the admin of the claim began to work on it: that admin may have sent the money, and may book it with its transaction ID."`

	IsVerified      bool       `json:"isVerified" doc:"The user's address is." example:"true"`
	UserSince       time.Time  `json:"userSince"`
	PasswordResetAt *time.Time `json:"passwordResetAt" doc:"The last time by a mailed link."`
	SentToNumber    int        `json:"sentToNumber" doc:"Payouts to the user's same number before." example:"2"`

	ClaimedAt *time.Time         `json:"claimedAt" doc:"Since when the admin of the claim has worked on it, and may have sent the money."`
	Evidence  Nullable[Evidence] `json:"evidence" doc:"What an SMS states of the payout, or of one to the number with the amount that no withdrawal explains; null: nothing."`
}

func depositOf(d wallet.Deposit) (Deposit, error) {
	operation, err := operationOrNil(d.Operation)
	return Deposit{
		ID: d.ID, User: Customer{d.User, d.Email}, Amount: d.Amount, ClaimedAmount: d.ClaimedAmount,
		ConvertedAmount: d.ConvertedAmount, Rate: d.Rate, TransactionID: d.TransactionID, PaymentMethod: d.Method,
		ActionType: "deposit", Status: string(d.Status), Reason: d.Reason, ReasonCode: depositReasonOf(d.ReasonCode),
		CreatedAt: d.CreatedAt, HandledAt: d.HandledAt, DealID: d.DealID,
		PaysDeal: d.DealID != nil && d.DealTerms != nil, Disputed: d.Disputed, Expired: d.Expired(), Operation: operation,
	}, err
}

func withdrawalOf(w wallet.Withdrawal) (Withdrawal, error) {
	operation, err := operationOrNil(w.Operation)
	reasons := make([]string, len(w.HeldReasons))
	for i, reason := range w.HeldReasons {
		reasons[i] = string(reason)
	}
	return Withdrawal{
		ID: w.ID, User: Customer{w.User, w.Email}, Amount: w.Amount, ConvertedAmount: w.ConvertedAmount, Rate: w.Rate,
		Phonenumber: w.PhoneNumber, PaymentMethod: w.Method, Method: w.Method, ActionType: "withdraw",
		TransactionID: w.TransactionID, Status: string(w.Status), Reason: w.Reason, RequestedAt: w.RequestedAt, HandledAt: w.HandledAt,
		CancelledAt: w.CancelledAt, OnHold: w.OnHold, HeldUntil: w.HeldUntil, HeldReasons: reasons, ConfirmedAt: w.ConfirmedAt,
		DisownedAt: w.DisownedAt, Operation: operation,
	}, err
}

func handlingOf(claim *worklist.Claim, handledBy *user.Ref, history wallet.History) Handling {
	handling := Handling{HandledBy: orNull(handledBy), History: History(history)}
	if claim != nil {
		handling.Claim = orNull(&Claim{Admin: claim.Admin, Until: claim.Until})
	}
	return handling
}

func (s *Server) adminDepositOf(d wallet.WorklistDeposit) (AdminDeposit, error) {
	deposit, err := depositOf(d.Deposit)
	wire := AdminDeposit{
		Deposit: deposit, Handling: handlingOf(d.Claim, d.HandledBy, d.History), IsVerified: d.Verified, SameTransactionID: d.SameTransactionID,
		Disputes: mapped(d.Rivals, disputeOf), CreditRate: d.CreditRate, CreditAmount: d.CreditAmount,
		Evidence: evidenceOf(d.Evidence),
	}
	if p := d.Proposal; p != nil {
		wire.AwaitingConfirmation = orNull(&Proposal{Amount: p.Amount, Reason: p.Reason, By: p.By, At: p.At})
	}
	if s.wallet.OneOfSeveral(d.Deposit) {
		wire.Receiver = &d.Receiver
	}
	return wire, err
}

func evidenceOf(e *wallet.Evidence) Nullable[Evidence] {
	if e == nil {
		return Nullable[Evidence]{}
	}
	return orNull(&Evidence{State: string(e.State), Amount: e.Amount, From: e.Party, At: e.At, Broken: e.Broken, Code: e.Code})
}

func disputeOf(r wallet.Rival) Dispute {
	return Dispute{
		ID: r.ID, User: r.User, IsVerified: r.Verified, UserSince: r.UserSince, PaymentMethod: r.Method, Amount: r.Amount,
		Status: string(r.Status), CreatedAt: r.CreatedAt,
	}
}

func adminWithdrawalOf(w wallet.WorklistWithdrawal) (AdminWithdrawal, error) {
	withdrawal, err := withdrawalOf(w.Withdrawal)
	return AdminWithdrawal{
		Withdrawal: withdrawal, Handling: handlingOf(w.Claim, w.HandledBy, w.History), Held: w.Held(), ClaimedBeforeStop: w.ClaimedBeforeStop(),
		IsVerified: w.Facts.Verified,
		UserSince:  w.Facts.UserSince, PasswordResetAt: w.Facts.PasswordResetAt, SentToNumber: w.Facts.SentToNumber,
		ClaimedAt: w.ClaimedAt, Evidence: evidenceOf(w.Evidence),
	}, err
}
