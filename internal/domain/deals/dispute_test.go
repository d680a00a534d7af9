package deals

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// Every division of every price is conserved to the cent, and nobody gets less than nothing.
func TestSplit_conserves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		price := money.Cents(rapid.Int64Range(1, 1_000_000_000_000).Draw(rt, "price"))
		gets := money.Cents(rapid.Int64Range(0, int64(price)).Draw(rt, "buyer gets"))
		s := split(price, gets)
		require.Equal(rt, price, s.BuyerGets+s.SellerGets+s.Fee)
		require.Equal(rt, gets, s.BuyerGets)
		require.Equal(rt, money.Fee(price-gets), s.Fee)
		require.GreaterOrEqual(rt, s.SellerGets, money.Cents(0))
	})
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ price, buyer, seller, fee money.Cents }{
		"all to the seller":      {100_00, 0, 98_00, 2_00},
		"all to the buyer":       {100_00, 100_00, 0, 0},
		"a fee rounded half up":  {1_00, 75, 24, 1},
		"a fee rounded to zero":  {1_00, 76, 24, 0},
		"one cent for the other": {100_00, 99_99, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, Split{BuyerGets: c.buyer, SellerGets: c.seller, Fee: c.fee}, split(c.price, c.buyer))
		})
	}
}

func TestValidLink(t *testing.T) {
	t.Parallel()
	for link, valid := range map[string]bool{
		"https://example.com/channel?x=1#y": true,
		"https://উদাহরণ.com/চ্যানেল":        true,
		"HTTPS://example.com":               true,
		"http://example.com":                false,
		"javascript:alert(1)":               false,
		"https://":                          false,
		"https:example.com":                 false,
		"//example.com":                     false,
		"https://amanat.test@example.com/":  false,
		"https://example.com/a b":           false,
		`https://example.com\@amanat.test`:  false,
		"":                                  false,
		"https://example.com/" + strings.Repeat("a", 500): false,
	} {
		require.Equal(t, valid, validLink(link), link)
	}
}

func TestStatement_check(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	for want, s := range map[string]Statement{
		"Write what happened.":                       {Words: Words{Text: " \u200b"}},
		"The text must be at most 2,000 characters.": {Words: Words{Text: strings.Repeat("ক", 2001)}},
		"You can add at most 8 pictures.":            {Words: Words{Text: "x", Pictures: make([]uuid.UUID, 9)}},
		"One of the pictures is not there any more. Please add it again.": {
			Words: Words{Text: "x", Pictures: []uuid.UUID{id, id}},
		},
		"You can add at most 5 links.":                                     {Words: Words{Text: "x"}, Links: make([]string, 6)},
		"A link must begin with https:// and have at most 500 characters.": {Words: Words{Text: "x"}, Links: []string{"http://example.com"}},
	} {
		require.Equal(t, want, fault.As(s.normalized().check()).Message)
	}
	require.NoError(t, Statement{Words: Words{Text: "x"}, Links: []string{" https://example.com/\u202e "}}.normalized().check())
}
