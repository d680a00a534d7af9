package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

type contextKey int

const (
	requestInfoKey contextKey = iota
	callKey
)

// requestInfo is what middlewares record about a request, for the log and for each other.
type requestInfo struct {
	id      string
	method  string
	address string // the client's, see addresses
	userID  *uuid.UUID

	refusal  *fault.Error // why the call was refused, nil if it was not
	upgraded bool         // the connection is a socket now
}

func requestInfoOf(ctx context.Context) *requestInfo {
	if info, ok := ctx.Value(requestInfoKey).(*requestInfo); ok {
		return info
	}
	return &requestInfo{}
}

// stopwatch returns a function that returns the elapsed time of the machine's clock.
func stopwatch() func() time.Duration {
	started := time.Now()                                      //nolint:forbidigo // duration of a request
	return func() time.Duration { return time.Since(started) } //nolint:forbidigo // duration of a request
}

// setReadDeadline bounds how long the client may take to send the body; 0 removes the bound.
// Writers without deadlines, as in tests, ignore it.
func setReadDeadline(w http.ResponseWriter, timeout time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(deadline(timeout))
}

// setWriteDeadline bounds how long the client may take to receive the answer, from now: reading a
// large body may have taken a while.
func setWriteDeadline(w http.ResponseWriter, timeout time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(deadline(timeout))
}

func deadline(timeout time.Duration) time.Time {
	if timeout <= 0 {
		return time.Time{}
	}
	return time.Now().Add(timeout) //nolint:forbidigo // deadline of a connection
}

// Bounds of a page.
const (
	defaultLimit = 10
	maxLimit     = 100
	maxPage      = 1_000_000
	unpagedLimit = 100 // of bare lists without a page
	longLimit    = 25  // of rows with texts of up to 5,000 characters, so that a page fits
)

// Paged is the query of a list.
type Paged struct {
	Page  queryNumber `query:"page" doc:"From 1." example:"1"`
	Limit queryNumber `query:"limit" doc:"Rows a page, 10 by default, at most 100." example:"10"`
}

// PagedLong is the query of a bare list whose rows have whole texts. Its pages are short, so that
// one fits into an answer; rows that do not fit are dropped, and the next page starts after the
// page.
type PagedLong struct {
	Page  queryNumber `query:"page" example:"1" doc:"From 1. Without page and limit the first 25 rows come."`
	Limit queryNumber `query:"limit" example:"10" doc:"Rows a page, 10 by default, at most 25."`
}

// sliceOrFirst is Paged.sliceOrFirst with at most longLimit rows, also without a page.
func (p PagedLong) sliceOrFirst() (postgres.Page, error) {
	if p.Page == "" && p.Limit == "" {
		return postgres.Page{Limit: longLimit}, nil
	}
	slice, number, err := Paged(p).slice()
	if slice.Limit > longLimit {
		slice = postgres.Page{Limit: longLimit, Offset: (number - 1) * longLimit}
	}
	return slice, err
}

// Total is the header of a bare list.
type Total struct {
	Total int `header:"X-Total-Count" doc:"Rows on all pages. Without a page the first 100 come; fewer rows than asked for come where more would be over 1 MiB."`
}

// queryNumber is a whole number in a query, kept as text so that the api's error is returned
// instead of huma's.
type queryNumber string

// Schema documents it as a number.
func (queryNumber) Schema(huma.Registry) *huma.Schema {
	least := 1.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least}
}

// queryFlag is true or false in a query, kept as text for the same reason.
type queryFlag string

// Schema documents it as a boolean.
func (queryFlag) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeBoolean} }

// slice returns the page to read and its number. Code Invalid: not whole numbers from 1.
func (p Paged) slice() (slice postgres.Page, number int, err error) {
	number, err = wholeNumber("page", p.Page, 1, maxPage)
	if err != nil {
		return postgres.Page{}, 0, err
	}
	limit, err := wholeNumber("limit", p.Limit, defaultLimit, 0)
	if err != nil {
		return postgres.Page{}, 0, err
	}
	limit = min(limit, maxLimit)
	return postgres.Page{Limit: limit, Offset: (number - 1) * limit}, number, nil
}

// sliceOrFirst is slice for bare lists: without a page it returns the first hundred rows.
func (p Paged) sliceOrFirst() (postgres.Page, error) {
	if p.Page == "" && p.Limit == "" {
		return postgres.Page{Limit: unpagedLimit}, nil
	}
	slice, _, err := p.slice()
	return slice, err
}

// wholeNumber parses a number from 1 to most; most 0 means no maximum.
func wholeNumber(field string, text queryNumber, ifEmpty, most int) (int, error) {
	if text == "" {
		return ifEmpty, nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || (most > 0 && n > most) {
		return 0, fault.Fieldf(field, "not_a_whole_number", "{field} must be a whole number from 1.", fault.Params{"field": field})
	}
	return n, nil
}

// Pages is the position of an answer in a list.
type Pages struct {
	Page  int `json:"page" example:"1"`
	Pages int `json:"pages" example:"1"`
	Total int `json:"total" example:"1"`
}

func pagesOf(number, limit, total int) Pages {
	return Pages{Page: number, Pages: (total + limit - 1) / limit, Total: total}
}

// oneOf parses an enumerated query parameter; "" means all.
func oneOf[T ~string](field, text string, choices ...T) (T, error) {
	choice := T(text)
	if text == "" || slices.Contains(choices, choice) {
		return choice, nil
	}
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = string(c)
	}
	return "", fault.Fieldf(field, "not_a_choice",
		"{field} must be one of {choices}.", fault.Params{"field": field, "choices": strings.Join(names, ", ")})
}
