package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	by "amanat/internal/app/actor"
	"amanat/internal/app/user"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (s *Server) registerAdminReports() {
	register(s, endpoint{
		id: "total-users", method: http.MethodGet, path: "/admin/total-users", tag: adminTag, access: admin,
		summary: "How many people signed up",
	}, s.totalUsers)
	register(s, endpoint{
		id: "total-deals", method: http.MethodGet, path: "/admin/total-deals", tag: adminTag, access: admin,
		summary: "How many deals were made",
	}, s.totalDeals)
	register(s, endpoint{
		id: "total-withdraw-amount", method: http.MethodGet, path: "/admin/total-withdraw-amount", tag: adminTag, access: admin,
		summary: "What was paid out",
	}, s.totalWithdrawAmount)
	register(s, endpoint{
		id: "total-deposits", method: http.MethodGet, path: "/admin/total-deposits", tag: adminTag, access: admin,
		summary: "What was credited",
	}, s.totalDeposits)
	register(s, endpoint{
		id: "platform-earnings", method: http.MethodGet, path: "/admin/platform-earnings", tag: adminTag, access: admin,
		summary: "Fees, less what referrers get of them",
	}, s.platformEarnings)
	register(s, endpoint{
		id: "admin-series", method: http.MethodGet, path: "/admin/series", tag: adminTag, access: admin,
		summary: "One of the totals by day, for charts",
	}, s.series)
}

// total answers with a metric's sum over a range of days.
func total[T any](ctx context.Context, s *Server, in *Dates, of reports.Metric, body func(reports.Sum) T) (*output[T], error) {
	period, err := in.period()
	if err != nil {
		return nil, err
	}
	sum, err := s.reports.Total(ctx, of, period)
	return respond(body(sum)), err
}

// TotalUsers counts users.
type TotalUsers struct {
	TotalUsers int64 `json:"totalUsers" example:"1"`
}

func (s *Server) totalUsers(ctx context.Context, in *Dates) (*output[TotalUsers], error) {
	return total(ctx, s, in, reports.Users, func(sum reports.Sum) TotalUsers { return TotalUsers{sum.Count} })
}

// TotalDeals counts deals.
type TotalDeals struct {
	TotalDeals int64 `json:"totalDeals" example:"1"`
}

func (s *Server) totalDeals(ctx context.Context, in *Dates) (*output[TotalDeals], error) {
	return total(ctx, s, in, reports.Deals, func(sum reports.Sum) TotalDeals { return TotalDeals{sum.Count} })
}

// TotalWithdrawAmount sums up what was paid out.
type TotalWithdrawAmount struct {
	TotalWithdrawAmount money.Cents `json:"totalWithdrawAmount" example:"50.5"`
}

func (s *Server) totalWithdrawAmount(ctx context.Context, in *Dates) (*output[TotalWithdrawAmount], error) {
	return total(ctx, s, in, reports.Withdrawals, func(sum reports.Sum) TotalWithdrawAmount { return TotalWithdrawAmount{sum.Amount} })
}

// TotalDeposits sums up what was credited.
type TotalDeposits struct {
	TotalDepositAmount money.Cents `json:"totalDepositAmount" example:"500"`
}

func (s *Server) totalDeposits(ctx context.Context, in *Dates) (*output[TotalDeposits], error) {
	return total(ctx, s, in, reports.Deposits, func(sum reports.Sum) TotalDeposits { return TotalDeposits{sum.Amount} })
}

// PlatformEarnings sums up the platform's earnings.
type PlatformEarnings struct {
	TotalEarnings money.Cents `json:"totalEarnings" example:"1.02"`
}

func (s *Server) platformEarnings(ctx context.Context, in *Dates) (*output[PlatformEarnings], error) {
	return total(ctx, s, in, reports.Earnings, func(sum reports.Sum) PlatformEarnings { return PlatformEarnings{sum.Amount} })
}

const (
	defaultSeriesDays = 30
	maxSeriesDays     = 366
)

// SeriesInput selects a daily total.
type SeriesInput struct {
	StartDate string `query:"startDate" doc:"YYYY-MM-DD in Asia/Dhaka; without it 30 days before endDate." example:"2026-01-01"`
	EndDate   string `query:"endDate" doc:"YYYY-MM-DD in Asia/Dhaka, included; without it today." example:"2026-01-31"`
	Of        string `query:"of" enum:"deposits,withdrawals,earnings,deals,users"`
}

// read returns the range with the defaults. Code Invalid as with Days, or longer than a year.
func (in *SeriesInput) read(now time.Time) (first time.Time, days int, err error) {
	if in.EndDate == "" {
		in.EndDate = now.In(clock.Dhaka).Format(time.DateOnly)
	}
	given, err := Dates{in.StartDate, in.EndDate}.period()
	if err != nil {
		return time.Time{}, 0, err
	}
	first = given.To.Add(-defaultSeriesDays * day)
	if given.From != nil {
		first = *given.From
	}
	days = int(given.To.Sub(first) / day)
	if days > maxSeriesDays {
		return time.Time{}, 0, fault.Field("startDate", "range_too_long", "The range must be at most 366 days.")
	}
	return first, days, nil
}

// Series is a daily total without gaps, oldest first.
type Series struct {
	Of        string      `json:"of" enum:"deposits,withdrawals,earnings,deals,users"`
	StartDate string      `json:"startDate" format:"date" example:"2026-01-01"`
	EndDate   string      `json:"endDate" format:"date" example:"2026-01-31"`
	Days      []SeriesDay `json:"days"`
}

