package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

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
	return postgres.Command("accounts.insert_session", `
		insert into sessions (id, user_id, token_hash, user_agent, address, created_at, last_seen_at, expires_at, password_confirmed_at,
		                      factor_confirmed_at)
		values (@id, @user_id, @token_hash, @user_agent, @address, @now, @now, @expires_at, @now,
		        case when @factor then @now::timestamptz end)`).Run(ctx, q,
		postgres.Args{
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
	found, err := postgres.Query[foundSession]("accounts.find_session", `
		select `+userColumns+`, s.id as session_id, s.last_seen_at, s.password_confirmed_at, s.factor_confirmed_at, s.mail_confirmed_at
		  from sessions s
		  join users u on u.id = s.user_id
		 where s.token_hash = @token_hash
		   and s.expires_at > @now
		   and s.last_seen_at > @idle_since
		   and u.disabled_at is null`).One(ctx, q,
		postgres.Args{"token_hash": tokenHash, "now": now, "idle_since": now.Add(-sessionIdle)})
	return found, postgres.IfNoRows(err, errNoSession)
}

// livingSession is a session that has not ended.
type livingSession struct {
	ID           uuid.UUID
	IsAdmin      bool
	SecondFactor bool
}

func listLivingSessions(ctx context.Context, q postgres.Querier, ids []uuid.UUID, now time.Time) ([]livingSession, error) {
	return postgres.Query[livingSession]("accounts.list_living_sessions", `
		select s.id, u.is_admin, u.second_factor_since is not null as second_factor
		  from sessions s
		  join users u on u.id = s.user_id
		 where s.id = any(@ids) and u.disabled_at is null and not `+ended).Many(ctx, q,
		postgres.Args{"ids": ids, "now": now, "idle_since": now.Add(-sessionIdle)})
}

func touchSession(ctx context.Context, q postgres.Querier, id uuid.UUID, now time.Time) error {
	// The condition lets only one of many concurrent requests write.
	return postgres.Command("accounts.touch_session",
		`update sessions set last_seen_at = @now where id = @id and last_seen_at <= @before`).Run(ctx, q,
		postgres.Args{"id": id, "now": now, "before": now.Add(-sessionTouch)})
}

// confirmSession records what was proved, and replaces the token by fresh, unless the token has
// changed since the session was read; rotated reports whether it was replaced.
func confirmSession(
	ctx context.Context, q postgres.Querier, session Session, fresh Token, by proved, now time.Time,
) (rotated bool, err error) {
	rotated, err = postgres.Query[bool]("accounts.confirm_session", `
		update sessions
		   set password_confirmed_at = case when @password then @now else password_confirmed_at end,
		       factor_confirmed_at = case when @factor then @now else factor_confirmed_at end,
		       mail_confirmed_at = case when @mail then @now else mail_confirmed_at end,
		       token_hash = case when token_hash = @token then @fresh else token_hash end
		 where id = @id
		returning token_hash = @fresh`).One(ctx, q,
		postgres.Args{
			"id": session.ID, "token": session.token.hash(), "fresh": fresh.hash(), "now": now,
			"password": by.password, "factor": by.factor, "mail": by.mail,
		})
	return rotated, postgres.IfNoRows(err, errUnauthenticated())
}

// endedSession is a deleted session and its user.
type endedSession struct{ ID, UserID uuid.UUID }

// deleteSession deletes the session of the token and returns it.
func deleteSession(ctx context.Context, tx *postgres.Tx, tokenHash []byte) (ended endedSession, found bool, err error) {
	ended, found, err = postgres.Query[endedSession]("accounts.delete_session",
		`delete from sessions where token_hash = @token_hash returning id, user_id`).Find(ctx, tx, postgres.Args{"token_hash": tokenHash})
	if err != nil || !found {
		return ended, found, err
	}
	return ended, true, silence.Run(ctx, tx, postgres.Args{"user_id": ended.UserID, "session": ended.ID})
}

// deleteSessions deletes all sessions of the user except one; nil excepts none.
func deleteSessions(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, except *uuid.UUID) error {
	args := postgres.Args{"user_id": userID, "but": except}
	err := postgres.Command("accounts.delete_sessions",
		`delete from sessions where user_id = @user_id and id is distinct from @but`).Run(ctx, tx, args)
	if err != nil {
		return err
	}
	return postgres.Command("accounts.silence_others", sqlSilenceOthers).Run(ctx, tx, args)
}

func endSession(ctx context.Context, tx *postgres.Tx, userID, id uuid.UUID) error {
	n, err := postgres.Command("accounts.end_session", `delete from sessions where id = @id and user_id = @user_id`).Count(ctx, tx,
		postgres.Args{"id": id, "user_id": userID})
	switch {
	case err != nil:
		return err
	case n == 0:
		return errNoSession
	}
	return silence.Run(ctx, tx, postgres.Args{"user_id": userID, "session": id})
}

// silence ends the pushes to the browser of a session that has been deleted. One whose session has
// run out still gets them: its user is away.
//
// It is a statement of its own, which sees a subscription that held up the deletion.
var silence = postgres.Command("accounts.silence", `delete from push_subscriptions where user_id = @user_id and session_id = @session`)

// Locks the rows in the order of their ids, as the sweep of pushes does.
const sqlSilenceOthers = `
with silent as (
  select id from push_subscriptions where user_id = @user_id and session_id is distinct from @but order by id for update
)
delete from push_subscriptions s using silent where s.id = silent.id`

func listSessions(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) ([]OpenSession, error) {
	return postgres.Query[OpenSession]("accounts.list_sessions", `
		select id, user_agent, address, created_at, last_seen_at
		  from sessions
		 where user_id = @user_id and not `+ended+`
		 order by last_seen_at desc, id desc`).Many(ctx, q,
		postgres.Args{"user_id": userID, "now": now, "idle_since": now.Add(-sessionIdle)})
}

// ended is the condition for expired sessions.
const ended = `(expires_at <= @now or last_seen_at <= @idle_since)`

func deleteEndedSessionsOf(ctx context.Context, q postgres.Querier, userID uuid.UUID, now time.Time) error {
	return postgres.Command("accounts.delete_ended_sessions_of", `delete from sessions where user_id = @user_id and `+ended).Run(ctx, q,
		postgres.Args{"user_id": userID, "now": now, "idle_since": now.Add(-sessionIdle)})
}

// deleteBatch bounds each DELETE of expired rows.
const deleteBatch = 5_000

// The condition is repeated outside the subquery because a session may be used concurrently.
const sqlDeleteEndedSessions = `
delete from sessions where id in (select id from sessions where ` + ended + ` limit @limit) and ` + ended

func deleteEndedSessions(ctx context.Context, q postgres.Querier, now time.Time) (int64, error) {
	return postgres.Command("accounts.delete_ended_sessions", sqlDeleteEndedSessions).InBatches(ctx, q,
		postgres.Args{"now": now, "idle_since": now.Add(-sessionIdle)}, deleteBatch)
}

// touchBrowser records a login in the browser; it returns false if the browser is not known to the
// user.
func touchBrowser(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token, now time.Time) (bool, error) {
	return postgres.Command("accounts.touch_browser",
		`update known_browsers set last_login_at = @now where token_hash = @hash and user_id = @user`).Any(ctx, q,
		postgres.Args{"hash": browser.hash(), "user": userID, "now": now})
}

func replaceBrowser(ctx context.Context, q postgres.Querier, old, fresh Token) error {
	return postgres.Command("accounts.replace_browser", `update known_browsers set token_hash = @fresh where token_hash = @old`).Run(ctx, q,
		postgres.Args{"old": old.hash(), "fresh": fresh.hash()})
}

func insertBrowser(ctx context.Context, q postgres.Querier, userID uuid.UUID, browser Token, atSignup bool, now time.Time) error {
	return postgres.Command("accounts.insert_browser", `
		insert into known_browsers (token_hash, user_id, at_signup, created_at, last_login_at)
		values (@hash, @user, @at_signup, @now, @now)`).Run(ctx, q,
		postgres.Args{"hash": browser.hash(), "user": userID, "at_signup": atSignup, "now": now})
}

var trimBrowsers = postgres.Command("accounts.trim_browsers", `
		delete from known_browsers
		 where user_id = @user
		   and token_hash not in (select b.token_hash from known_browsers b where b.user_id = @user order by b.last_login_at desc limit @most)`)

// deleteBrowsers deletes all known browsers of the user except one.
func deleteBrowsers(ctx context.Context, q postgres.Querier, userID uuid.UUID, except Token) error {
	return postgres.Command("accounts.delete_browsers", `delete from known_browsers where user_id = @user and token_hash <> @but`).Run(ctx, q,
		postgres.Args{"user": userID, "but": except.hash()})
}

var deleteBrowsersBefore = postgres.Command("accounts.delete_browsers_before", `
delete from known_browsers b
 using (select token_hash, user_id from known_browsers where last_login_at <= @before order by last_login_at limit @limit) old
 where b.token_hash = old.token_hash and b.user_id = old.user_id and b.last_login_at <= @before`)

var errNoChallenge = errors.New("accounts: no such login challenge")

// challengeRow is a new login challenge: of a user, or with a ceremony for any passkey.
type challengeRow struct {
	UserID    *uuid.UUID
	TokenHash []byte
	Ceremony  []byte
	Now       time.Time
}

func insertChallenge(ctx context.Context, q postgres.Querier, row challengeRow) error {
	return postgres.Command("accounts.insert_challenge", `
		insert into login_challenges (token_hash, user_id, ceremony, created_at, expires_at)
		values (@hash, @user, @ceremony::jsonb, @now, @expires)`).Run(ctx, q,
		postgres.Args{
			"hash": row.TokenHash, "user": row.UserID, "ceremony": row.Ceremony, "now": row.Now, "expires": row.Now.Add(ChallengeLife),
		})
}

// findChallenge returns the user of a challenge that waits, or errNoChallenge.
func findChallenge(ctx context.Context, q postgres.Querier, challenge Token, now time.Time) (uuid.UUID, error) {
	userID, err := postgres.Query[uuid.UUID]("accounts.find_challenge", `
		select user_id from login_challenges
		 where token_hash = @hash and user_id is not null and expires_at > @now and attempts < @most`).One(ctx, q,
		postgres.Args{"hash": challenge.hash(), "now": now, "most": maxAttempts})
	return userID, postgres.IfNoRows(err, errNoChallenge)
}

// countAttempt counts a code for the challenge; counted is false if the challenge is void.
func countAttempt(ctx context.Context, q postgres.Querier, challenge Token, now time.Time) (counted bool, err error) {
	return postgres.Command("accounts.count_attempt", `
		update login_challenges set attempts = attempts + 1 where token_hash = @hash and expires_at > @now and attempts < @most`).Any(ctx, q,
		postgres.Args{"hash": challenge.hash(), "now": now, "most": maxAttempts})
}

func setChallengeCeremony(ctx context.Context, q postgres.Querier, challenge Token, ceremony []byte) error {
	return postgres.Command("accounts.set_challenge_ceremony",
		`update login_challenges set ceremony = @ceremony::jsonb where token_hash = @hash`).Run(ctx, q,
		postgres.Args{"hash": challenge.hash(), "ceremony": ceremony})
}

// takeChallengeCeremony returns the ceremony of a challenge and deletes it, so that it is used
// once.
func takeChallengeCeremony(ctx context.Context, q postgres.Querier, challenge Token) (ceremony []byte, found bool, err error) {
	return postgres.Query[[]byte]("accounts.take_challenge_ceremony", `
		update login_challenges c set ceremony = null
		  from (select token_hash, ceremony from login_challenges where token_hash = @hash and ceremony is not null for update) before
		 where c.token_hash = before.token_hash
		returning before.ceremony`).Find(ctx, q, postgres.Args{"hash": challenge.hash()})
}

// takeDiscovery deletes a challenge without a user and returns its ceremony.
func takeDiscovery(ctx context.Context, q postgres.Querier, challenge Token, now time.Time) (ceremony []byte, found bool, err error) {
	return postgres.Query[[]byte]("accounts.take_discovery", `
		delete from login_challenges where token_hash = @hash and user_id is null and expires_at > @now returning ceremony`).Find(ctx, q,
		postgres.Args{"hash": challenge.hash(), "now": now})
}

func deleteChallenge(ctx context.Context, tx *postgres.Tx, challenge Token) (deleted bool, err error) {
	return postgres.Command("accounts.delete_challenge", `delete from login_challenges where token_hash = @hash`).Any(ctx, tx,
		postgres.Args{"hash": challenge.hash()})
}

// deleteChallengesOf voids the logins of a user that wait for the second factor.
var deleteChallengesOf = postgres.Command("accounts.delete_challenges_of", `delete from login_challenges where user_id = @user`)

var deleteExpiredChallenges = postgres.Command("accounts.delete_expired_challenges", `
delete from login_challenges where token_hash in (select token_hash from login_challenges where expires_at <= @now limit @limit)`)

// upsertCeremony stores the ceremony of a session in place of a former one. It does nothing if the
// session has ended meanwhile: the answer then finds no session either.
func upsertCeremony(
	ctx context.Context, q postgres.Querier, sessionID uuid.UUID, p ceremonyPurpose, ceremony []byte, expires time.Time,
) error {
	return postgres.Command("accounts.upsert_ceremony", `
		insert into passkey_ceremonies (session_id, purpose, ceremony, expires_at)
		select id, @purpose::text, @ceremony::jsonb, @expires::timestamptz from sessions where id = @session
		on conflict (session_id) do update set purpose = @purpose, ceremony = @ceremony::jsonb, expires_at = @expires`).Run(ctx, q,
		postgres.Args{"session": sessionID, "purpose": string(p), "ceremony": ceremony, "expires": expires})
}

// deleteCeremony deletes the ceremony of a session and returns it.
func deleteCeremony(
	ctx context.Context, q postgres.Querier, sessionID uuid.UUID, p ceremonyPurpose, now time.Time,
) (ceremony []byte, found bool, err error) {
	return postgres.Query[[]byte]("accounts.delete_ceremony", `
		delete from passkey_ceremonies where session_id = @session and purpose = @purpose and expires_at > @now returning ceremony`).Find(ctx, q,
		postgres.Args{"session": sessionID, "purpose": string(p), "now": now})
}

// The condition is repeated outside the subquery because a session may start another ceremony.
var deleteExpiredCeremonies = postgres.Command("accounts.delete_expired_ceremonies", `
delete from passkey_ceremonies
 where session_id in (select session_id from passkey_ceremonies where expires_at <= @now limit @limit) and expires_at <= @now`)

var setFactorConfirmed = postgres.Command("accounts.set_factor_confirmed",
	`update sessions set factor_confirmed_at = @now where id = @id`)
