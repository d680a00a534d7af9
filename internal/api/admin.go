package api

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/fault"
	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/wallet"
)

const adminTag = "Admin"

func (s *Server) registerAdmin() {
	register(s, endpoint{
		id: "admin-deposits", method: http.MethodGet, path: "/admin/deposits", tag: adminTag, access: admin,
		summary: "Deposits: pending ones oldest first, others newest first",
	}, s.adminDeposits)
	register(s, endpoint{
		id: "admin-deposit-claim", method: http.MethodPost, path: "/admin/deposits/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a deposit for five minutes", exists: s.depositExists,
		codes: []fault.Code{fault.AlreadyHandled},
	}, s.adminDepositClaim)
	registerKeyed(s, endpoint{
		id: "admin-deposit-approve", method: http.MethodPost, path: "/admin/deposit/approve/{id}", tag: adminTag, access: confirmed,
		summary: "Credit a deposit with the given amount", exists: s.depositExists,
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminDepositApprove)
	register(s, endpoint{
		id: "admin-deposit-reject", method: http.MethodPost, path: "/admin/deposit/reject/{id}", tag: adminTag, access: confirmed,
		summary: "Fail a deposit", exists: s.depositExists,
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, s.adminDepositReject)
	register(s, endpoint{
		id: "admin-withdrawals", method: http.MethodGet, path: "/admin/withdrawals", tag: adminTag, access: admin,
		summary: "Withdrawals: pending ones oldest first, others newest first",
	}, s.adminWithdrawals)
	register(s, endpoint{
		id: "admin-withdrawal-claim", method: http.MethodPost, path: "/admin/withdrawals/{id}/claim", tag: adminTag, access: admin,
		summary: "Keep other admins away from a withdrawal for five minutes", exists: s.withdrawalExists,
		codes: []fault.Code{fault.AlreadyHandled},
	}, s.adminWithdrawalClaim)
	registerKeyed(s, endpoint{
		id: "admin-withdrawal-send", method: http.MethodPost, path: "/admin/withdrawals/{id}/send", tag: adminTag, access: confirmed,
		summary: "Book a withdrawal as paid out", exists: s.withdrawalExists,
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict, fault.Duplicate},
	}, true, s.adminWithdrawalSend)
	registerKeyed(s, endpoint{
		id: "admin-withdrawal-reject", method: http.MethodPost, path: "/admin/withdrawals/{id}/reject", tag: adminTag, access: confirmed,
		summary: "Give a withdrawal's amount back to its user", exists: s.withdrawalExists,
		codes: []fault.Code{fault.AlreadyHandled, fault.Conflict},
	}, true, s.adminWithdrawalReject)
	register(s, endpoint{
		id: "admin-exchange-rate", method: http.MethodPut, path: "/admin/exchange-rate", tag: adminTag, access: confirmed,
		summary: "Set the price of a dollar in taka",
	}, s.adminExchangeRate)
	register(s, endpoint{
		id: "admin-exchange-rates", method: http.MethodGet, path: "/admin/exchange-rates", tag: adminTag, access: admin,
		summary: "Prices of a dollar that were set, the present one first",
	}, s.adminExchangeRates)
}

func (s *Server) depositExists(ctx context.Context, id uuid.UUID) error {
	_, err := s.wallet.GetDeposit(ctx, id)
	return err
}

func (s *Server) withdrawalExists(ctx context.Context, id uuid.UUID) error {
	_, err := s.wallet.GetWithdrawal(ctx, id)
	return err
}

// oneOf reads a choice of the query; "" means all.
func oneOf[T ~string](field, text string, choices ...T) (T, error) {
	choice := T(text)
	if text == "" || slices.Contains(choices, choice) {
		return choice, nil
	}
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = string(c)
	}
	return "", fault.Field(field, field+" must be one of "+strings.Join(names, ", ")+".")
}

// RateInput is a new rate.
type RateInput struct{ Payload Payload[ExchangeRateBody] }

// ExchangeRateBody is the body of a new rate.
type ExchangeRateBody struct {
	USDToBDT Amount `json:"usdToBdt"`
}

func (s *Server) adminExchangeRate(ctx context.Context, in *RateInput) (*output[ExchangeRate], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	poisha, err := body.USDToBDT.read("usdToBdt")
	if err != nil {
		return nil, err
	}
	err = s.wallet.SetRate(ctx, actor(ctx).ID, money.Rate(poisha))
	return respond(ExchangeRate{money.Rate(poisha)}), err
}

// RateChange is a price of a dollar that was set.
type RateChange struct {
	ExchangeRate
	SetAt time.Time             `json:"setAt"`
	SetBy Nullable[party.Party] `json:"setBy" doc:"null: the operator's command line."`
}

func rateChangeOf(c wallet.RateChange) RateChange {
	return RateChange{ExchangeRate: ExchangeRate{c.Rate}, SetAt: c.At, SetBy: orNull(c.By)}
}

type rateListOutput struct {
	Total int `header:"X-Total-Count"`
	Body  []RateChange
}

func (s *Server) adminExchangeRates(ctx context.Context, in *Paged) (*rateListOutput, error) {
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.Rates(ctx, wallet.Page(slice))
	return &rateListOutput{Total: total, Body: mapped(list, rateChangeOf)}, err
}
