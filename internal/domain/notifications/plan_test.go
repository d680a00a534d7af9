package notifications

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/testing/dbtest"
)

// The statements of pushes find their rows by indexes: there may be a browser for each user, and in
// quiet hours a push for each browser.
func TestPushes_plans(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	id, now := uuid.New(), time.Now()
	for name, tc := range map[string]struct {
		db   *pgxpool.Pool
		sql  string
		args pgx.NamedArgs
	}{
		"notice": {db.API(), sqlInsert, pgx.NamedArgs{
			"ids": []uuid.UUID{id}, "users": []uuid.UUID{id}, "audiences": []string{""}, "kinds": []string{""}, "params": []catalog.Params{{}},
			"abouts": []*uuid.UUID{nil}, "links": []string{""}, "times": []time.Time{now}, "mailed": []bool{true}, "topics": []string{""},
		}},
		"message": {db.API(), sqlInsertMessagePush, pgx.NamedArgs{"user": id, "message": id, "topic": "", "now": now, "pause": messagePause}},
		"save": {db.API(), sqlSaveDevice, pgx.NamedArgs{
			"id": id, "user": id, "session": id, "endpoint": "", "p256dh": []byte{}, "auth": []byte{}, "user_agent": "", "now": now,
		}},
		"wake":   {db.API(), sqlWakePushes, pgx.NamedArgs{"user": id}},
		"claim":  {db.Worker(), sqlClaimPushes, pgx.NamedArgs{"lease": sweepLease}},
		"open":   {db.Worker(), sqlIsOpen, pgx.NamedArgs{"id": id}},
		"remove": {db.Worker(), sqlRemovePushes, pgx.NamedArgs{"done": []int64{1}}},
		"end":    {db.Worker(), sqlEndSubscriptions, pgx.NamedArgs{"gone": []uuid.UUID{id}}},
		"used":   {db.Worker(), sqlMarkUsed, pgx.NamedArgs{"used": []uuid.UUID{id}, "now": now}},
		"old":    {db.Worker(), sqlDeleteOldSubscriptions, pgx.NamedArgs{"before": now, "limit": deleteBatch}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotContains(t, dbtest.IndexPlan(t, tc.db, tc.sql, tc.args), "Seq Scan")
		})
	}
}
