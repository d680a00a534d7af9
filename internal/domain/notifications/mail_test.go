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

	"amanat/internal/app/catalog"
	"amanat/internal/lib/mailer"
)

// unmailed are the kinds for users that are not emailed.
var unmailed = []catalog.Kind{
	// No money has moved and the deal does not wait for the user.
	catalog.DealAccepted, catalog.DealWithdrawn, catalog.DealLate, catalog.DealResumed, catalog.DealExpired,
	catalog.DealEscalated, catalog.DealSupport, catalog.DealSupportAsked, catalog.DealSupportAgain,
	catalog.FriendJoined, catalog.ReviewReceived, catalog.DealDisputeMessage, catalog.DealDecisionAccepted,
	catalog.DealDisputeDone, catalog.DealCounterofferDeclined, catalog.DealCounterofferWithdrawn,
	// Credits money, but requires no action.
	catalog.ReferralCredited,
	// Have emails of their own, with links.
	catalog.WithdrawalRequested, catalog.WithdrawalHeld, catalog.WithdrawalVerify,
	// Have emails of their own, which nobody can unsubscribe from.
	catalog.FactorOn, catalog.FactorOff, catalog.FactorReset, catalog.TOTPAdded, catalog.TOTPRemoved, catalog.PasskeyAdded,
	catalog.PasskeyRemoved, catalog.BackupCodesNew, catalog.BackupCodeUsed, catalog.EmailChanged, catalog.DataExportReady,
	catalog.ModerationWarned, catalog.ModerationHidden, catalog.ModerationUpheld, catalog.ModerationOverturned,
	catalog.ModerationSuspensionEnded,
	// Requires no action.
	catalog.ReportActionTaken, catalog.ReportNoViolation,
	// No money has moved.
	catalog.DataExportFailed,
}

// Every kind of user notification is listed either as mailed or as unmailed.
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

// noticeKinds returns the first constant block of the catalogue's kinds, which lists the
// notifications.
func noticeKinds(t *testing.T) []catalog.Kind {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../app/catalog/kinds.go", nil, 0)
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

func deliveredMail() mailRow {
	return mailRow{
		Language: catalog.English, Kind: catalog.DealDelivered, DealStatus: "Delivered", DealOpen: true, ReleasesAlone: true,
		InspectionDays: 3, Price: 100_00, Fee: 2_00, Buyer: "rahim", Seller: "karim",
		Params: catalog.Params{"username": "karim", "amount": "100.00", "payout": "98.00"},
	}
}

func TestParagraphsOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(l *mailRow)
		want   []string // what each paragraph contains
	}{
		"delivered":                       {func(*mailRow) {}, []string{"98.00"}},
		"the money does not go by itself": {func(l *mailRow) { l.ReleasesAlone = false }, nil},
		"another notice":                  {func(l *mailRow) { l.Kind = catalog.DealPaid }, nil},
		"a note comes first": {
			func(l *mailRow) { l.Params = catalog.Params{"note": "We have looked at it."} }, []string{"We have looked at it.", "98.00"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mail := deliveredMail()
			tc.change(&mail)
			got := paragraphsOf(mail)
			require.Len(t, got, len(tc.want))
			for i, part := range tc.want {
				require.Contains(t, got[i], part)
			}
		})
	}
}

// A note becomes a paragraph, never part of the subject.
func TestSubjectOf(t *testing.T) {
	t.Parallel()
	mail := deliveredMail()
	mail.Kind, mail.Params = catalog.DealSupportClosed, catalog.Params{"username": "rahim", "note": "Send money to me"}
	require.NotContains(t, subjectOf(mail), "Send money to me")
	require.NotEmpty(t, subjectOf(mail))
	require.Equal(t, "Send money to me", mail.Params["note"], "the mail keeps it")
}

// The hold shows where the money of the deal is in each state.
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
			mail := deliveredMail()
			mail.DealStatus, mail.DealOpen = tc.status, tc.open
			mail.Params["refund"] = tc.refund
			hold := holdOf(mail)
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
