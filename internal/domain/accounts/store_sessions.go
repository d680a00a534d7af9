package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

var errNoSession = errors.New("accounts: no such session")

// sessionRow is a new session.
type sessionRow struct {
	ID        uuid.UUID
	UserID    uuid.UUID
	TokenHash []byte
	Client    Client
	Factor    bool // the second factor was proved
	Now       time.Time
}

func insertSession(ctx context.Context, q postgres.Querier, row sessionRow) error {
	return postgres.Exec(ctx, q, "accounts.insert_session", `
		insert into sessions (id, user_id, token_hash, user_agent, address, created_at, last_seen_at, expires_at, password_confirmed_at,
		                      factor_confirmed_at)
		values (@id, @user_id, @token_hash, @user_agent, @address, @now, @now, @expires_at, @now,
		        case when @factor then @now::timestamptz end)`,
		pgx.NamedArgs{
			"id": row.ID, "user_id": row.UserID, "token_hash": row.TokenHash, "user_agent": row.Client.UserAgent,
			"address": row.Client.Address, "now": row.Now, "expires_at": row.Now.Add(SessionLife),
			"factor": row.Factor,
		})
}

// foundSession is an open session with its user.
type foundSession struct {
	User
	SessionID           uuid.UUID
	LastSeenAt          time.Time
	PasswordConfirmedAt time.Time
	FactorConfirmedAt   *time.Time
	MailConfirmedAt     *time.Time
}

func (f foundSession) user() User { return f.User }

func findSession(ctx context.Context, q postgres.Querier, tokenHash []byte, now time.Time) (foundSession, error) {
	found, err := postgres.One[foundSession](ctx, q, "accounts.find_session", `
		select `+userColumns+`, s.id as session_id, s.last_seen_at, s.password_confirmed_at, s.factor_confirmed_at, s.mail_confirmed_at
		  from sessions s
		  join users u on u.id = s.user_id
		 where s.token_hash = @token_hash
		   and s.expires_at > @now
		   and s.last_seen_at > @idle_since
		   and u.disabled_at is null`,
		pgx.NamedArgs{"token_hash": tokenHash, "now": now, "idle_since": now.Add(-sessionIdle)})
	return found, postgres.IfNoRows(err, errNoSession)
}

// livingSession is a session that has not ended.
type livingSession struct {
	ID           uuid.UUID
	IsAdmin      bool
	SecondFactor bool
}

func listLivingSessions(ctx context.Context, q postgres.Querier, ids []uuid.UUID, now time.Time) ([]livingSession, error) {
	return postgres.Many[livingSession](ctx, q, "accounts.list_living_sessions", `
		select s.id, u.is_admin, u.second_factor_since is not null as second_factor
		  from sessions s
		  join users u on u.id = s.user_id
		 where s.id = any(@ids) and u.disabled_at is null and not `+ended,
		pgx.NamedArgs{"ids": ids, "now": now, "idle_since": now.Add(-sessionIdle)})
}

func touchSession(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	// The condition lets only one of many concurrent requests write.
	return postgres.Exec(ctx, q, "accounts.touch_session",
		`update sessions set last_seen_at = @now where id = @id and last_seen_at <= @before`,
		pgx.NamedArgs{"id": id, "now": now, "before": now.Add(-sessionTouch)})
}

// confirmSession records what was proved, and replaces the token by fresh, unless the token has
// changed since the session was read; rotated reports whether it was replaced.
func confirmSession(
	ctx context.Context, q postgres.Querier, session Session, fresh Token, by proved, now time.Time,
) (rotated bool, err error) {
	rotated, err = postgres.Value[bool](ctx, q, "accounts.confirm_session", `
		update sessions
		   set password_confirmed_at = case when @password then @now else password_confirmed_at end,
		       factor_confirmed_at = case when @factor then @now else factor_confirmed_at end,
		       mail_confirmed_at = case when @mail then @now else mail_confirmed_at end,
		       token_hash = case when token_hash = @token then @fresh else token_hash end
		 where id = @id
		returning token_hash = @fresh`,
		pgx.NamedArgs{
			"id": session.ID, "token": session.token.hash(), "fresh": fresh.hash(), "now": now,
			"password": by.password, "factor": by.factor, "mail": by.mail,
		})
	return rotated, postgres.IfNoRows(err, errUnauthenticated())
}

