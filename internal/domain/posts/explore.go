package posts

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// Bounds of the public listing.
const (
	PageSize   = 12
	maxMatches = 10_000 // more are not counted, and not paged through
	maxSearch  = 100
	// seedLife bounds how many posts newer than itself a walk may have to step over.
	seedLife = 24 * time.Hour
)

// Query asks for a page of the public listing.
type Query struct {
	Search   string   // "" for all posts
	Category Category // "" for all categories
	Seed     string   // as an earlier page gave it; "" or one that makes no sense starts anew
	Page     int      // from 1
}

// Listing is a page of the public listing.
type Listing struct {
	Posts      []Post // with the beginnings of their descriptions
	TotalPages int    // exact up to 10,000 matches
	Page       int
	Seed       string
}

// Explore returns a page of the public listing to anybody. Every visitor sees the posts in an order of their own, which the seed names: a walk
// from a random point around the circle of all posts. Posts made after the seed stay out of its walk, so pages do not shift while posts
// are added. Code Invalid: a search of more than 100 characters, an unknown category.
func (s *Service) Explore(ctx context.Context, q Query) (Listing, error) {
	if utf8.RuneCountInString(q.Search) > maxSearch {
		return Listing{}, fault.Field("search", "The search must be at most 100 characters.")
	}
	now := s.Clock.Now()
	from, ok := parseSeed(q.Seed, now)
	if !ok {
		from = seed{place: rand.Int32(), at: now}
	}
	walk := walk{seed: from, category: q.Category, words: wanted(q.Search), page: postgres.Page{Limit: PageSize, Offset: (q.Page - 1) * PageSize}}
	total, ids, err := walk.run(ctx, s.DB)
	if err != nil {
		return Listing{}, err
	}
	list, err := listByIDs(ctx, s.DB, ids)
	return Listing{Posts: list, TotalPages: (total + PageSize - 1) / PageSize, Page: q.Page, Seed: from.String()}, err
}

// seed is where and when a visitor began to look around.
type seed struct {
	place int32 // of the first post
	at    time.Time
}

const (
	seedSeparator = "-"
	seedBase      = 36
)

// String returns the seed as the client keeps it.
func (s seed) String() string {
	return strconv.FormatInt(int64(s.place), seedBase) + seedSeparator + strconv.FormatInt(s.at.UnixMicro(), seedBase)
}

// parseSeed reads a seed of ours that is still good.
func parseSeed(text string, now time.Time) (seed, bool) {
	placeText, atText, _ := strings.Cut(text, seedSeparator)
	place, err := strconv.ParseUint(placeText, seedBase, 31)
	if err != nil {
		return seed{}, false
	}
	micros, err := strconv.ParseInt(atText, seedBase, 64)
	if err != nil {
		return seed{}, false
	}
	at := time.UnixMicro(micros).UTC()
	if at.After(now) || now.Sub(at) > seedLife {
		return seed{}, false
	}
	return seed{place: int32(place), at: at}, true
}
