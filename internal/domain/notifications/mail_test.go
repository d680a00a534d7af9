package notifications

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/webpush"
	"amanat/internal/testing/dbtest"
)

// unmailed are the kinds for users that are not emailed.
var unmailed = []catalog.Kind{
	// No money has moved and the deal does not wait for the user.
	catalog.DealAccepted, catalog.DealArrived, catalog.DealWithdrawn, catalog.DealLate, catalog.DealResumed, catalog.DealExpired,
	catalog.DealEscalated, catalog.DealSupport, catalog.DealSupportAsked, catalog.DealSupportAgain,
	catalog.FriendJoined, catalog.ReviewReceived, catalog.DealDisputeMessage, catalog.DealDecisionAccepted,
	catalog.DealDisputeDone, catalog.DealCounterofferDeclined, catalog.DealCounterofferWithdrawn,
	catalog.SavedPostCheaper, catalog.SavedPostGone,
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
		"delivered": {func(*mailRow) {}, []string{"98.00"}},
		"sent by courier": {
			func(l *mailRow) { l.Kind, l.Params = catalog.DealShipped, catalog.Params{"shipment": "Pathao · 77"} },
			[]string{"Pathao · 77. Inspection period: 3 days from its arrival"},
		},
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

func TestQuietFor(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		from, to, now string
		left          time.Duration
	}{
		"before":               {"13:00", "14:00", "12:59", 0},
		"at the beginning":     {"13:00", "14:00", "13:00", time.Hour},
		"within":               {"13:00", "14:00", "13:59", time.Minute},
		"at the end":           {"13:00", "14:00", "14:00", 0},
		"evening":              {"22:00", "07:00", "22:30", 8*time.Hour + 30*time.Minute},
		"morning":              {"22:00", "07:00", "06:00", time.Hour},
		"midnight":             {"22:00", "07:00", "00:00", 7 * time.Hour},
		"day of a night":       {"22:00", "07:00", "07:00", 0},
		"until midnight":       {"20:00", "00:00", "23:00", time.Hour},
		"from midnight":        {"00:00", "06:00", "00:00", 6 * time.Hour},
		"nearly the whole day": {"08:00", "07:59", "07:58", time.Minute},
		"the minute left":      {"08:00", "07:59", "07:59", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row, err := Settings{Groups: everything(), Quiet: &Quiet{tc.from, tc.to}}.row()
			require.NoError(t, err)
			now, err := time.ParseInLocation("2006-01-02 15:04", "2026-11-26 "+tc.now, clock.Dhaka)
			require.NoError(t, err)
			require.Equal(t, tc.left, row.quietFor(now.UTC()))
		})
	}
	require.Zero(t, settingsRow{}.quietFor(time.Now()))
}

func everything() (all []Choice) {
	for _, group := range Groups() {
		all = append(all, Choice{Group: group, Mail: true, Push: true})
	}
	return all
}

// Settings are read as they were saved.
func TestSettings_row(t *testing.T) {
	t.Parallel()
	all := everything()
	some := slices.Clone(all)
	some[0].Mail, some[1].Push, some[4].Push = false, false, false
	none := slices.Clone(all)
	for i := range none {
		none[i].Mail, none[i].Push = none[i].Group.mailLocked(), false
	}
	for name, chosen := range map[string]Settings{
		"all": {Groups: all}, "some": {Groups: some, Details: true, Quiet: &Quiet{"22:00", "07:05"}}, "none": {Groups: none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row, err := chosen.row()
			require.NoError(t, err)
			require.Equal(t, name != "none", row.MailNotices, "as the switch for all")
			require.Equal(t, chosen, row.settings())
		})
	}
	unsubscribed := settingsRow{}.settings()
	for _, choice := range unsubscribed.Groups {
		require.Equal(t, choice.Group == GroupAccount, choice.Mail)
		require.True(t, choice.Push)
	}
}

// A push service that asks for a pause gets it, and one that does not answer is left alone.
func TestPushPause(t *testing.T) {
	t.Parallel()
	busy := fmt.Errorf("push: %w", &webpush.RetryError{Status: 503})
	asks := &webpush.RetryError{Status: 429, After: 10 * time.Minute}
	silent := errors.New("timeout")
	for _, tc := range []struct {
		attempts int
		err      error
		pause    time.Duration
	}{
		{1, busy, time.Second},
		{4, busy, 8 * time.Second},
		{1, asks, 10 * time.Minute},
		{100, asks, time.Hour},
		{1, silent, time.Minute},
		{8, silent, 128 * time.Second},
		{100, silent, time.Hour},
	} {
		require.Equal(t, tc.pause, pushPause(tc.attempts, tc.err), tc)
	}
}

