package posts

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Bounds of the public listing.
const (
	PageSize   = 12
	maxMatches = 10_000 // more are neither counted nor paged through
	maxSearch  = 100
	// seedLife bounds how many posts newer than the seed a walk may have to skip.
	seedLife = 24 * time.Hour
)

// Query selects a page of the public listing.
type Query struct {
	Search   string   // "" for all posts
	Category Category // "" for all categories
	Seed     string   // from an earlier page; "" or an invalid one starts over
	Page     int      // from 1
}

// Listing is a page of the public listing.
type Listing struct {
	Posts      []Post // with shortened descriptions
	TotalPages int    // exact up to 10,000 matches
	Page       int
	Seed       string
	Similar    bool // nothing matches; these posts match words that differ in a letter
}

// Explore returns a page of the public listing. Any visitor may call it. Every visitor sees the
// posts in a different order, identified by the seed: a walk from a random point around the circle
// of all posts. Posts created after the seed are not in its walk, so pages do not shift while posts
// are added. Code Invalid: a search of more than 100 characters.
func (s *Service) Explore(ctx context.Context, q Query) (Listing, error) {
	walk, err := s.walk(q)
	if err != nil {
		return Listing{}, err
	}
	walk.page = postgres.Page{Limit: PageSize, Offset: (q.Page - 1) * PageSize}
	total, ids, err := walk.run(ctx, s.DB)
	if err == nil && total == 0 {
		if err = walk.allowTypos(ctx, s.DB); err == nil && len(walk.similar) > 0 {
			total, ids, err = walk.run(ctx, s.DB)
		}
	}
	if err != nil {
		return Listing{}, err
	}
	list, err := listByIDs(ctx, s.DB, ids)
	return Listing{
		Posts: list, TotalPages: (min(total, maxMatches) + PageSize - 1) / PageSize, Page: q.Page, Seed: walk.seed.String(),
		Similar: walk.similar != nil && total > 0,
	}, err
}

// walk returns the walk through the posts of a query.
func (s *Service) walk(q Query) (walk, error) {
	if utf8.RuneCountInString(q.Search) > maxSearch {
		return walk{}, fault.Field("search", "search_too_long", "The search must be at most 100 characters.")
	}
	now := s.Clock.Now()
	from, ok := parseSeed(q.Seed, now)
	if !ok {
		from = seed{place: rand.Int32(), at: now}
	}
	return walk{seed: from, category: q.Category, words: searchTerms(q.Search)}, nil
}

// allowTypos makes the words of a search match others that differ in a letter, if there are any for
// each word that is long enough.
func (w *walk) allowTypos(ctx context.Context, q postgres.Querier) error {
	similar := map[string][]string{}
	for _, word := range w.words[:min(indexedWords, len(w.words))] {
		if !isLong(word) {
			continue
		}
		found, err := similarWords.Many(ctx, q, postgres.Args{"patterns": typos(word)})
		if err != nil || len(found) == 0 {
			return err
		}
		similar[word] = found
	}
	w.similar = similar
	return nil
}

// CollectWords makes the words of all posts known to searches with a typo, and forgets those of
// deleted posts.
func CollectWords(ctx context.Context, db postgres.DB) error {
	return postgres.WithTx(ctx, db, func(tx *postgres.Tx) error {
		if err := liftTimeout.Run(ctx, tx, nil); err != nil {
			return err
		}
		return refreshWords.Run(ctx, tx, nil)
	})
}

// seed is the start of a visitor's walk: the place of the first post, and the time.
type seed struct {
	place int32 // of the first post
	at    time.Time
}

const (
	seedSeparator = "-"
	seedBase      = 36
)

// String returns the seed in the form that clients send back.
func (s seed) String() string {
	return strconv.FormatInt(int64(s.place), seedBase) + seedSeparator + strconv.FormatInt(s.at.UnixMicro(), seedBase)
}

// parseSeed parses a seed; ok is false if it is malformed, from the future or older than seedLife.
func parseSeed(text string, now time.Time) (s seed, ok bool) {
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

const (
	sampleSize = 500     // posts that a search looks at to find out whether its words are common
	places     = 1 << 31 // on the circle
)

// sample counts the matches in a part of the circle of posts.
type sample struct {
	posts   int // in the part
	matches int
	share   float64 // of the circle: more than 0, at most 1
}

// minExponent is what the exponent of the Chernoff bound must exceed. It bounds the probability of
// a wrong answer: e^-28 for each number of matches, so less than one in a billion for all numbers
// up to sampleSize together.
const minExponent = 28

// exceeds reports whether the circle certainly has more than most matches. If it had no more, at
// most most*share of them would be expected in the sample, and the Chernoff bound limits the
// probability of finding so many. A sample that has reached the end of the circle proves nothing.
func (s sample) exceeds(most int) bool {
	expected, found := float64(most)*s.share, float64(s.matches)
	return s.posts == sampleSize && found > expected && found*math.Log(found/expected)-found+expected > minExponent
}

// Days returns the days, in UTC, from that of the first post to that of the last, oldest first. Any
// visitor may call it.
func (s *Service) Days(ctx context.Context) ([]time.Time, error) {
	first, last, found, err := firstAndLast(ctx, s.DB)
	if err != nil || !found {
		return nil, err
	}
	var days []time.Time
	for day := dayOf(first); !day.After(dayOf(last)); day = day.AddDate(0, 0, 1) {
		days = append(days, day)
	}
	return days, nil
}

// maxOfDay is how many addresses a sitemap may have.
const maxOfDay = 50_000

// OfDay calls visit with each public post of a day in UTC, at most 50,000. Any visitor may call it.
func (s *Service) OfDay(ctx context.Context, day time.Time, visit func(id uuid.UUID, updated time.Time)) error {
	list, err := listBetween.Many(ctx, s.DB, postgres.Args{"from": idAt(day), "to": idAt(day.AddDate(0, 0, 1)), "limit": maxOfDay})
	for _, row := range list {
		visit(row.ID, row.UpdatedAt)
	}
	return err
}

// dayOf returns the day in UTC on which an id was made.
func dayOf(id uuid.UUID) time.Time {
	seconds, nanos := id.Time().UnixTime()
	return time.Unix(seconds, nanos).UTC().Truncate(24 * time.Hour)
}

// idAt returns the least id of version 7 that can have been made at a time.
func idAt(at time.Time) uuid.UUID {
	var id uuid.UUID
	ms := uint64(max(0, at.UnixMilli()))
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = 0x70 // the version
	return id
}
