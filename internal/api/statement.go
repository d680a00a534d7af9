package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"amanat/internal/domain/reports"
	"amanat/internal/money"
)

const walletTag = "Wallet"

// registerStatements serves statements of a wallet.
func (s *Server) registerStatements() {
	register(s, endpoint{
		id: "wallet-statement", method: http.MethodGet, path: "/wallet/statement", tag: walletTag,
		summary: "A page of what moved the user's balance in a period, the latest first",
	}, s.walletStatement)
	csv := endpoint{
		id: "wallet-statement-csv", method: http.MethodGet, path: "/wallet/statement/csv", tag: walletTag,
		summary:    "Download a statement as a table, the oldest transaction first",
		rateLimits: []rateLimit{perUser("files", s.limits.FileLimit)},
	}
	registerAs(s, csv, map[string]*huma.Response{"200": {
		Description: "The file.",
		Content:     map[string]*huma.MediaType{csvType: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}},
	}}, withRateLimits(s, csv, s.statementCSV))
}

// StatementQuery chooses the transactions of a statement.
type StatementQuery struct {
	Days

	Kind string `query:"kind" enum:"deals,deposits,withdrawals,rewards,corrections" doc:"All kinds by default."`
}

// StatementInput is the query of a page of a statement.
type StatementInput struct {
	StatementQuery
	Paged
}

func (q StatementQuery) filter() (reports.StatementFilter, error) {
	period, err := q.period()
	if err != nil {
		return reports.StatementFilter{}, err
	}
	kind, err := oneOf("kind", q.Kind,
		reports.StatementDeals, reports.StatementDeposits, reports.StatementWithdrawals, reports.StatementRewards,
		reports.StatementCorrections)
	return reports.StatementFilter{Period: period, Kind: kind}, err
}

// WalletStatement is a page of a statement.
type WalletStatement struct {
	Success bool `json:"success" example:"true"`
	Pages

	Opening money.Cents     `json:"opening" doc:"The balance before the period." example:"0"`
	Closing money.Cents     `json:"closing" doc:"The balance after the period: opening and all transactions of all kinds." example:"399.99"`
	In      money.Cents     `json:"in" doc:"Sum of what came in, of the chosen kind, on all pages." example:"500"`
	Out     money.Cents     `json:"out" doc:"Sum of what went out, of the chosen kind, on all pages." example:"100.01"`
	Lines   []StatementLine `json:"lines"`
}

// StatementLine is a transaction and what it was for.
type StatementLine struct {
	WalletMovement

	Title     *string `json:"title" doc:"The beginning of the deal's description; null for other transactions, and if it has been erased." example:"Cooking channel"`
	With      *string `json:"with" doc:"Username of the deal's other party; null for other transactions." example:"karim"`
	Method    *string `json:"method" doc:"Bkash or Nagad; null for other transactions." example:"Bkash"`
	Reference *string `json:"reference" doc:"Transaction ID of a deposit, number of a withdrawal; null for other transactions." example:"9H7A1B2C3D"`
}

func (s *Server) walletStatement(ctx context.Context, in *StatementInput) (*output[WalletStatement], error) {
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	found, err := s.reports.Statement(ctx, actor(ctx).ID, filter, slice)
	return respond(WalletStatement{
		Success: true, Pages: pagesOf(number, slice.Limit, found.Count),
		Opening: found.Opening, Closing: found.Closing, In: found.In, Out: found.Out,
		Lines: mapped(found.Lines, func(l reports.StatementLine) StatementLine {
			return StatementLine{walletMovement(l.Movement), l.Title, l.With, l.Method, l.Reference}
		}),
	}), err
}

func walletMovement(m reports.Movement) WalletMovement {
	return WalletMovement{
		Kind: MovementKind(m.Kind), Subject: m.Subject, Amount: m.Amount, BalanceAfter: m.BalanceAfter, At: m.At, Reason: m.Reason,
	}
}
