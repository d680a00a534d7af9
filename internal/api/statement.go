package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
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
	Paper   Nullable[Paper] `json:"paper" doc:"null with more than 10,000 transactions, which are not printed."`
}

// StatementLine is a transaction and what it was for.
type StatementLine struct {
	WalletMovement

	Title           *string       `json:"title" doc:"The beginning of the deal's description; null for other transactions, and if it has been erased." example:"Cooking channel"`
	With            *string       `json:"with" doc:"Username of the deal's other party; null for other transactions." example:"karim"`
	Method          *string       `json:"method" doc:"Bkash or Nagad; null for other transactions." example:"Bkash"`
	Reference       *string       `json:"reference" doc:"Transaction ID of a deposit, number of a withdrawal; null for other transactions." example:"9H7A1B2C3D"`
	ConvertedAmount *money.Poisha `json:"convertedAmount" nullable:"true" doc:"BDT of a deposit or withdrawal; null for other transactions." example:"60500"`
	ClaimedAmount   *money.Cents  `json:"claimedAmount" nullable:"true" doc:"What the user reported, if a deposit was credited with another amount; null otherwise." example:"500"`
	PayoutID        *string       `json:"payoutId" doc:"Transaction ID of the payout of a withdrawal that was sent; null otherwise." example:"75LPX4NB"`
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
	if err != nil {
		return nil, err
	}
	var paper Nullable[Paper]
	if found.Count <= maxStatementLines {
		p, err := s.reports.StatementPaper(ctx, actor(ctx).ID, filter, found)
		if err != nil {
			return nil, err
		}
		paper = orNull(new(s.paperOf(p)))
	}
	return respond(WalletStatement{
		Success: true, Pages: pagesOf(number, slice.Limit, found.Count), Paper: paper,
		Opening: found.Opening, Closing: found.Closing, In: found.In, Out: found.Out,
		Lines: mapped(found.Lines, func(l reports.StatementLine) StatementLine {
			return StatementLine{walletMovement(l.Movement), l.Title, l.With, l.Method, l.Reference, l.Taka, l.Claimed, l.Payout}
		}),
	}), nil
}

func walletMovement(m reports.Movement) WalletMovement {
	return WalletMovement{
		Kind: MovementKind(m.Kind), Subject: m.Subject, Amount: m.Amount, BalanceAfter: m.BalanceAfter, At: m.At, Reason: m.Reason,
	}
}

const (
	csvType = "text/csv"
	// maxStatementLines bounds a file, which is made in memory: 10,000 lines are some 2 MiB. It
	// bounds what is printed, too, and added up again for whoever checks it.
	maxStatementLines = 10_000
)

// StatementFileInput is the query of a statement's file.
type StatementFileInput struct {
	StatementQuery

	Language string `query:"language" enum:"en,bn" doc:"en by default." example:"bn"`
}

// statementCSV makes the file of a statement, one at a time for each user.
func (s *Server) statementCSV(ctx context.Context, in *StatementFileInput) (*download, error) {
	user := actor(ctx)
	if !s.downloads.start(user.ID) {
		return nil, errDownloadsBusy()
	}
	defer s.downloads.end(user.ID)
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	lang, err := oneOf("language", in.Language, catalog.English, catalog.Bangla)
	if err != nil {
		return nil, err
	}
	var w *csvStatement
	err = s.reports.StatementParts(ctx, user.ID, filter, maxStatementLines, func(sums reports.Statement, lines []reports.StatementLine) error {
		if lines != nil {
			w.add(lines)
			return nil
		}
		if sums.Count > maxStatementLines {
			return fault.New(fault.Invalid, "statement_too_long", "A file has at most 10,000 transactions. Please choose a shorter period.")
		}
		w = newCSVStatement(cmp.Or(lang, catalog.English), sums) // once more if the transaction is repeated
		return nil
	})
	if err != nil {
		return nil, err
	}
	data, err := w.end()
	if err != nil {
		return nil, fmt.Errorf("statement: %w", err)
	}
	name := "amanat-" + user.Username + "-" + s.clock.Now().In(clock.Dhaka).Format(time.DateOnly) + ".csv"
	return &download{
		Type: csvType + "; charset=utf-8", Disposition: `attachment; filename="` + name + `"`, Length: int64(len(data)),
		Body: func(ctx huma.Context) {
			_, w := humachi.Unwrap(ctx)
			_ = writePieces(w, data) // a client that leaves early sees that bytes are missing
		},
	}, nil
}

// csvStatement writes a statement as comma-separated values for spreadsheets.
type csvStatement struct {
	lang string
	sums reports.Statement
	out  bytes.Buffer
	csv  *csv.Writer
}

// byteOrderMark tells spreadsheets that the file is in UTF-8.
const byteOrderMark = "\ufeff"

func newCSVStatement(lang string, sums reports.Statement) *csvStatement {
	w := &csvStatement{lang: lang, sums: sums}
	w.out.WriteString(byteOrderMark)
	w.csv = csv.NewWriter(&w.out)
	w.csv.UseCRLF = true
	heads := []catalog.Kind{
		catalog.StatementDate, catalog.StatementTransaction, catalog.StatementDeal, catalog.StatementWith, catalog.StatementMethod,
		catalog.StatementReference, catalog.StatementAmount, catalog.StatementBalance, catalog.StatementID,
	}
	names := make([]string, len(heads))
	for i, kind := range heads {
		names[i] = catalog.Render(lang, kind, nil)
	}
	w.row(names...)
	w.row("", catalog.Render(lang, catalog.StatementOpening, nil), "", "", "", "", "", sums.Opening.String(), "")
	return w
}

// row writes a row. Writing to a buffer does not fail.
func (w *csvStatement) row(cells ...string) { _ = w.csv.Write(cells) }

func (w *csvStatement) add(lines []reports.StatementLine) {
	for _, l := range lines {
		method := ""
		if l.Method != nil {
			method = catalog.MethodName(w.lang, *l.Method)
		}
		w.row(
			l.At.In(clock.Dhaka).Format("2006-01-02 15:04"), catalog.MovementName(w.lang, l.Kind),
			noFormula(l.Title), noFormula(l.With), method, noFormula(cmp.Or(l.Reference, l.Reason)),
			l.Amount.String(), l.BalanceAfter.String(), l.Subject,
		)
	}
}

func (w *csvStatement) end() ([]byte, error) {
	w.row("", catalog.Render(w.lang, catalog.StatementClosing, nil), "", "", "", "", "", w.sums.Closing.String(), "")
	w.csv.Flush()
	return w.out.Bytes(), w.csv.Error()
}

var (
	// formulaStart is where a spreadsheet begins to read a formula, in characters of any width: at
	// the start of a text, and after what separates cells in some locales
	// (https://owasp.org/www-community/attacks/CSV_Injection).
	formulaStart = regexp.MustCompile(`(^|[;\t\r\n])([\s"']*[=+\-@|%＝＋－＠﹦﹢﹣﹫−])`)
	// rewrittenNumber is a number that loses leading zeros, its last digits or its E in a
	// spreadsheet, such as a phone number or the transaction ID 12E34567.
	rewrittenNumber = regexp.MustCompile(`^\s*(0\d+|\d{12,}|\d+(\.\d*)?[eE][+-]?\d+)\s*$`)
)

// noFormula returns a text that a user wrote so that no spreadsheet takes it for a formula or a
// number.
func noFormula(text *string) string {
	if text == nil {
		return ""
	}
	if rewrittenNumber.MatchString(*text) {
		return "'" + *text
	}
	return formulaStart.ReplaceAllString(*text, "$1'$2")
}
