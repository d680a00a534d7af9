package api

import (
	"context"
	"net/http"
	"time"

	by "amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
)

func (s *Server) registerAdminRates() {
	register(s, endpoint{
		id: "admin-exchange-rate", method: http.MethodPut, path: "/admin/exchange-rate", tag: adminTag, access: reauthenticated,
		summary: "Set the price of a dollar in taka",
	}, s.adminExchangeRate)
	register(s, endpoint{
		id: "admin-exchange-rates", method: http.MethodGet, path: "/admin/exchange-rates", tag: adminTag, access: admin,
		summary: "Prices of a dollar that were set, the present one first",
	}, s.adminExchangeRates)
}

// RateInput is a new rate.
type RateInput struct{ Payload Payload[ExchangeRateBody] }

// ExchangeRateBody is the body of a new rate.
type ExchangeRateBody struct {
	USDToBDT Amount `json:"usdToBdt" example:"120.25"`
	Confirm  bool   `json:"confirm,omitempty" doc:"Needed for a change of more than 10%."`
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
	err = s.wallet.SetRate(ctx, by.User(actor(ctx).ID), money.Rate(poisha), body.Confirm)
	return respond(ExchangeRate{money.Rate(poisha)}), err
}

// RateChange is a change of the exchange rate.
type RateChange struct {
	ExchangeRate
	SetAt time.Time          `json:"setAt"`
	SetBy Nullable[user.Ref] `json:"setBy" doc:"null: the operator's command line."`
}

func rateChangeOf(c wallet.RateChange) RateChange {
	return RateChange{ExchangeRate: ExchangeRate{c.Rate}, SetAt: c.At, SetBy: orNull(c.By)}
}

type rateListOutput struct {
	Total
	Body []RateChange
}

func (s *Server) adminExchangeRates(ctx context.Context, in *Paged) (*rateListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.Rates(ctx, slice)
	return &rateListOutput{Total: Total{total}, Body: mapped(list, rateChangeOf)}, err
}
