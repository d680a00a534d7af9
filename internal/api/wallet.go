package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/wallet"
)

func (s *Server) registerWallet() {
	const tag = "Wallet"
	register(s, endpoint{
		id: "wallet", method: http.MethodGet, path: "/wallet", tag: tag, summary: "The user's balance and what is held of it",
	}, s.walletSummary)
	register(s, endpoint{
		id: "user-search", method: http.MethodGet, path: "/wallet/search", tag: tag,
		summary: "Other users by a part of the username, of at least two characters", bounds: []bound{perUser("search", s.limits.SearchLimit)},
	}, s.userSearch)
	register(s, endpoint{
		id: "receivers", method: http.MethodGet, path: "/wallet/receivers", tag: tag,
		summary: "The provider's numbers that deposits are sent to",
	}, s.listReceivers)
	register(s, endpoint{
		id: "exchange-rate", method: http.MethodGet, path: "/exchange-rate", tag: tag, access: anyone,
		summary: "Taka a dollar, as an admin has set it",
	}, s.exchangeRate)
	registerKeyed(s, endpoint{
		id: "deposit", method: http.MethodPost, path: "/auth/deposit", tag: tag, status: http.StatusCreated,
		summary: "Report a payment that was sent to one of the receivers", bounds: []bound{perUser("deposit", s.limits.DepositLimit)},
		codes: []fault.Code{fault.Duplicate},
	}, false, s.deposit)
	register(s, endpoint{
		id: "deposit-history", method: http.MethodGet, path: "/auth/deposit/history", tag: tag,
		summary: "The user's deposits, newest first",
	}, s.depositHistory)
	registerKeyed(s, endpoint{
		id: "withdraw", method: http.MethodPost, path: "/withdraw", tag: tag, status: http.StatusCreated,
		summary: "Ask for a payout; the amount is held until it is sent or rejected",
		codes:   []fault.Code{fault.InsufficientBalance},
	}, true, s.withdraw)
	register(s, endpoint{
		id: "withdrawal-history", method: http.MethodGet, path: "/withdraw/history", tag: tag,
		summary: "The user's withdrawals, newest first",
	}, s.withdrawalHistory)
}

// WalletSummary is what a user has.
type WalletSummary struct {
	Wallet            money.Cents `json:"wallet" doc:"USD to spend."`
	InEscrow          money.Cents `json:"inEscrow" doc:"USD paid into open deals."`
	PendingWithdrawal money.Cents `json:"pendingWithdrawal" doc:"USD held for withdrawals."`
}

func (s *Server) walletSummary(ctx context.Context, _ *struct{}) (*output[WalletSummary], error) {
	has, err := s.reports.Wallet(ctx, actor(ctx).ID)
	return respond(WalletSummary{Wallet: has.Available, InEscrow: has.InEscrow, PendingWithdrawal: has.PendingWithdrawal}), err
}

// UserSearchInput is the query of /wallet/search.
type UserSearchInput struct {
	Query string `query:"query" doc:"From two characters. Finds usernames that contain it, or only those that begin with it when no three letters or digits in it stand in a row."`
}

func (s *Server) userSearch(ctx context.Context, in *UserSearchInput) (*output[[]party.Party], error) {
	found, err := s.accounts.Search(ctx, actor(ctx).ID, in.Query)
	return respond(found), err
}

// Receiver is a number of the provider that deposits are sent to.
type Receiver struct {
	PaymentMethod string `json:"paymentMethod" enum:"Bkash,Nagad"`
	Number        string `json:"number"`
}

func (s *Server) listReceivers(context.Context, *struct{}) (*output[[]Receiver], error) {
	return respond(s.receivers), nil
}

// ExchangeRate is the price of a dollar.
type ExchangeRate struct {
	USDToBDT money.Rate `json:"usdToBdt"`
}

