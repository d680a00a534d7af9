package moderation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/moderation"
)

func suspend(days int) moderation.Ruling {
	return moderation.Ruling{Action: moderation.Suspend, Reason: "A scam", Days: days}
}

var ban = moderation.Ruling{Action: moderation.Ban, Reason: "A scam"}

// end runs the worker's sweep and returns how many suspensions it has ended.
func (f fixture) end(t *testing.T) int {
	t.Helper()
	ended, err := f.settler.EndSuspensions(t.Context())
	require.NoError(t, err)
	return ended
}

func TestEndSuspensions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.decide(t, f.about(t, f.rahim, f.karim), suspend(2)).ID
	f.decide(t, f.about(t, f.rahim, f.nadia), ban)
	f.clock.Advance(2*day - time.Second)
	require.Zero(t, f.end(t))
	f.clock.Advance(time.Second)
	require.Equal(t, 1, f.end(t))
	f.requireEnabled(t, f.karim)
	require.Equal(t, []string{"moderation_suspension_ended"}, f.notices(t, f.karim))
	require.Equal(t, []string{"decision", "suspension_ended"}, f.letters(t, id))
	require.Zero(t, f.end(t))
	f.clock.Advance(400 * day)
	require.Zero(t, f.end(t), "a ban has no end")
}

// An account that an admin disables during its suspension stays disabled until an admin enables it.
func TestEndSuspensions_disabled_meanwhile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.decide(t, f.about(t, f.rahim, f.karim), suspend(2))
	require.NoError(t, f.accounts.DisableUser(t.Context(), f.boss, f.karim, "Another matter"))
	f.clock.Advance(3 * day)
	require.Zero(t, f.end(t))
	f.requireSuspended(t, f.karim, nil)
	require.NoError(t, f.accounts.EnableUser(t.Context(), f.boss, f.karim))
	f.requireEnabled(t, f.karim)
}

// An admin who enables the account ends the suspension, and a later one is not the former's.
func TestSuspension_ended_by_admin(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.decide(t, f.about(t, f.rahim, f.karim), ban)
	require.NoError(t, f.accounts.EnableUser(t.Context(), f.boss, f.karim))
	f.requireEnabled(t, f.karim)
	f.clock.Advance(time.Hour)
	id := f.decide(t, f.about(t, f.rahim, f.karim), suspend(1)).ID
	f.requireSuspended(t, f.karim, &id)
	f.overturn(t, id, f.karim)
	f.requireEnabled(t, f.karim)
}

// An account that is disabled for another reason is not enabled by the end of a suspension.
func TestSuspension_of_disabled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	caseID := f.about(t, f.rahim, f.karim)
	require.NoError(t, f.accounts.DisableUser(t.Context(), f.boss, f.karim, "Another matter"))
	f.decide(t, caseID, suspend(1))
	f.requireSuspended(t, f.karim, nil)
	f.overturn(t, caseID, f.karim)
	f.requireSuspended(t, f.karim, nil)
}

// Of several decisions, the one that lasts longest counts; if it is overturned, the next does.
func TestSuspension_several(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	one := f.post(t, f.karim, "Cooking channel")
	two := f.post(t, f.karim, "Travel channel")
	aboutOne, aboutTwo := f.report(t, f.rahim, moderation.Post, one.ID), f.report(t, f.rahim, moderation.Post, two.ID)
	aboutUser := f.about(t, f.rahim, f.karim)
	f.decide(t, aboutOne, suspend(5))
	f.requireSuspended(t, f.karim, &aboutOne)
	f.decide(t, aboutTwo, ban)
	f.requireSuspended(t, f.karim, &aboutTwo)
	f.decide(t, aboutUser, suspend(9))
	f.requireSuspended(t, f.karim, &aboutTwo)
	f.overturn(t, aboutTwo, f.karim)
	f.requireSuspended(t, f.karim, &aboutUser)
	f.clock.Advance(9 * day)
	require.Equal(t, 1, f.end(t))
	f.requireEnabled(t, f.karim)
}

// overturn has the user appeal against a decision of boss, and sadia withdraw it.
func (f fixture) overturn(t *testing.T, id, userID uuid.UUID) {
	t.Helper()
	_, err := f.Appeal(t.Context(), userID, id, "It is wrong", nil)
	require.NoError(t, err)
	_, err = f.DecideAppeal(t.Context(), f.sadia, id, moderation.AppealRuling{Overturn: true, Answer: "Sorry"}, nil)
	require.NoError(t, err)
}