// endedSession is a deleted session and its user.
type endedSession struct{ ID, UserID uuid.UUID }

// deleteSession deletes the session of the token and returns it.
func deleteSession(ctx context.Context, tx *postgres.Tx, tokenHash []byte) (ended endedSession, found bool, err error) {
	ended, found, err = postgres.Optional(postgres.One[endedSession](ctx, tx, "accounts.delete_session",
		`delete from sessions where token_hash = @token_hash returning id, user_id`, pgx.NamedArgs{"token_hash": tokenHash}))
	if err != nil || !found {
		return ended, found, err
	}
	return ended, true, silence(ctx, tx, ended.UserID, ended.ID)
}

// deleteSessions deletes all sessions of the user except one; nil excepts none.
func deleteSessions(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, except *uuid.UUID) error {
	args := pgx.NamedArgs{"user_id": userID, "but": except}
	err := postgres.Exec(ctx, tx, "accounts.delete_sessions",
		`delete from sessions where user_id = @user_id and id is distinct from @but`, args)
	if err != nil {
		return err
	}
	return postgres.Exec(ctx, tx, "accounts.silence_others", sqlSilenceOthers, args)
}

func endSession(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID) error {
	n, err := postgres.ExecCount(ctx, tx, "accounts.end_session",
		`delete from sessions where id = @id and user_id = @user_id`, pgx.NamedArgs{"id": id, "user_id": userID})
	switch {
	case err != nil:
		return err
	case n == 0:
		return errNoSession
	}
	return silence(ctx, tx, userID, id)
}

// silence ends the pushes to the browser of a session that has been deleted. One whose session has
// run out still gets them: its user is away.
//
// It is a statement of its own, which sees a subscription that held up the deletion.
func silence(ctx context.Context, tx *postgres.Tx, userID, sessionID uuid.UUID) error {
	return postgres.Exec(ctx, tx, "accounts.silence",
		`delete from push_subscriptions where user_id = @user_id and session_id = @session`,
		pgx.NamedArgs{"user_id": userID, "session": sessionID})
}

// Locks the rows in the order of their ids, as the sweep of pushes does.
const sqlSilenceOthers = `
with silent as (
  select id from push_subscriptions where user_id = @user_id and session_id is distinct from @but order by id for update
)
delete from push_subscriptions s using silent where s.id = silent.id`

func listSessions(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) ([]OpenSession, error) {
	return postgres.Many[OpenSession](ctx, q, "accounts.list_sessions", `
		select id, user_agent, address, created_at, last_seen_at
		  from sessions
		 where user_id = @user_id and not `+ended+`
		 order by last_seen_at desc, id desc`,
		pgx.NamedArgs{"user_id": userID, "now": now, "idle_since": now.Add(-sessionIdle)})
}

// ended is the condition for expired sessions.
const ended = `(expires_at <= @now or last_seen_at <= @idle_since)`

func deleteEndedSessionsOf(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) error {
	return postgres.Exec(ctx, q, "accounts.delete_ended_sessions_of", `delete from sessions where user_id = @user_id and `+ended,
		pgx.NamedArgs{"user_id": userID, "now": now, "idle_since": now.Add(-sessionIdle)})
}

// deleteBatch bounds each DELETE of expired rows.
const deleteBatch = 5_000

// The condition is repeated outside the subquery because a session may be used concurrently.
const sqlDeleteEndedSessions = `
delete from sessions where id in (select id from sessions where ` + ended + ` limit @limit) and ` + ended

func deleteEndedSessions(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_ended_sessions", sqlDeleteEndedSessions,
		pgx.NamedArgs{"now": now, "idle_since": now.Add(-sessionIdle)}, deleteBatch)
}
