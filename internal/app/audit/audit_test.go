package audit_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/app/audit"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type entry struct {
	At      time.Time
	ActorID *uuid.UUID
	Action  string
	Subject string
	Details string
}

func entries(t *testing.T, db *dbtest.DB) []entry {
	t.Helper()
	list, err := postgres.Query[entry]("test.entries",
		`select at, actor_id, action, subject, details::text from audit_log order by id`).Many(t.Context(), db.Owner(), nil)
	require.NoError(t, err)
	return list
}

func record(t *testing.T, pool *pgxpool.Pool, e audit.Entry, end error) error {
	t.Helper()
	return postgres.WithTx(t.Context(), pool, func(tx *postgres.Tx) error {
		if err := audit.Record(t.Context(), tx, e); err != nil {
			return err
		}
		return end
	})
}

func newAdmin(t *testing.T, db *dbtest.DB) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, is_admin, referral_code, terms_accepted_at, created_at)
		values ($1, 'boss', 'boss@example.com', '', true, 'boss', now(), now())`, id)
	require.NoError(t, err)
	return id
}

func TestRecord(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	admin := newAdmin(t, db)
	e := audit.Entry{
		At: at, Actor: actor.User(admin), Action: "deposit.approve", Subject: "deposit:1", Details: map[string]int{"amount": 50},
	}
	require.NoError(t, record(t, db.API(), e, nil))
	e.Actor, e.Details = actor.Operator(), nil
	require.NoError(t, record(t, db.Worker(), e, nil))
	got := entries(t, db)
	require.Len(t, got, 2)
	require.WithinDuration(t, at, got[0].At, 0)
	require.Equal(t, entry{got[0].At, &admin, "deposit.approve", "deposit:1", `{"amount": 50}`}, got[0])
	require.Nil(t, got[1].ActorID, "an operator has no user id")
}

// The operator's entries name who has run the command; those of admins do not.
func TestRecord_operator(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	ctx := audit.WithOperator(t.Context(), "root@db1 (karim)")
	for _, e := range []audit.Entry{
		{At: at, Actor: actor.Operator(), Action: "queue.pause", Subject: "queue:money", Details: map[string]any{"reason": "a leak", "n": 1}},
		{At: at, Actor: actor.Operator(), Action: "queue.resume", Subject: "queue:money"},
		{At: at, Actor: actor.User(newAdmin(t, db)), Action: "deposit.approve", Subject: "deposit:1", Details: struct{}{}},
	} {
		require.NoError(t, postgres.WithTx(ctx, db.Owner(), func(tx *postgres.Tx) error { return audit.Record(ctx, tx, e) }))
	}
	got := entries(t, db)
	require.JSONEq(t, `{"reason": "a leak", "n": 1, "ranBy": "root@db1 (karim)"}`, got[0].Details)
	require.JSONEq(t, `{"ranBy": "root@db1 (karim)"}`, got[1].Details)
	require.JSONEq(t, `{}`, got[2].Details)
}

// An action that is rolled back leaves no entry.
func TestRecord_rolled_back(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	e := audit.Entry{At: at, Action: "deposit.approve", Subject: "deposit:1"}
	refusal := errors.New("refused")
	require.ErrorIs(t, record(t, db.API(), e, refusal), refusal)
	require.Empty(t, entries(t, db))
}

func TestRecord_names_the_action_of_an_error(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	for name, e := range map[string]audit.Entry{
		"unencodable details": {At: at, Action: "deposit.approve", Subject: "deposit:1", Details: func() {}},
		"unknown actor":       {At: at, Actor: actor.User(uuid.UUID{1}), Action: "deposit.approve", Subject: "deposit:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorContains(t, record(t, db.API(), e, nil), "deposit.approve")
		})
	}
}

// No login, not even the owner, can change or delete entries.
func TestRecord_append_only(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	require.NoError(t, record(t, db.API(), audit.Entry{At: at, Action: "deposit.approve", Subject: "deposit:1"}, nil))
	before := entries(t, db)
	require.Len(t, before, 1)
	for login, pool := range map[string]*pgxpool.Pool{"api": db.API(), "worker": db.Worker(), "owner": db.Owner()} {
		for _, sql := range []string{
			`update audit_log set action = 'nothing'`, `delete from audit_log`, `truncate audit_log`,
		} {
			t.Run(login+" "+sql, func(t *testing.T) {
				t.Parallel()
				_, err := pool.Exec(t.Context(), sql)
				require.Error(t, err)
				require.Equal(t, before, entries(t, db))
			})
		}
	}
}
