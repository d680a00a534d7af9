package posts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/sanitize"
)

// FactKind is the type of a fact's value.
type FactKind string

// The kinds of facts.
const (
	Number FactKind = "number" // a whole number from 0 to Max
	Flag   FactKind = "flag"   // true or false
	Choice FactKind = "choice" // one of Choices
	Words  FactKind = "words"  // a few words of the seller, which searches find
)

// maxFactWords bounds a fact of the kind Words.
const maxFactWords = 40

// Fact is something that posts of some categories state apart from the description. Numbers, flags
// and choices can be filtered by.
type Fact struct {
	Key     string   `json:"key"`
	Kind    FactKind `json:"kind"`
	Max     int64    `json:"max,omitempty"`     // of a number
	Choices []string `json:"choices,omitempty"` // of a choice
	Of      []string `json:"of"`                // categories and subcategories
	// Headline shows the fact in lists of posts.
	Headline bool `json:"-"`
}

var (
	channels = []string{"YouTube Channel", "Instagram Page", "Facebook Page"}
	devices  = []string{"Mobile Phone", "Laptop", "Hand Watch", "Election Gadget"}
)

// AllFacts returns all facts, the most telling of a post first. The form, the filters, the page of
// a post, the OpenAPI document and the checks of drafts are made from it.
func AllFacts() []Fact {
	return []Fact{
		{Key: "subscribers", Kind: Number, Max: 1_000_000_000, Of: channels, Headline: true},
		{Key: "monetised", Kind: Flag, Of: channels, Headline: true},
		{Key: "niche", Kind: Words, Of: channels},
		{Key: "strikes", Kind: Number, Max: 100, Of: channels},
		{Key: "accountType", Kind: Choice, Choices: []string{"brand", "personal"}, Of: channels},
		{Key: "visitors", Kind: Number, Max: 1_000_000_000, Of: []string{"Website"}, Headline: true},
		{Key: "income", Kind: Number, Max: 1_000_000, Of: append(slices.Clone(channels), "Website")},
		{Key: "age", Kind: Number, Max: 50, Of: []string{"Website", "Domain Name"}, Headline: true},
		{Key: "registrar", Kind: Words, Of: []string{"Domain Name"}},
		{Key: "game", Kind: Words, Of: []string{"Game Id"}, Headline: true},
		{Key: "level", Kind: Number, Max: 10_000, Of: []string{"Game Id"}, Headline: true},
		{Key: "region", Kind: Words, Of: []string{"Game Id"}},
		{Key: "loginType", Kind: Choice, Choices: []string{"google", "facebook", "email", "phone"}, Of: []string{"Game Id"}},
		{
			Key: "condition", Kind: Choice, Choices: []string{"new", "likeNew", "used", "forParts"},
			Of: []string{string(PhysicalProduct)}, Headline: true,
		},
		{Key: "warranty", Kind: Number, Max: 120, Of: devices},
		{Key: "place", Kind: Words, Of: []string{string(PhysicalProduct)}},
	}
}

// concerns reports whether posts of the subcategory state the fact.
func (f Fact) concerns(category Category, subcategory string) bool {
	return slices.Contains(f.Of, string(category)) || slices.Contains(f.Of, subcategory)
}

// value returns a value in the type that is stored, int64, bool or string; ok is false if it does
// not fit the fact. Numbers from JSON are float64.
func (f Fact) value(given any) (value any, ok bool) {
	switch given := given.(type) {
	case int64:
		return given, f.Kind == Number && 0 <= given && given <= f.Max
	case float64:
		return int64(given), f.Kind == Number && given == math.Trunc(given) && 0 <= given && given <= float64(f.Max)
	case bool:
		return given, f.Kind == Flag
	case string:
		text := sanitize.Text(given)
		fits := f.Kind == Choice && slices.Contains(f.Choices, text) || f.Kind == Words && utf8.RuneCountInString(text) <= maxFactWords
		return text, fits || text == ""
	}
	return nil, false
}

// Facts are what a post states, by the keys of AllFacts.
type Facts map[string]any

// validate returns Invalid for a value that does not fit its fact.
func (f Facts) validate() error {
	for _, fact := range AllFacts() {
		if given, found := f[fact.Key]; found {
			if _, ok := fact.value(given); !ok {
				return fault.Field("facts", "fact_invalid", "A detail of the post does not fit. Please check the details.")
			}
		}
	}
	return nil
}

// of returns the facts that posts of a subcategory state, without empty texts. The form keeps the
// others while its user tries subcategories.
func (f Facts) of(category Category, subcategory string) Facts {
	facts := Facts{}
	for _, fact := range AllFacts() {
		given, found := f[fact.Key]
		if value, ok := fact.value(given); found && ok && value != "" && fact.concerns(category, subcategory) {
			facts[fact.Key] = value
		}
	}
	return facts
}

// Headline returns the keys of the facts that lists show, the most telling first. A flag is shown
// when it is set.
func (f Facts) Headline() []string {
	keys := []string{}
	for _, fact := range AllFacts() {
		if value, found := f[fact.Key]; found && fact.Headline && value != false {
			keys = append(keys, fact.Key)
		}
	}
	return keys
}

// words returns the texts that searches find.
func (f Facts) words() []string {
	var words []string
	for _, fact := range AllFacts() {
		if text, ok := f[fact.Key].(string); ok && fact.Kind == Words {
			words = append(words, text)
		}
	}
	return words
}

// FactFilter selects the posts that state a fact: with the value Is or, if that is nil, with a
// number from Min to Max.
type FactFilter struct {
	Key      string
	Is       any
	Min, Max int64
}

// ParseFactFilters parses filters of the form "monetised:true,subscribers:1000..50000", in which
// either bound of a range may be missing. Code Invalid.
func ParseFactFilters(text string) ([]FactFilter, error) {
	if text == "" {
		return nil, nil
	}
	var filters []FactFilter
	for part := range strings.SplitSeq(text, ",") {
		filter, err := parseFactFilter(part)
		if err != nil {
			return nil, fault.Fieldf("facts", "fact_filter_invalid", "There is no filter {filter}.", fault.Params{"filter": part})
		}
		filters = append(filters, filter)
	}
	return filters, nil
}

func parseFactFilter(text string) (FactFilter, error) {
	key, value, _ := strings.Cut(text, ":")
	at := slices.IndexFunc(AllFacts(), func(f Fact) bool { return f.Key == key && f.Kind != Words })
	if at < 0 {
		return FactFilter{}, fmt.Errorf("there is no fact %q to filter by", key)
	}
	fact := AllFacts()[at]
	filter := FactFilter{Key: key, Max: fact.Max}
	var err error
	switch fact.Kind {
	case Number:
		low, high, isRange := strings.Cut(value, "..")
		if !isRange {
			return FactFilter{}, fmt.Errorf("%q is no range", value)
		}
		if low != "" {
			filter.Min, err = strconv.ParseInt(low, 10, 64)
		}
		if high != "" && err == nil {
			filter.Max, err = strconv.ParseInt(high, 10, 64)
		}
	case Flag:
		filter.Is, err = strconv.ParseBool(value)
	case Choice, Words:
		filter.Is = value
		if !slices.Contains(fact.Choices, value) {
			err = fmt.Errorf("there is no choice %q", value)
		}
	}
	return filter, err
}
