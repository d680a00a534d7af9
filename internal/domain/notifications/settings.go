package notifications

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Settings are what a user chose to hear of, and how.
type Settings struct {
	Groups  []Choice // one for each of Groups
	Quiet   *Quiet   // nil: none
	Details bool     // pushes show amounts and words of messages
}

// Choice is how a user hears of a group of kinds, besides the panel.
type Choice struct {
	Group      Group
	Mail, Push bool
}

// MailLocked reports whether the emails of the group cannot be turned off.
func (c Choice) MailLocked() bool { return c.Group.mailLocked() }

// Quiet are the hours of every day in which pushes wait, as HH:MM in Dhaka. With To before From
// they go past midnight.
type Quiet struct{ From, To string }

// Settings returns what the user has chosen.
func (s *Service) Settings(ctx context.Context, userID uuid.UUID) (Settings, error) {
	row, err := getSettings(ctx, s.DB, userID)
	return row.settings(), err
}

// SaveSettings replaces what the user has chosen. Pushes that wait for the end of the quiet hours
// are looked at again. Codes: Invalid with the first rule that fails.
func (s *Service) SaveSettings(ctx context.Context, userID uuid.UUID, chosen Settings) error {
	row, err := chosen.row()
	if err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := setSettings(ctx, tx, userID, row); err != nil {
			return err
		}
		return wakePushes(ctx, tx, userID)
	})
}

// row checks the settings.
func (c Settings) row() (settingsRow, error) {
	row := settingsRow{PushDetails: c.Details, MailOff: []string{}, PushOff: []string{}}
	var named []Group
	for _, choice := range c.Groups {
		named = append(named, choice.Group)
		switch {
		case !slices.Contains(Groups(), choice.Group):
			return row, fault.Field("groups", "notice_group_unknown", "There is no such group of notifications.")
		case choice.Group.mailLocked() && !choice.Mail:
			return row, fault.Field("groups", "notice_mail_locked", "Emails about your account cannot be turned off.")
		}
		if choice.Mail && !choice.Group.mailLocked() {
			row.MailNotices = true
		}
		if !choice.Mail {
			row.MailOff = append(row.MailOff, string(choice.Group))
		}
		if !choice.Push {
			row.PushOff = append(row.PushOff, string(choice.Group))
		}
	}
	slices.Sort(named)
	if len(named) != len(Groups()) || len(slices.Compact(named)) != len(Groups()) {
		return row, fault.Field("groups", "notice_groups_incomplete", "Choose for each group of notifications once.")
	}
	return row, c.Quiet.into(&row)
}

// into stores the quiet hours in a row.
func (q *Quiet) into(row *settingsRow) error {
	if q == nil {
		return nil
	}
	from, fromErr := minuteOf(q.From)
	to, toErr := minuteOf(q.To)
	switch {
	case fromErr != nil, toErr != nil:
		return fault.Field("quiet", "quiet_hours_malformed", "The quiet hours must be two times of a day, as in 22:00 and 07:00.")
	case from == to:
		return fault.Field("quiet", "quiet_hours_equal", "The quiet hours must end at another time than they begin.")
	}
	row.QuietFrom, row.QuietTo = &from, &to
	return nil
}

// minuteOf parses a time of a day, in minutes since midnight.
func minuteOf(text string) (int, error) {
	at, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, fmt.Errorf("%q is no time of a day", text)
	}
	return at.Hour()*60 + at.Minute(), nil
}

// settings returns the settings of a row. Whoever has unsubscribed gets no emails of any group that
// they can turn off.
func (r settingsRow) settings() Settings {
	s := Settings{Details: r.PushDetails}
	for _, group := range Groups() {
		s.Groups = append(s.Groups, Choice{Group: group, Mail: r.mails(group), Push: r.pushes(group)})
	}
	if r.QuietFrom != nil && r.QuietTo != nil {
		s.Quiet = &Quiet{From: textOfMinute(*r.QuietFrom), To: textOfMinute(*r.QuietTo)}
	}
	return s
}

func textOfMinute(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

func (r settingsRow) mails(group Group) bool {
	return group.mailLocked() || r.MailNotices && !slices.Contains(r.MailOff, string(group))
}

func (r settingsRow) pushes(group Group) bool { return !slices.Contains(r.PushOff, string(group)) }

// quietFor returns how long the quiet hours still last; 0 if they do not last at this time.
func (r settingsRow) quietFor(now time.Time) time.Duration {
	if r.QuietFrom == nil || r.QuietTo == nil {
		return 0
	}
	local := now.In(clock.Dhaka)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, clock.Dhaka)
	from, to := time.Duration(*r.QuietFrom)*time.Minute, time.Duration(*r.QuietTo)*time.Minute
	const day = 24 * time.Hour
	since := (local.Sub(midnight) - from + day) % day // of their last beginning
	if length := (to - from + day) % day; since < length {
		return length - since
	}
	return 0
}
