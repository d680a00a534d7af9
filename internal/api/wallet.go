package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/pauses"
	"amanat/internal/app/user"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
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
}

// WalletSummary is a user's balances.
type WalletSummary struct {
	Wallet            money.Cents `json:"wallet" doc:"USD to spend." example:"399.99"`
	InEscrow          money.Cents `json:"inEscrow" doc:"USD paid into open deals." example:"100.01"`
	PendingWithdrawal money.Cents `json:"pendingWithdrawal" doc:"USD held for withdrawals." example:"50.5"`
	MinWithdrawal     money.Cents `json:"minWithdrawal" doc:"The least USD of a withdrawal." example:"1"`
}

func (s *Server) walletSummary(ctx context.Context, _ *struct{}) (*output[WalletSummary], error) {
	has, err := s.reports.Wallet(ctx, actor(ctx).ID)
	return respond(WalletSummary{
		Wallet: has.Available, InEscrow: has.InEscrow, PendingWithdrawal: has.PendingWithdrawal, MinWithdrawal: s.wallet.Bounds.Minimum,
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
	PaymentMethod string `json:"paymentMethod" enum:"Bkash,Nagad"`
	Number        string `json:"number" example:"01700000001"`
}

func (s *Server) listReceivers(context.Context, *struct{}) (*output[[]Receiver], error) {
	return respond(s.receivers), nil
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
	Amount          Amount       `json:"amount" example:"500"`
	Phonenumber     string       `json:"phonenumber" doc:"11 digits that start with 01." example:"01712345678"`
	PaymentMethod   string       `json:"paymentMethod" enum:"Bkash,Nagad"`
	ConvertedAmount Shown        `json:"convertedAmount" required:"false" doc:"BDT as the user was shown them. Refused with rate_changed when the server counts otherwise; not checked when absent, null or no number." example:"60500"`
	ActionType      Told[string] `json:"actionType" required:"false" enum:"withdraw,deposit" doc:"Ignored."`
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