// SeriesDay is one day in Asia/Dhaka.
type SeriesDay struct {
	Date   string      `json:"date" format:"date" example:"2026-01-31"`
	Count  int64       `json:"count" example:"1"`
	Amount money.Cents `json:"amount" doc:"USD; of deals their prices, of users 0." example:"500"`
}

func (s *Server) series(ctx context.Context, in *SeriesInput) (*output[Series], error) {
	of, err := oneOf("of", in.Of, reports.Deposits, reports.Withdrawals, reports.Earnings, reports.Deals, reports.Users)
	if err != nil {
		return nil, err
	}
	if of == "" {
		return nil, fault.Field("of", "count_missing", "Choose what to count.")
	}
	first, days, err := in.read(s.clock.Now())
	if err != nil {
		return nil, err
	}
	sums, err := s.reports.Series(ctx, of, first, days)
	if err != nil {
		return nil, err
	}
	series := Series{Of: string(of), Days: make([]SeriesDay, days)}
	for i, sum := range sums {
		date := first.Add(time.Duration(i) * day).Format(time.DateOnly)
		series.Days[i] = SeriesDay{Date: date, Count: sum.Count, Amount: sum.Amount}
	}
	series.StartDate, series.EndDate = series.Days[0].Date, series.Days[days-1].Date
	return respond(series), nil
}

func (s *Server) registerAdminAudit() {
	register(s, endpoint{
		id: "admin-audit", method: http.MethodGet, path: "/admin/audit", tag: adminTag, access: admin,
		summary: "What admins and operators did, newest first",
	}, s.auditLog)
	register(s, endpoint{
		id: "admin-messages", method: http.MethodGet, path: "/admin/messages/by-users/{userId1}/{userId2}",
		tag: adminTag, access: reauthenticated,
		summary: "Messages of two users with each other; every look is in the audit log",
		codes:   []fault.Code{fault.NotFound},
	}, s.adminMessages)
}

// AuditEntry is an action of an admin or operator.
type AuditEntry struct {
	ID      int64              `json:"_id" example:"1"`
	At      time.Time          `json:"at"`
	Actor   Nullable[user.Ref] `json:"actor" doc:"null: the operator's command line."`
	Action  string             `json:"action" doc:"Such as deposit.approve." example:"deposit_approved"`
	Subject string             `json:"subject" doc:"Such as deposit:{id}." example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	People  []user.Ref         `json:"people" doc:"Whom it concerns: the user, or the buyer and the seller."`
	Details map[string]any     `json:"details" doc:"What a reviewer needs, by action."`
}

func auditEntryOf(e reports.AuditEntry) (AuditEntry, error) {
	wire := AuditEntry{
		ID: e.ID, At: e.At, Actor: orNull(e.Actor), Action: e.Action, Subject: e.Subject, People: orEmpty(e.People), Details: map[string]any{},
	}
	if err := json.Unmarshal(e.Details, &wire.Details); err != nil {
		return AuditEntry{}, fmt.Errorf("details of audit entry %d: %w", e.ID, err)
	}
	return wire, nil
}

// AuditInput is the query of the audit log.
type AuditInput struct {
	Paged
	Dates
	ActorID string `query:"actorId" doc:"What one admin did." example:"019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
	Action  string `query:"action" example:"deposit_approved"`
	Subject string `query:"subject" doc:"What was done with one thing, such as deal:{id}, or the end of its id; or what concerns users whose username begins so." example:"deal:019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"`
}

type auditListOutput struct {
	Total
	Body []AuditEntry
}

func (s *Server) auditLog(ctx context.Context, in *AuditInput) (*auditListOutput, error) {
	slice, err := in.sliceOrFirst()
	if err != nil {
		return nil, err
	}
	filter := reports.AuditFilter{Action: strings.TrimSpace(in.Action), Subject: strings.TrimSpace(in.Subject)}
	if filter.Period, err = in.period(); err != nil {
		return nil, err
	}
	if text := strings.TrimSpace(in.ActorID); text != "" {
		id, _ := parseID(text) // a malformed id matches no user
		filter.ActorID = &id
	}
	list, total, err := s.reports.Audit(ctx, filter, slice)
	if err != nil {
		return nil, err
	}
	entries, err := mappedOrFail(list, auditEntryOf)
	return &auditListOutput{Total: Total{total}, Body: entries}, err
}

// AdminMessagesInput names two users.
type AdminMessagesInput struct {
	HistoryQuery
	UserID1 string `path:"userId1" format:"uuid"`
	UserID2 string `path:"userId2" format:"uuid"`
}

func (s *Server) adminMessages(ctx context.Context, in *AdminMessagesInput) (*output[MessageHistory], error) {
	one, err := parseID(in.UserID1)
	if err != nil {
		return nil, err
	}
	other, err := parseID(in.UserID2)
	if err != nil {
		return nil, err
	}
	before, err := in.read()
	if err != nil {
		_, errOne := s.reports.Person(ctx, one)
		_, errOther := s.reports.Person(ctx, other)
		return nil, cmp.Or(errOne, errOther, err)
	}
	seen, err := s.chat.Inspect(ctx, actor(ctx).ID, one, other, before)
	return respond(MessageHistory(seen)), err
}

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
