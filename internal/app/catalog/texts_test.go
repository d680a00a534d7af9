package catalog

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var placeholder = regexp.MustCompile(`\{[a-zA-Z]+\}`)

func TestCatalogues_both_languages(t *testing.T) {
	t.Parallel()
	catalogue, count := map[Kind]text{}, 0
	for _, part := range catalogues() {
		maps.Copy(catalogue, part)
		count += len(part)
	}
	require.Len(t, catalogue, count, "each kind is in one catalogue only")
	for kind, text := range catalogue {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, text.en)
			require.NotEmpty(t, text.bn)
			en, bn := placeholder.FindAllString(text.en, -1), placeholder.FindAllString(text.bn, -1)
			slices.Sort(en)
			slices.Sort(bn)
			require.Equal(t, en, bn, "placeholders of both languages")
			require.NotContains(t, text.bn, "{title}”-", "an ending of the title stays behind without it")
		})
	}
}

// docs/words.md lists the words that messages and screens avoid.
func TestCatalogues_product_words(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/words.md")
	require.NoError(t, err)
	for row := range strings.Lines(string(page)) {
		cells := strings.Split(row, "|")
		if len(cells) != 7 || strings.HasPrefix(row, "|--") {
			continue
		}
		english, bangla := avoided(cells[4]), avoided(cells[5])
		for _, part := range catalogues() {
			for kind, text := range part {
				require.False(t, english != nil && english.MatchString(text.en), "%s: %s, instead of%s", kind, text.en, cells[1])
				require.False(t, bangla != nil && bangla.MatchString(text.bn), "%s: %s, instead of%s", kind, text.bn, cells[2])
			}
		}
	}
}

// avoided matches the words of a table cell at the start of a word; nil if there are none.
func avoided(cell string) *regexp.Regexp {
	var words []string
	for word := range strings.SplitSeq(strings.TrimSpace(cell), ", ") {
		if word != "" {
			words = append(words, regexp.QuoteMeta(word))
		}
	}
	if words == nil {
		return nil
	}
	return regexp.MustCompile(`(?:^|[^\pL\pM])(?:` + strings.Join(words, "|") + `)`)
}

func TestRender_title(t *testing.T) {
	t.Parallel()
	params := Params{"amount": "480.00"}
	require.Equal(t, "Your deal of $480.00 is late.", Render(English, DealLate, params), "stored before deals were named")
	params[TitleParam] = "5"
	require.Equal(t, "Your deal “5” of $480.00 is late.", Render(English, DealLate, params))
	require.Equal(t, "আপনার $৪৮০.০০-এর ডিল “5” দেরি হয়ে গেছে।", Render(Bangla, DealLate, params), "not a figure")
	params[TitleParam] = "{amount}"
	require.Equal(t, "Your deal “{amount}” of $480.00 is late.", Render(English, DealLate, params))
}

func TestRender(t *testing.T) {
	t.Parallel()
	params := Params{"amount": "480.00", "username": "tanvir7", "transactionId": "75123456"}
	require.Equal(t, "tanvir7 offers you a deal of $480.00.", Render(English, DealOffered, params))
	require.Equal(t, "tanvir7 আপনাকে $৪৮০.০০-এর একটি ডিল প্রস্তাব করেছেন।", Render(Bangla, DealOffered, params),
		"amounts in Bangla digits, names unchanged")
	large := Params{"amount": "1234567.50", "phone": "01712345678", "taka": "151234500.00"}
	require.Equal(t, "Your withdrawal of $1,234,567.50 was sent to 01712345678: ৳15,12,34,500.", Render(English, WithdrawalSent, large))
	require.Contains(t, Render(Bangla, WithdrawalSent, large), "$১২,৩৪,৫৬৭.৫০")
	require.Contains(t, Render(Bangla, WithdrawalSent, large), "৳১৫,১২,৩৪,৫০০")
	require.Contains(t, Render(Bangla, AdminDeposit, params), "75123456", "IDs, which users copy, keep their digits")
	require.Contains(t, Render(Bangla, ReviewReceived, Params{"username": "tanvir7", "rating": "4"}), "৫ তারার মধ্যে ৪")
	require.Contains(t, Render(Bangla, MailTimeToCheck, Params{"days": "10"}), "১০ দিন", "numbers of days in Bangla digits")
	require.Equal(t, Render(English, DealOffered, params), Render("fr", DealOffered, params))
	require.Empty(t, Render(English, "from_the_future", nil))
}

func TestRender_placeholder_in_value(t *testing.T) {
	t.Parallel()
	params := Params{"amount": "5.00", "claimed": "6.00", "reason": "see {amount}"}
	require.Contains(t, Render(English, DepositChanged, params), "see {amount}")
}