// Each kind of notices to users is in one group, and the kinds of all groups exist.
func TestGroupOf(t *testing.T) {
	t.Parallel()
	listed := map[catalog.Kind]int{}
	for _, kinds := range members {
		for _, kind := range kinds {
			listed[kind]++
		}
	}
	all := noticeKinds(t)
	for kind, times := range listed {
		require.Equal(t, 1, times, kind)
		require.Contains(t, all, kind)
	}
	for _, kind := range all {
		group := groupOf(kind)
		switch name := string(kind); {
		case strings.HasPrefix(name, "deposit_"), strings.HasPrefix(name, "withdrawal_"):
			require.Equal(t, GroupMoney, group, kind)
		case strings.HasSuffix(name, "_soon"), strings.HasSuffix(name, "_next"):
			require.Equal(t, GroupReminders, group, kind)
		case strings.HasPrefix(name, "deal_"):
			require.Equal(t, GroupDeals, group, kind)
		}
	}
}

// Whatever a kind is about, its push without details has no amount and nothing that users wrote.
func TestTexts_discreet(t *testing.T) {
	t.Parallel()
	params := catalog.Params{}
	for _, name := range []string{
		"amount", "payout", "refund", "claimed", "taka", "title", "note", "reason", "phone", "subject", "method", "name", "fee", "count",
	} {
		params[name] = "secret"
	}
	params["username"] = "karim"
	for _, kind := range noticeKinds(t) {
		if strings.HasPrefix(string(kind), "admin_") {
			continue
		}
		for _, language := range []string{catalog.English, catalog.Bangla} {
			push := duePush{Kind: kind, Params: params, Language: language, NotificationID: new(uuid.New())}
			message, err := push.message()
			require.NoError(t, err)
			text := string(message.Payload)
			require.NotContains(t, text, "secret", kind)
			require.NotContains(t, text, "{title}", kind)
			require.NotContains(t, text, `"body":""`, kind)
			require.LessOrEqual(t, len(message.Topic), 32)
		}
	}
}

// The statements of pushes find their rows by indexes: there may be a browser for each user, and in
// quiet hours a push for each browser.
func TestPushes_plans(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	id, now := uuid.New(), time.Now()
	for name, tc := range map[string]struct {
		db   *pgxpool.Pool
		sql  string
		args postgres.Args
	}{
		"notice": {db.API(), sqlInsert, postgres.Args{
			"ids": []uuid.UUID{id}, "users": []uuid.UUID{id}, "audiences": []string{""}, "kinds": []string{""}, "params": []catalog.Params{{}},
			"abouts": []*uuid.UUID{nil}, "links": []string{""}, "times": []time.Time{now}, "mailed": []bool{true}, "topics": []string{""},
		}},
		"message": {db.API(), insertMessagePush.SQL, postgres.Args{"user": id, "message": id, "topic": "", "now": now, "pause": messagePause}},
		"save": {db.API(), sqlSaveDevice, postgres.Args{
			"id": id, "user": id, "session": id, "endpoint": "", "p256dh": []byte{}, "auth": []byte{}, "user_agent": "", "now": now,
		}},
		"wake":   {db.API(), wakePushes.SQL, postgres.Args{"user": id}},
		"claim":  {db.Worker(), claimPushes.SQL, postgres.Args{"lease": sweepLease}},
		"open":   {db.Worker(), isOpen.SQL, postgres.Args{"id": id}},
		"remove": {db.Worker(), sqlRemovePushes, postgres.Args{"done": []int64{1}}},
		"end":    {db.Worker(), sqlEndSubscriptions, postgres.Args{"gone": []uuid.UUID{id}}},
		"used":   {db.Worker(), sqlMarkUsed, postgres.Args{"used": []uuid.UUID{id}, "now": now}},
		"old":    {db.Worker(), deleteOldSubscriptions.SQL, postgres.Args{"before": now, "limit": deleteBatch}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotContains(t, dbtest.IndexPlan(t, tc.db, tc.sql, tc.args), "Seq Scan")
		})
	}
}
