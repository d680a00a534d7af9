package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
)

const (
	csvType = "text/csv; charset=utf-8"
	pdfType = "application/pdf"
	// maxStatementLines bounds a file, which is made in memory: 10,000 lines are some 2 MiB.
	maxStatementLines = 10_000
)

// registerFile serves a file that is made for each call, one at a time for each user.
func registerFile[I any](s *Server, e endpoint, mediaType string, produce func(context.Context, *I) (*download, error)) {
	e.rateLimits = append(e.rateLimits, perUser("files", s.limits.FileLimit))
	registerAs(s, e, map[string]*huma.Response{"200": {
		Description: "The file.",
		Content: map[string]*huma.MediaType{strings.TrimSuffix(mediaType, "; charset=utf-8"): {
			Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"},
		}},
	}}, withRateLimits(s, e, func(ctx context.Context, in *I) (*download, error) {
		user := actor(ctx).ID
		if !s.downloads.start(user) {
			return nil, errDownloadsBusy()
		}
		defer s.downloads.end(user)
		return produce(ctx, in)
	}))
}

// file returns a download of data.
func file(name, mediaType string, data []byte) *download {
	return &download{
		Type: mediaType, Disposition: `attachment; filename="` + name + `"`, Length: int64(len(data)),
		Body: func(ctx huma.Context) {
			_, w := humachi.Unwrap(ctx)
			_ = writePieces(w, data) // a client that leaves early sees that bytes are missing
		},
	}
}

// FileLanguage is the query of a file for people.
type FileLanguage struct {
	Language string `query:"language" enum:"en,bn" doc:"en by default." example:"bn"`
}

func (f FileLanguage) read() (string, error) {
	lang, err := oneOf("language", f.Language, catalog.English, catalog.Bangla)
	if lang == "" {
		lang = catalog.English
	}
	return lang, err
}

// StatementFileInput is the query of a statement's file.
type StatementFileInput struct {
	StatementQuery
	FileLanguage
}

// statementWriter makes the file of a statement.
type statementWriter interface {
	begin(sums reports.Statement)
	add(lines []reports.StatementLine)
	end() ([]byte, error)
	name() (ending, mediaType string)
}

// statementHead is what a statement's file says of itself.
type statementHead struct {
	lang     string
	username string
	period   reports.Period
	made     time.Time
}

func (s *Server) statementFile(
	ctx context.Context, in *StatementFileInput, newWriter func(*Server, statementHead) (statementWriter, error),
) (*download, error) {
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	lang, err := in.read()
	if err != nil {
		return nil, err
	}
	user := actor(ctx)
	head := statementHead{lang: lang, username: user.Username, period: filter.Period, made: s.clock.Now()}
	var w statementWriter
	err = s.reports.StatementParts(ctx, user.ID, filter, maxStatementLines, func(sums reports.Statement, lines []reports.StatementLine) error {
		if lines != nil {
			w.add(lines)
			return nil
		}
		if sums.Count > maxStatementLines {
			return fault.New(fault.Invalid, "statement_too_long", "A file has at most 10,000 transactions. Please choose a shorter period.")
		}
		var err error
		if w, err = newWriter(s, head); err == nil { // once more if the transaction is repeated
			w.begin(sums)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	data, err := w.end()
	if err != nil {
		return nil, fmt.Errorf("statement: %w", err)
	}
	ending, mediaType := w.name()
	return file("amanat-"+user.Username+"-"+s.clock.Now().In(clock.Dhaka).Format(time.DateOnly)+"."+ending, mediaType, data), nil
}

// csvStatement writes a statement as comma-separated values for spreadsheets.
type csvStatement struct {
	head statementHead
	sums reports.Statement
	out  bytes.Buffer
	csv  *csv.Writer
}

// byteOrderMark tells spreadsheets that the file is in UTF-8.
const byteOrderMark = "\ufeff"

func newCSVStatement(_ *Server, head statementHead) (statementWriter, error) {
	w := &csvStatement{head: head}
	w.out.WriteString(byteOrderMark)
	w.csv = csv.NewWriter(&w.out)
	w.csv.UseCRLF = true
	return w, nil
}

// row writes a row. Writing to a buffer does not fail.
func (w *csvStatement) row(cells ...string) { _ = w.csv.Write(cells) }

func (w *csvStatement) begin(sums reports.Statement) {
	w.sums = sums
	heads := []catalog.Kind{
		catalog.StatementDate, catalog.StatementTransaction, catalog.StatementDeal, catalog.StatementWith, catalog.StatementMethod,
		catalog.StatementReference, catalog.StatementAmount, catalog.StatementBalance, catalog.StatementID,
	}
	names := make([]string, len(heads))
	for i, kind := range heads {
		names[i] = catalog.Render(w.head.lang, kind, nil)
	}
	w.row(names...)
	w.row("", catalog.Render(w.head.lang, catalog.StatementOpening, nil), "", "", "", "", "", sums.Opening.String(), "")
}

func (w *csvStatement) add(lines []reports.StatementLine) {
	for _, l := range lines {
		method := ""
		if l.Method != nil {
			method = catalog.MethodName(w.head.lang, *l.Method)
		}
		w.row(
			l.At.In(clock.Dhaka).Format("2006-01-02 15:04"), catalog.MovementName(w.head.lang, l.Kind),
			noFormula(l.Title), noFormula(l.With), method, noFormula(cmp.Or(l.Reference, l.Reason)),
			l.Amount.String(), l.BalanceAfter.String(), l.Subject,
		)
	}
}

func (w *csvStatement) end() ([]byte, error) {
	w.row("", catalog.Render(w.head.lang, catalog.StatementClosing, nil), "", "", "", "", "", w.sums.Closing.String(), "")
	w.csv.Flush()
	return w.out.Bytes(), w.csv.Error()
}

func (w *csvStatement) name() (ending, mediaType string) { return "csv", csvType }

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
