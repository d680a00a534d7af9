package posts

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// Order is the order of a filtered listing, one of Orders.
type Order string

// The orders of a filtered listing.
const (
	Newest       Order = "newest"
	LowestPrice  Order = "price"
	HighestPrice Order = "-price"
)

// Orders returns all orders.
func Orders() []Order { return []Order{Newest, LowestPrice, HighestPrice} }

// Filter narrows and orders the public listing.
type Filter struct {
	Search      string
	Category    Category // "" for all categories
	Subcategory string   // "" for all
	Order       Order    // "" is Newest
	Min, Max    money.Cents
	Facts       []FactFilter
	Cursor      string // Next of the page before; "" for the first page
}

// FilteredPage is a page of a filtered listing.
type FilteredPage struct {
	Posts   []Post // with shortened descriptions; fewer than PageSize do not mean the end
	Total   *int   // of the first page: the number of matches; nil if there are too many to count
	Next    string // the cursor of the next page; "" at the end
	Similar bool   // as in Listing
}

// Browse returns a page of the filtered listing. Any visitor may call it. Posts that are neither
// added, changed nor deleted while someone pages through it occur exactly once. A page reads a
// bounded number of posts, so that one with a rare fact may have fewer posts or none. Code Invalid:
// a search of more than 100 characters, an invalid cursor.
func (s *Service) Browse(ctx context.Context, f Filter) (FilteredPage, error) {
	walk, err := s.walk(Query{Search: f.Search, Category: f.Category})
	if err != nil {
		return FilteredPage{}, err
	}
	after, err := parsePosition(f.Cursor)
	if err != nil {
		return FilteredPage{}, err
	}
	b := browse{walk: walk, Filter: f, after: after}
	found, err := b.run(ctx, s.DB)
	if err == nil && found.total == 0 {
		if err = b.allowTypos(ctx, s.DB); err == nil && len(b.similar) > 0 {
			found, err = b.run(ctx, s.DB)
		}
	}
	if err != nil {
		return FilteredPage{}, err
	}
	list, err := listByIDs(ctx, s.DB, found.ids())
	page := FilteredPage{Posts: list, Next: found.next(), Similar: b.similar != nil && found.total > 0}
	if after == nil && found.total != uncounted {
		page.Total = &found.total
	}
	return page, err
}

// position is the place of a post in an order: its key, if that is not its id, and its id.
type position struct {
	Key int64
	ID  uuid.UUID
}

const positionSeparator = "."

// String returns the position in the form that clients send back.
func (p position) String() string {
	return strconv.FormatInt(p.Key, seedBase) + positionSeparator + p.ID.String()
}

// parsePosition parses a cursor, nil if it is "". Code Invalid.
func parsePosition(cursor string) (*position, error) {
	if cursor == "" {
		return nil, nil
	}
	keyText, idText, _ := strings.Cut(cursor, positionSeparator)
	key, err := strconv.ParseInt(keyText, seedBase, 64)
	id, idErr := uuid.Parse(idText)
	if err != nil || idErr != nil {
		return nil, fault.Field("cursor", "cursor_invalid", "This page does not exist. Please start from the first page.")
	}
	return &position{Key: key, ID: id}, nil
}
