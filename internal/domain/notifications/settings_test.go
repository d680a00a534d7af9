package notifications

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/webpush"
)

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
