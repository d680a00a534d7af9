package notifications

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/catalog"
	"amanat/internal/platform/mailer"
)

// unmailed are the notices to users that only the panel has.
var unmailed = []catalog.Kind{
	// No money has moved, and nobody is waited for.
	catalog.DealAccepted, catalog.DealDeclined, catalog.DealWithdrawn, catalog.DealLate, catalog.DealResumed, catalog.DealExpired,
	catalog.DealEscalated, catalog.DealSupport, catalog.DealSupportAsked, catalog.DealSupportAgain, catalog.DealExpiresSoon,
	catalog.DealEscalatesSoon, catalog.FriendJoined, catalog.ReviewReceived,
	// It brings money, but waits for nobody.
	catalog.ReferralCredited,
	// They have letters of their own, with links.
	catalog.WithdrawalRequested, catalog.WithdrawalHeld, catalog.WithdrawalVerify,
}

// Each kind of notice to a user is decided on: mailed, or not.
func TestMailed(t *testing.T) {
	t.Parallel()
	kinds := noticeKinds(t)
	require.Greater(t, len(kinds), 50)
	for _, kind := range kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			toAdmins := strings.HasPrefix(string(kind), "admin_")
			require.Equal(t, !toAdmins && !slices.Contains(unmailed, kind), slices.Contains(mailed, kind))
		})
	}
	for _, kind := range slices.Concat(mailed, unmailed) {
		require.Contains(t, kinds, kind, "it is a notice")
	}
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(mailed))), len(mailed), "each once")
}

// noticeKinds reads the catalogue's first list of kinds, which is that of notifications.
func noticeKinds(t *testing.T) []catalog.Kind {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../platform/catalog/kinds.go", nil, 0)
	require.NoError(t, err)
	var kinds []catalog.Kind
	list, isList := file.Decls[0].(*ast.GenDecl)
	require.True(t, isList)
	for _, spec := range list.Specs {
		value, isValue := spec.(*ast.ValueSpec)
		require.True(t, isValue)
		text, isText := value.Values[0].(*ast.BasicLit)
		require.True(t, isText)
		kind, err := strconv.Unquote(text.Value)
		require.NoError(t, err)
		kinds = append(kinds, catalog.Kind(kind))
	}
	return kinds
}

func deliveredLetter() letterRow {
	return letterRow{
		Language: catalog.English, Kind: catalog.DealDelivered, DealStatus: "Delivered", DealOpen: true, ReleasesAlone: true,
		InspectionDays: 3, Price: 100_00, Fee: 2_00, Buyer: "rahim", Seller: "karim",
		Params: catalog.Params{"username": "karim", "amount": "100.00", "payout": "98.00"},
	}
}

func TestParagraphsOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(l *letterRow)
		want   []string // what each paragraph contains
	}{
		"delivered":                       {func(*letterRow) {}, []string{"98.00"}},
		"the money does not go by itself": {func(l *letterRow) { l.ReleasesAlone = false }, nil},
		"another notice":                  {func(l *letterRow) { l.Kind = catalog.DealPaid }, nil},
		"a note comes first": {
			func(l *letterRow) { l.Params = catalog.Params{"note": "We have looked at it."} }, []string{"We have looked at it.", "98.00"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			letter := deliveredLetter()
			tc.change(&letter)
			got := paragraphsOf(letter)
			require.Len(t, got, len(tc.want))
			for i, part := range tc.want {
				require.Contains(t, got[i], part)
			}
		})
	}
}

// What somebody wrote is a paragraph, never a part of the subject.
func TestSubjectOf(t *testing.T) {
	t.Parallel()
	letter := deliveredLetter()
	letter.Kind, letter.Params = catalog.DealSupportClosed, catalog.Params{"username": "rahim", "note": "Send money to me"}
	require.NotContains(t, subjectOf(letter), "Send money to me")
	require.NotEmpty(t, subjectOf(letter))
	require.Equal(t, "Send money to me", letter.Params["note"], "the letter keeps it")
}

// Where the money of the notice's deal is, as the deal stands.
func TestHoldOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status, refund        string
		open                  bool
		buyer, amanat, seller mailer.State
		none                  bool
	}{
		"of no deal":         {none: true},
		"unpaid":             {status: "Pending", none: true},
		"open":               {status: "Late", open: true, buyer: mailer.Past, amanat: mailer.InTrust, seller: mailer.Next},
		"completed":          {status: "Completed", buyer: mailer.Past, amanat: mailer.Past, seller: mailer.Paid},
		"refunded":           {status: "Cancelled by Seller", refund: "98.00", buyer: mailer.Refunded, amanat: mailer.Past, seller: mailer.Past},
		"cancelled, of else": {status: "Cancelled", none: true},
		"nothing went back":  {status: "Cancelled", refund: "0.00", none: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			letter := deliveredLetter()
			letter.DealStatus, letter.DealOpen = tc.status, tc.open
			letter.Params["refund"] = tc.refund
			hold := holdOf(letter)
			if tc.none {
				require.Nil(t, hold)
				return
			}
			require.Equal(t, []mailer.State{tc.buyer, tc.amanat, tc.seller}, []mailer.State{hold.Buyer.State, hold.Amanat.State, hold.Seller.State})
			require.Contains(t, hold.Seller.Amount, "98.00", "less the fee")
			if tc.refund != "" {
				require.Contains(t, hold.Buyer.Amount, tc.refund)
			}
		})
	}
}
