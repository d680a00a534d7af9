package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

var errNoSession = errors.New("accounts: no such session")

// sessionRow is a new session.
type sessionRow struct {
	ID        uuid.UUID
	UserID    uuid.UUID
	TokenHash []byte
	Client    Client
	Now       time.Time
}

func insertSession(ctx context.Context, q postgres.Querier, row sessionRow) error {
	_, err := q.Exec(ctx, `
		insert into sessions (id, user_id, token_hash, user_agent, address, created_at, last_seen_at, expires_at, password_confirmed_at)
		values (@id, @user_id, @token_hash, @user_agent, @address, @now, @now, @expires_at, @now)`,
		pgx.NamedArgs{
			"id": row.ID, "user_id": row.UserID, "token_hash": row.TokenHash, "user_agent": row.Client.UserAgent,
			"address": row.Client.Address, "now": row.Now, "expires_at": row.Now.Add(SessionLife),
		})
	if err != nil {
		return fmt.Errorf("insert session: %w", err)
	}
	return nil
}

// foundSession is a living session with its user.
type foundSession struct {
	User
	SessionID           uuid.UUID
	LastSeenAt          time.Time
	PasswordConfirmedAt time.Time
}

func (f foundSession) user() User { return f.User }

func findSession(ctx context.Context, q postgres.Querier, tokenHash []byte, now time.Time) (foundSession, error) {
	rows, err := q.Query(ctx, `
		select `+userColumns+`, s.id as session_id, s.last_seen_at, s.password_confirmed_at
		  from sessions s
		  join users u on u.id = s.user_id
		 where s.token_hash = @token_hash
		   and s.expires_at > @now
		   and s.last_seen_at > @idle_since
		   and u.disabled_at is null`,
		pgx.NamedArgs{"token_hash": tokenHash, "now": now, "idle_since": now.Add(-sessionIdle)})
	if err != nil {
		return foundSession{}, fmt.Errorf("find session: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[foundSession])
	if errors.Is(err, pgx.ErrNoRows) {
		return foundSession{}, errNoSession
	}
	if err != nil {
		return foundSession{}, fmt.Errorf("find session: %w", err)
	}
	return found, nil
}

// livingSession is a session that has not ended.
type livingSession struct {
	ID      uuid.UUID
	IsAdmin bool
}

func listLivingSessions(ctx context.Context, q postgres.Querier, ids []uuid.UUID, now time.Time) ([]livingSession, error) {
	rows, err := q.Query(ctx, `
		select s.id, u.is_admin
		  from sessions s
		  join users u on u.id = s.user_id
		 where s.id = any(@ids) and u.disabled_at is null and not `+ended,
		pgx.NamedArgs{"ids": ids, "now": now, "idle_since": now.Add(-sessionIdle)})
	if err != nil {
		return nil, fmt.Errorf("living sessions: %w", err)
	}
	living, err := pgx.CollectRows(rows, pgx.RowToStructByName[livingSession])
	if err != nil {
		return nil, fmt.Errorf("living sessions: %w", err)
	}
	return living, nil
}

func touchSession(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	// The condition lets only one of many requests at once write.
	_, err := q.Exec(ctx, `update sessions set last_seen_at = @now where id = @id and last_seen_at <= @before`,
		pgx.NamedArgs{"id": id, "now": now, "before": now.Add(-sessionTouch)})
	if err != nil {
		return fmt.Errorf("touch session: %w", err)
	}
	return nil
}

func confirmSession(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	done, err := q.Exec(ctx, `update sessions set password_confirmed_at = @now where id = @id`, pgx.NamedArgs{"id": id, "now": now})
	if err != nil {
		return fmt.Errorf("confirm session: %w", err)
	}
	if done.RowsAffected() == 0 {
		return errUnauthenticated()
	}
	return nil
}

// endedSession is a session that was deleted, and whose it was.
type endedSession struct{ ID, UserID uuid.UUID }

// deleteSession returns the session that it has deleted, zero when there was none.
func deleteSession(ctx context.Context, q postgres.Querier, tokenHash []byte) (endedSession, error) {
	var ended endedSession
	err := q.QueryRow(ctx, `delete from sessions where token_hash = @token_hash returning id, user_id`,
		pgx.NamedArgs{"token_hash": tokenHash}).Scan(&ended.ID, &ended.UserID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return endedSession{}, fmt.Errorf("delete session: %w", err)
	}
	return ended, nil
}

// deleteSessions ends all sessions of the user but one.
func deleteSessions(ctx context.Context, q postgres.Querier, userID, but uuid.UUID) error {
	_, err := q.Exec(ctx, `delete from sessions where user_id = @user_id and id <> @but`, pgx.NamedArgs{"user_id": userID, "but": but})
	if err != nil {
		return fmt.Errorf("delete sessions: %w", err)
	}
	return nil
}

func endSession(ctx context.Context, q postgres.Querier, userID, id uuid.UUID) error {
	tag, err := q.Exec(ctx, `delete from sessions where id = @id and user_id = @user_id`, pgx.NamedArgs{"id": id, "user_id": userID})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errNoSession
	}
	return nil
}

func listSessions(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) ([]OpenSession, error) {
	rows, err := q.Query(ctx, `
		select id, user_agent, address, created_at, last_seen_at
		  from sessions
		 where user_id = @user_id and not `+ended+`
		 order by last_seen_at desc, id desc`,
		pgx.NamedArgs{"user_id": userID, "now": now, "idle_since": now.Add(-sessionIdle)})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByName[OpenSession])
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return sessions, nil
}

// ended is true of sessions that have run out.
const ended = `(expires_at <= @now or last_seen_at <= @idle_since)`

func deleteEndedSessionsOf(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) error {
	_, err := q.Exec(ctx, `delete from sessions where user_id = @user_id and `+ended,
		pgx.NamedArgs{"user_id": userID, "now": now, "idle_since": now.Add(-sessionIdle)})
	if err != nil {
		return fmt.Errorf("delete ended sessions: %w", err)
	}
	return nil
}

// deleteBatch is how many rows of nobody in particular are deleted at once.
const deleteBatch = 5_000

// The condition stands outside, too: a session may be used at this moment.
const sqlDeleteEndedSessions = `
delete from sessions where id in (select id from sessions where ` + ended + ` limit @limit) and ` + ended

func deleteEndedSessions(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	n, err := postgres.InBatches(ctx, q, sqlDeleteEndedSessions,
		pgx.NamedArgs{"now": now, "idle_since": now.Add(-sessionIdle)}, deleteBatch)
	if err != nil {
		return n, fmt.Errorf("delete ended sessions: %w", err)
	}
	return n, nil
}
