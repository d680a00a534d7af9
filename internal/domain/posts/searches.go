package posts

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/money"
)

// maxSearches is how many searches a user may save (docs/rules.md#saved-searches).
const maxSearches = 20

// Frequency is how soon a user is told of new posts that match a saved search.
type Frequency string

// The frequencies.
const (
	Soon  Frequency = "soon"  // within minutes
	Daily Frequency = "daily" // at 09:00 in Dhaka
	Off   Frequency = "off"
)

// Frequencies returns all frequencies.
func Frequencies() []Frequency { return []Frequency{Soon, Daily, Off} }

// SavedSearch is a search that a user has saved.
type SavedSearch struct {
	ID          uuid.UUID
	Search      string // "" for none
	Category    Category
	Subcategory string
	Min, Max    money.Cents // 0 for none
	Facts       string      // in the form of ParseFactFilters
	Frequency   Frequency
	CreatedAt   time.Time
}

// link returns the page of the UI with the newest matches.
func (s SavedSearch) link() string {
	query := url.Values{"sort": {string(Newest)}}
	for name, value := range map[string]string{
		"search": s.Search, "category": string(s.Category), "subcategory": s.Subcategory, "facts": s.Facts,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	for name, bound := range map[string]money.Cents{"min": s.Min, "max": s.Max} {
		if bound > 0 {
			query.Set(name, strings.TrimSuffix(bound.String(), ".00"))
		}
	}
	return "/explore?" + query.Encode()
}

// SaveSearch saves the search of a filtered listing for the user, who is told of new posts that
// match. Its order and cursor do not count. An equal search is saved once: it is returned as it is.
// Codes: Invalid for a search that is too long or has neither words nor filters; Conflict beyond
// maxSearches.
func (s *Service) SaveSearch(ctx context.Context, userID uuid.UUID, f Filter) (SavedSearch, error) {
	f.Search, f.Subcategory = sanitize.Text(f.Search), sanitize.Text(f.Subcategory)
	walk, err := s.walk(Query{Search: f.Search, Category: f.Category})
	if err != nil {
		return SavedSearch{}, err
	}
	saved := newSearch{userID: userID, filter: f, words: walk.words, facts: addressOf(f.Facts), at: s.Clock.Now()}
	switch {
	case utf8.RuneCountInString(f.Subcategory) > maxSubcategory:
		return SavedSearch{}, fault.Field("subcategory", "subcategory_too_long", "The subcategory must be at most 40 characters.")
	case len(saved.words) == 0 && f.Category == "" && f.Subcategory == "" && f.Min == 0 && f.Max == 0 && saved.facts == "":
		return SavedSearch{}, fault.New(fault.Invalid, "search_empty", "Search for words or set a filter first.")
	}
	var result SavedSearch
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := lockUser.Run(ctx, tx, postgres.Args{"id": userID}); err != nil {
			return err
		}
		found, known, err := saved.find(ctx, tx)
		if result = found; err != nil || known {
			return err
		}
		list, err := listSearches.Many(ctx, tx, postgres.Args{"user": userID})
		if err == nil && len(list) >= maxSearches {
			err = fault.Newf(fault.Conflict, "too_many_searches", "You can save up to {count} searches. Please remove one first.",
				fault.Params{"count": maxSearches})
		}
		if err == nil {
			result, err = saved.insert(ctx, tx)
		}
		return err
	})
	return result, err
}

// Searches returns the searches that the user has saved, the last saved first.
func (s *Service) Searches(ctx context.Context, userID uuid.UUID) ([]SavedSearch, error) {
	return listSearches.Many(ctx, s.DB, postgres.Args{"user": userID})
}

// CheckSearch returns NotFound unless the user has saved the search.
func (s *Service) CheckSearch(ctx context.Context, userID, id uuid.UUID) error {
	known, err := hasSearch.One(ctx, s.DB, postgres.Args{"user": userID, "id": id})
	if err == nil && !known {
		err = errSearchNotFound()
	}
	return err
}

// SetFrequency changes how soon the user is told of matches of a saved search. Codes: Invalid;
// NotFound.
func (s *Service) SetFrequency(ctx context.Context, userID, id uuid.UUID, frequency Frequency) (SavedSearch, error) {
	if !slices.Contains(Frequencies(), frequency) {
		return SavedSearch{}, fault.Field("frequency", "frequency_unknown", "Choose soon, daily or off.")
	}
	changed, err := setFrequency.One(ctx, s.DB, postgres.Args{"user": userID, "id": id, "frequency": frequency})
	return changed, postgres.IfNoRows(err, errSearchNotFound())
}

func errSearchNotFound() error {
	return fault.New(fault.NotFound, "search_not_found", "Search not found")
}

// RemoveSearch removes a search that the user has saved. Code NotFound.
func (s *Service) RemoveSearch(ctx context.Context, userID, id uuid.UUID) error {
	deleted, err := deleteSearch.Any(ctx, s.DB, postgres.Args{"user": userID, "id": id})
	if err == nil && !deleted {
		err = errSearchNotFound()
	}
	return err
}

