package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"amanat/internal/domain/reports"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// registerPapers serves what is printed with a receipt, and the page that proves it.
func (s *Server) registerPapers() {
	register(s, endpoint{
		id: "deal-receipt", method: http.MethodGet, path: "/deals/{id}/receipt", tag: dealTag,
		summary: "What the receipt of a paid deal says beside the deal, to its buyer and its seller",
		codes:   []fault.Code{fault.Conflict},
	}, s.dealReceipt)
	register(s, endpoint{
		id: "check-paper", method: http.MethodGet, path: "/check/{code}", tag: "Public", access: anyone, shared: sharedContent,
		summary: "What a receipt or statement says, to whoever has its code",
		codes:   []fault.Code{fault.NotFound},
	}, s.checkPaper)
}

// Paper is what a printed receipt or statement says beside its figures.
type Paper struct {
	Code     string      `json:"code" doc:"The page /check/{code} shows anybody whether the paper is genuine." example:"0403k7m2p9qa4x"`
	Number   string      `json:"number" doc:"Of a receipt; empty for a statement." example:"D-00AB-12CD-34EF"`
	MadeAt   time.Time   `json:"madeAt"`
	Operator string      `json:"operator" doc:"The name of who operates the site, and their address after the first comma." example:"Amanat Ltd, 12 Lake Road, Dhaka"`
	USDToBDT *money.Rate `json:"usdToBdt" nullable:"true" doc:"Taka a dollar when the deal was paid, the deposit credited or the period closed; null if no rate was set." example:"120.25"`
}

func (s *Server) paperOf(p reports.Paper) Paper {
	return Paper{Code: p.Code, Number: p.Number, MadeAt: p.MadeAt, Operator: s.operator, USDToBDT: p.Rate}
}

func (s *Server) dealReceipt(ctx context.Context, _ *IDPath) (*output[Paper], error) {
	deal, err := s.deals.Get(ctx, actor(ctx).ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	if deal.ActivatedAt == nil {
		return nil, fault.New(fault.Conflict, "deal_unpaid", "A deal has a receipt once it has been paid.")
	}
	p, err := s.reports.DealPaper(ctx, deal.ID, *deal.ActivatedAt)
	return respond(s.paperOf(p)), err
}

// CheckedPaper is what everybody sees of a paper: no texts, and names without their middle.
type CheckedPaper struct {
	Operator  string                     `json:"operator" doc:"As on the paper." example:"Amanat Ltd, 12 Lake Road, Dhaka"`
	Deal      Nullable[CheckedDeal]      `json:"deal" doc:"null: it is not the receipt of a deal."`
	Deposit   Nullable[CheckedDeposit]   `json:"deposit" doc:"null: it is not the receipt of a deposit."`
	Statement Nullable[CheckedStatement] `json:"statement" doc:"null: it is no statement."`
}

// CheckedDeal is the receipt of a deal, with what became of the deal.
type CheckedDeal struct {
	Number   string       `json:"number" example:"D-00AB-12CD-34EF"`
	Buyer    string       `json:"buyer" example:"n•••t"`
	Seller   string       `json:"seller" example:"k•••m"`
	Price    money.Cents  `json:"price" example:"200"`
	PaidAt   time.Time    `json:"paidAt"`
	Status   string       `json:"status" enum:"Active,Late,Delivered,Completed,Cancelled,Cancelled by Buyer,Cancelled by Seller"`
	ClosedAt *time.Time   `json:"closedAt" doc:"Null while Amanat holds the money."`
	Refund   *money.Cents `json:"refund" nullable:"true" doc:"What the buyer got back; null: nothing."`
}

// CheckedDeposit is the receipt of a deposit.
type CheckedDeposit struct {
	Number     string       `json:"number" example:"P-00AB-12CD-34EF"`
	User       string       `json:"user" example:"n•••t"`
	Method     string       `json:"paymentMethod" enum:"Bkash,Nagad"`
	Amount     money.Cents  `json:"amount" doc:"USD that were credited." example:"500"`
	Taka       money.Poisha `json:"convertedAmount" doc:"BDT that were sent." example:"60500"`
	CreditedAt time.Time    `json:"creditedAt"`
}

// KindChosen is the kind of transactions that a statement has.
type KindChosen string

// Schema documents KindChosen, which may be null.
func (KindChosen) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(reports.StatementDeals, reports.StatementDeposits, reports.StatementWithdrawals, reports.StatementRewards,
		reports.StatementCorrections)
}

// CheckedStatement is a statement without its lines.
type CheckedStatement struct {
	User    string      `json:"user" example:"n•••t"`
	From    *time.Time  `json:"from" doc:"Where the period begins; null: with the first transaction."`
	To      *time.Time  `json:"to" doc:"The moment after the period; null: when it was made."`
	MadeAt  time.Time   `json:"madeAt"`
	Kind    *KindChosen `json:"kind" doc:"Of the transactions in count, in and out; null: all."`
	Count   int         `json:"count" doc:"Number of transactions." example:"2"`
	Opening money.Cents `json:"opening" example:"0"`
	In      money.Cents `json:"in" example:"500"`
	Out     money.Cents `json:"out" example:"100.01"`
	Closing money.Cents `json:"closing" example:"399.99"`
}

// PaperPath names a paper.
type PaperPath struct {
	Code string `path:"code" doc:"As on the paper, in any letter case." example:"0403k7m2p9qa4x"`
}

func (s *Server) checkPaper(ctx context.Context, in *PaperPath) (*output[CheckedPaper], error) {
	found, err := s.reports.CheckPaper(ctx, in.Code)
	if err != nil {
		return nil, err
	}
	wire := CheckedPaper{Operator: s.operator}
	if d := found.Deal; d != nil {
		wire.Deal = orNull(new(CheckedDeal(*d)))
	}
	if d := found.Deposit; d != nil {
		wire.Deposit = orNull(new(CheckedDeposit(*d)))
	}
	if st := found.Statement; st != nil {
		period := st.Filter.Period
		wire.Statement = orNull(&CheckedStatement{
			User: st.User, From: period.From, To: period.To, MadeAt: st.MadeAt, Kind: nullable[KindChosen](st.Filter.Kind),
			Count: st.Count, Opening: st.Opening, In: st.In, Out: st.Out, Closing: st.Closing,
		})
	}
	return respond(wire), nil
}
