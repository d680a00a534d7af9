package moderation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/moderation"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

func (f fixture) closeAccount(t *testing.T, userID uuid.UUID) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), `update users set closed_at = now(), disabled_at = now() where id = $1`, userID)
	require.NoError(t, err)
}

// Nothing can be done about an account that is closed, and nobody who has closed theirs is told.
func TestDecide_closed_account(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	require.Equal(t, id, f.about(t, f.nadia, f.karim))
	f.closeAccount(t, f.karim)
	f.closeAccount(t, f.nadia)
	_, err := f.Decide(t.Context(), f.boss, id, moderation.Ruling{Action: moderation.Warn, Reason: "A scam"}, nil)
	requireRefused(t, err, fault.Conflict, "accused_closed")
	detail, err := f.Detail(t.Context(), f.boss, id)
	require.NoError(t, err)
	require.True(t, detail.Accused.Closed)
	require.Equal(t, []bool{false, true}, []bool{detail.Listed[0].Reporter.Closed, detail.Listed[1].Reporter.Closed})

	f.decide(t, id, moderation.Ruling{Action: moderation.Dismiss})
	require.Equal(t, []string{"report_no_violation"}, f.notices(t, f.rahim))
	require.Empty(t, f.notices(t, f.karim))
	require.Empty(t, f.notices(t, f.nadia))
}

func TestDecideAppeal_closed_account(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	f.decide(t, id, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	_, err := f.Appeal(t.Context(), f.karim, id, "It is wrong", nil)
	require.NoError(t, err)
	f.closeAccount(t, f.karim)
	_, err = f.DecideAppeal(t.Context(), f.sadia, id, moderation.AppealRuling{Overturn: true, Answer: "Yes"}, nil)
	requireRefused(t, err, fault.Conflict, "appellant_closed")
	told, letters := f.notices(t, f.karim), f.letters(t, id)
	_, err = f.DecideAppeal(t.Context(), f.sadia, id, moderation.AppealRuling{Answer: "No"}, nil)
	require.NoError(t, err)
	require.Equal(t, told, f.notices(t, f.karim))
	require.Equal(t, letters, f.letters(t, id))
}

// The accused does not learn who has reported them, an admin either.
func TestQueue_own_case(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.sadia)
	_, err := f.Detail(t.Context(), f.sadia, id)
	requireRefused(t, err, fault.Forbidden, "own_case")
	for admin, seen := range map[uuid.UUID]int{f.sadia: 0, f.boss: 1} {
		_, total, err := f.Queue(t.Context(), admin, moderation.Open, postgres.Page{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, seen, total)
	}
}

// An admin who may not decide an appeal does not keep others from it, and one without the second
// factor where it is required decides nothing.
func TestClaim_appeal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.about(t, f.rahim, f.karim)
	f.decide(t, id, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	_, err := f.Appeal(t.Context(), f.karim, id, "It is wrong", nil)
	require.NoError(t, err)
	_, err = f.Claim(t.Context(), f.boss, id)
	requireRefused(t, err, fault.Forbidden, "appeal_other_admin")

	f.FactorForAdmins = true
	_, err = f.Claim(t.Context(), f.boss, id)
	require.NoError(t, err, "nobody else can decide it")
}
