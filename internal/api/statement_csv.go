package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
)

const (
	csvType = "text/csv"
	// maxStatementLines bounds a file, which is made in memory: 10,000 lines are some 2 MiB.
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