// StopSearches turns off all saved searches of the user whose emails carry the token. Anyone with
// the token may call it; it is idempotent. Code Invalid.
func (s *Service) StopSearches(ctx context.Context, token string) error {
	id, err := uuid.Parse(token)
	if err != nil {
		return errToken()
	}
	known, err := stopSearches.One(ctx, s.DB, postgres.Args{"token": id})
	if err == nil && !known {
		err = errToken()
	}
	return err
}

func errToken() error { return fault.Field("token", "token_invalid", "Invalid or missing token") }

// keySizes are the lengths of keys in bytes. Documents are cut into pieces of these lengths, which
// are then joined with the keys.
var keySizes = []int{12, 6, 3, 2}

// keyOf returns the beginning of the longest word, empty without words: of all posts, it selects
// those that may match.
func keyOf(words []string) []byte {
	if len(words) == 0 {
		return []byte{}
	}
	for _, size := range keySizes {
		if len(words[0]) >= size {
			return []byte(words[0][:size])
		}
	}
	return []byte(words[0])
}

// addressOf returns filters in the form of ParseFactFilters, equal for equal filters. Of several
// for one fact, the last counts.
func addressOf(filters []FactFilter) string {
	var parts []string
	for _, fact := range AllFacts() {
		for _, filter := range slices.Backward(filters) {
			if filter.Key != fact.Key {
				continue
			}
			value := fmt.Sprint(filter.Is)
			if filter.Is == nil {
				low, high := strconv.FormatInt(filter.Min, 10), strconv.FormatInt(filter.Max, 10)
				if filter.Min == 0 {
					low = ""
				}
				if filter.Max == fact.Max {
					high = ""
				}
				value = low + ".." + high
			}
			parts = append(parts, fact.Key+":"+value)
			break
		}
	}
	return strings.Join(parts, ",")
}

// pathOf returns the jsonpath that selects the facts which all filters match. Keys and choices are
// those of AllFacts.
func pathOf(filters []FactFilter) string {
	var conditions []string
	for _, filter := range filters {
		switch is := filter.Is.(type) {
		case nil:
			conditions = append(conditions, fmt.Sprintf("@.%s >= %d && @.%s <= %d", filter.Key, filter.Min, filter.Key, filter.Max))
		case string:
			conditions = append(conditions, fmt.Sprintf("@.%s == %q", filter.Key, is))
		default:
			conditions = append(conditions, fmt.Sprintf("@.%s == %v", filter.Key, is))
		}
	}
	if conditions == nil {
		return "$" // all
	}
	return "$ ? (" + strings.Join(conditions, " && ") + ")"
}

// Alerter tells users of new posts that match their saved searches. It is for workers.
type Alerter struct {
	DB      postgres.DB
	Clock   clock.Clock
	Notices Notifier
}

const (
	matchBatch = 100 // posts
	maxFound   = 30  // posts that wait for a user, after which no more are added
	maxListed  = 10  // posts that a user is told of at once
)

// searchesPage is the page of the UI with the searches that a user has saved.
const searchesPage = savedPage + "?tab=searches"

// Alert matches new posts with all saved searches, and tells users of those that match: at once or,
// for daily searches, of those that were found before the latest 09:00 in Dhaka. A user is told of
// a post once. It returns how many users were told. Concurrent calls are safe.
func (a *Alerter) Alert(ctx context.Context) (told int, err error) {
	now := a.Clock.Now()
	before := latestNine(now)
	for {
		taken, err := matchNew.One(ctx, a.DB, postgres.Args{"limit": matchBatch, "most": maxFound, "now": now, "sizes": keySizes})
		if err != nil {
			return 0, err
		}
		if taken < matchBatch {
			break
		}
	}
	users, err := usersToTell.Many(ctx, a.DB, postgres.Args{"before": before})
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(users, tellBatch) {
		err := postgres.WithTx(ctx, a.DB, func(tx *postgres.Tx) error {
			found, err := takeFound.Many(ctx, tx, postgres.Args{"users": some, "listed": maxListed, "before": before})
			if err != nil {
				return err
			}
			told += len(found)
			return a.tell(ctx, tx, found)
		})
		if err != nil {
			return told, err
		}
	}
	return told, nil
}

// tell notifies the users for whom posts were found.
func (a *Alerter) tell(ctx context.Context, tx *postgres.Tx, found []foundPosts) error {
	for _, f := range found {
		ids := make([]string, len(f.Posts))
		for i, id := range f.Posts {
			ids[i] = id.String()
		}
		link := searchesPage
		if f.Search != nil {
			link = f.Search.link()
		}
		params := catalog.Params{"posts": strings.Join(ids, ",")}
		if err := a.Notices.Notify(ctx, tx, f.UserID, catalog.SavedSearchFound, params, link); err != nil {
			return err
		}
	}
	return nil
}

// latestNine returns the latest 09:00 in Dhaka that is not after t.
func latestNine(t time.Time) time.Time {
	local := t.In(clock.Dhaka)
	nine := time.Date(local.Year(), local.Month(), local.Day(), 9, 0, 0, 0, clock.Dhaka)
	if nine.After(t) {
		return nine.AddDate(0, 0, -1)
	}
	return nine
}
