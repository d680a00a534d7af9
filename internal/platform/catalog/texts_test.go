package catalog

import (
	"maps"
	"regexp"
	"slices"
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
		})
	}
}

// The messages use the same Bangla terms as the UI.
func TestCatalogues_bangla_terms(t *testing.T) {
	t.Parallel()
	other := regexp.MustCompile("এসক্রো|সাপোর্ট|বার্তা|প্রত্যাখ্যান|উত্তোলন|ডিপোজিট|ট্রানজ্যাকশন|লগইন|লগআউট|ছেড়ে গেছেন")
	for _, part := range catalogues() {
		for kind, text := range part {
			t.Run(string(kind), func(t *testing.T) {
				t.Parallel()
				require.NotRegexp(t, other, text.bn)
			})
		}
	}
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