func (s *Server) exchangeRate(ctx context.Context, _ *struct{}) (*output[ExchangeRate], error) {
	rate, err := s.wallet.Rate(ctx)
	return respond(ExchangeRate{rate}), err
}

// DepositBody is the body of a report of a deposit. What else SPEC sends along, the server knows better.
type DepositBody struct {
	Amount        Amount `json:"amount"`
	TransactionID string `json:"transactionId" doc:"8 to 12 letters or digits."`
	PaymentMethod string `json:"paymentMethod" enum:"Bkash,Nagad"`
}

// DepositSubmitted is the answer to a report of a deposit.
type DepositSubmitted struct {
	Success bool    `json:"success"`
	Message string  `json:"message"`
	Deposit Deposit `json:"deposit"`
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
	report := wallet.Report{Amount: amount, TransactionID: body.TransactionID, Method: body.PaymentMethod}
	reported, err := s.wallet.ReportDeposit(ctx, actor(ctx).ID, report, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	wire, err := depositOf(reported)
	return &Settled[DepositSubmitted]{
		Status: http.StatusCreated,
		Body:   DepositSubmitted{Success: true, Message: wallet.MessageDepositSubmitted, Deposit: wire},
	}, err
}

// errFieldsMissing is SPEC §5's first rule of deposits and withdrawals. The noun cannot tell a missing amount from one of zero.
func errFieldsMissing(field string) error { return fault.Field(field, "Please fill out all fields.") }

// DepositHistory is a page of a user's deposits.
type DepositHistory struct {
	Success  bool      `json:"success"`
	Deposits []Deposit `json:"deposits"`
	Pages
}

func (s *Server) depositHistory(ctx context.Context, in *Paged) (*output[DepositHistory], error) {
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.ListDeposits(ctx, actor(ctx).ID, wallet.Page(slice))
	if err != nil {
		return nil, err
	}
	deposits, err := mappedOrFail(list, depositOf)
	return respond(DepositHistory{true, deposits, pagesOf(number, slice.Limit, total)}), err
}

// WithdrawBody is the body of a request for a payout.
type WithdrawBody struct {
	Amount        Amount `json:"amount"`
	Phonenumber   string `json:"phonenumber" doc:"11 digits that start with 01."`
	PaymentMethod string `json:"paymentMethod" enum:"Bkash,Nagad"`
}

// WithdrawalSubmitted is the answer to a request for a payout.
type WithdrawalSubmitted struct {
	Success    bool       `json:"success"`
	Message    string     `json:"message"`
	Withdrawal Withdrawal `json:"withdrawal"`
}

func (s *Server) withdraw(ctx context.Context, in *struct{ Payload Payload[WithdrawBody] }) (*Settled[WithdrawalSubmitted], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	order := wallet.Order{PhoneNumber: body.Phonenumber, Method: body.PaymentMethod}
	if order.Amount, err = body.Amount.read("amount"); err != nil {
		return nil, err
	}
	op, err := s.wallet.RequestWithdraw(ctx, actor(ctx).ID, order, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	out, err := settled(ctx, s, op, func(message string) (WithdrawalSubmitted, error) {
		wire, err := s.withdrawalOf(ctx, op.SubjectID)
		return WithdrawalSubmitted{Success: true, Message: message, Withdrawal: wire}, err
	})
	if err == nil && out.Status == http.StatusOK {
		out.Status = http.StatusCreated
	}
	return out, err
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
	Success     bool         `json:"success"`
	Withdrawals []Withdrawal `json:"withdrawals"`
	Pages
}

func (s *Server) withdrawalHistory(ctx context.Context, in *Paged) (*output[WithdrawalHistory], error) {
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.ListWithdrawals(ctx, actor(ctx).ID, wallet.Page(slice))
	if err != nil {
		return nil, err
	}
	withdrawals, err := mappedOrFail(list, withdrawalOf)
	return respond(WithdrawalHistory{true, withdrawals, pagesOf(number, slice.Limit, total)}), err
}
