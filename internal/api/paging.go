package api

import (
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"amanat/internal/fault"
)

// Bounds of a page.
const (
	defaultLimit = 10
	maxLimit     = 100
	maxPage      = 1_000_000
	unpagedLimit = 1_000 // of bare lists when no page is asked for
)

// Paged is the query of a list.
type Paged struct {
	Page  queryNumber `query:"page" doc:"From 1."`
	Limit queryNumber `query:"limit" doc:"Rows a page, 10 by default, at most 100."`
}

// queryNumber is a whole number in a query, kept as it came, so that a wrong one is refused in our words and not in huma's.
type queryNumber string

// Schema documents it as a number.
func (queryNumber) Schema(huma.Registry) *huma.Schema {
	least := 1.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least}
}

// queryFlag is true or false in a query, kept as it came for the same reason.
type queryFlag string

// Schema documents it as a boolean.
func (queryFlag) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeBoolean} }

// page is a slice of a list. It has the fields of the nouns' own Page types.
type page struct {
	Limit, Offset int
}

// slice returns what to read and the number of the page. Code Invalid: not whole numbers from 1.
func (p Paged) slice() (slice page, number int, err error) {
	number, err = wholeNumber("page", p.Page, 1, maxPage)
	if err != nil {
		return page{}, 0, err
	}
	limit, err := wholeNumber("limit", p.Limit, defaultLimit, 0)
	if err != nil {
		return page{}, 0, err
	}
	limit = min(limit, maxLimit)
	return page{Limit: limit, Offset: (number - 1) * limit}, number, nil
}

// sliceOrAll is slice for bare lists: without a page it means the whole list.
func (p Paged) sliceOrAll() (page, error) {
	if p.Page == "" && p.Limit == "" {
		return page{Limit: unpagedLimit}, nil
	}
	slice, _, err := p.slice()
	return slice, err
}

// wholeNumber reads a number from 1 to most; 0 means no bound.
func wholeNumber(field string, text queryNumber, ifEmpty, most int) (int, error) {
	if text == "" {
		return ifEmpty, nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || (most > 0 && n > most) {
		return 0, fault.Field(field, field+" must be a whole number from 1.")
	}
	return n, nil
}

// Pages says where in a list an answer stands.
type Pages struct {
	Page  int `json:"page"`
	Pages int `json:"pages"`
	Total int `json:"total"`
}

func pagesOf(number, limit, total int) Pages {
	return Pages{Page: number, Pages: (total + limit - 1) / limit, Total: total}
}
