package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/netip"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

// Lifetimes of a session, and bounds.
const (
	SessionLife     = 14 * 24 * time.Hour // from login, regardless of use
	sessionIdle     = 24 * time.Hour      // without a request
	sessionTouch    = time.Minute         // resolution of last_seen_at
	tokenBytes      = 32
	maxClientLength = 255
)

// Token is the secret that a signed-in browser holds. Only its SHA-256 hash is stored.
type Token string

func newToken() Token {
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // never fails
	return Token(base64.RawURLEncoding.EncodeToString(secret))
}

func (t Token) hash() []byte {
	sum := sha256.Sum256([]byte(t))
	return sum[:]
}

// Client describes where a session was opened, for its owner and for support.
type Client struct {
	UserAgent string
	Address   string
}

// networkBits is the IPv6 prefix length that limits count by: a subscriber is given at least a /64
// and can change the remaining bits at will.
const networkBits = 64

// Network returns the key for limits: the IPv4 address, or the network of an IPv6 address.
func (c Client) Network() string {
	address, err := netip.ParseAddr(c.Address)
	if err != nil || !address.Is6() || address.Is4In6() {
		return c.Address
	}
	prefix, err := address.WithZone("").Prefix(networkBits)
	if err != nil {
		return c.Address
	}
	return prefix.String()
}

// Session is one signed-in browser.
type Session struct {
	ID                  uuid.UUID
	PasswordConfirmedAt time.Time
	FactorConfirmedAt   *time.Time // nil: never
	MailConfirmedAt     *time.Time // a mailed code was entered; nil: never
	token               Token      // the token it was found by
}

// openSession creates a session for the user, who has proved the second factor or not, and deletes
// the user's expired ones.
func (s *Service) openSession(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, client Client, factor bool) (Token, error) {
	now := s.sessionClock.Now()
	if err := deleteEndedSessionsOf(ctx, tx, userID, now); err != nil {
		return "", err
	}
	token := newToken()
	row := sessionRow{
		ID:        uuid.Must(uuid.NewV7()),
		UserID:    userID,
		TokenHash: token.hash(),
		Client:    Client{UserAgent: clip(client.UserAgent), Address: clip(client.Address)},
		Factor:    factor,
		Now:       now,
	}
	return token, insertSession(ctx, tx, row)
}

// clip truncates a header value to the column length and drops invalid and control characters.
func clip(s string) string {
	if len(s) > maxClientLength {
		s = s[:maxClientLength]
	}
	valid := make([]rune, 0, len(s))
	for _, r := range s {
		if r != utf8.RuneError && r >= ' ' {
			valid = append(valid, r)
		}
	}
	return string(valid)
}

// Logout ends the session of the token and returns the ID of its user for the log, nil if there was
// no session.
func (s *Service) Logout(ctx context.Context, token Token) (userID *uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		userID, err = s.endByToken(ctx, tx, token)
		return err
	})
	return userID, err
}

// endByToken ends the session of the token and returns the ID of its user, nil if there was no
// session.
func (s *Service) endByToken(ctx context.Context, tx *postgres.Tx, token Token) (*uuid.UUID, error) {
	ended, found, err := deleteSession(ctx, tx, token.hash())
	if err != nil || !found {
		return nil, err
	}
	tx.AfterCommit(func() { s.sessions.SessionEnded(ended.ID) })
	return &ended.UserID, nil
}

// endAll ends all sessions of the user except one; nil excepts none.
func (s *Service) endAll(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, except *uuid.UUID) error {
	tx.AfterCommit(func() { s.sessions.SessionsEnded(userID, except) })
	return deleteSessions(ctx, tx, userID, except)
}

// OpenSession is one of the browsers in which a user is signed in.
type OpenSession struct {
	ID         uuid.UUID
	UserAgent  string
	Address    string
	CreatedAt  time.Time
	LastSeenAt time.Time
}

// Sessions returns the user's open sessions, most recently used first.
func (s *Service) Sessions(ctx context.Context, userID uuid.UUID) ([]OpenSession, error) {
	return listSessions(ctx, s.db, userID, s.sessionClock.Now())
}

// EndSession ends one of the user's sessions. Code NotFound if the user has no such session.
func (s *Service) EndSession(ctx context.Context, userID, id uuid.UUID) error {
	err := postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error { return endSession(ctx, tx, userID, id) })
	if errors.Is(err, errNoSession) {
		return errSessionNotFound()
	}
	if err == nil {
		s.sessions.SessionEnded(id)
	}
	return err
}

func errSessionNotFound() error {
	return fault.New(fault.NotFound, "session_not_found", "Session not found.")
}

// EndOtherSessions ends all of the user's sessions except keep.
func (s *Service) EndOtherSessions(ctx context.Context, userID, keep uuid.UUID) error {
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error { return s.endAll(ctx, tx, userID, &keep) })
}

// Authenticate returns the user and session of a token. Code Unauthenticated if there is no
// session, it has expired, or the user is disabled.
func (s *Service) Authenticate(ctx context.Context, token Token) (User, Session, error) {
	now := s.sessionClock.Now()
	found, err := findSession(ctx, s.db, token.hash(), now)
	if errors.Is(err, errNoSession) {
		return User{}, Session{}, errUnauthenticated()
	}
	if err != nil {
		return User{}, Session{}, err
	}
	if now.Sub(found.LastSeenAt) >= sessionTouch {
		if err := touchSession(ctx, s.db, found.SessionID, now); err != nil {
			return User{}, Session{}, err
		}
	}
	return found.user(), Session{
		ID: found.SessionID, PasswordConfirmedAt: found.PasswordConfirmedAt, FactorConfirmedAt: found.FactorConfirmedAt,
		MailConfirmedAt: found.MailConfirmedAt, token: token,
	}, nil
}

// LivingSessions returns those of the given sessions that have not ended, each with whether its
// user acts as an admin. It is for callers that keep a connection open for a session.
func (s *Service) LivingSessions(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	found, err := listLivingSessions(ctx, s.db, ids, s.sessionClock.Now())
	living := make(map[uuid.UUID]bool, len(found))
	for _, session := range found {
		living[session.ID] = s.ActsAsAdmin(User{IsAdmin: session.IsAdmin, SecondFactor: session.SecondFactor})
	}
	return living, err
}

func errUnauthenticated() error {
	return fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue.")
}

// ConfirmPassword records on the session that its user has just entered the password and, where it
// is on, proved the second factor, and returns the new token of the session: see confirm. Codes:
// Invalid if the password or the proof is wrong, SecondFactorRequired if the proof is missing,
// RateLimited after too many failures, Forbidden for a copied passkey, Unauthenticated if the
// session has ended meanwhile.
func (s *Service) ConfirmPassword(ctx context.Context, user User, session Session, password string, proof Proof) (Token, error) {
	if password == "" {
		return "", fault.Field("password", "password_missing", "Password is required.")
	}
	if _, err := s.checkPassword(ctx, user, "password", password); err != nil {
		return "", err
	}
	if !user.SecondFactor {
		return s.confirm(ctx, s.db, session, proved{password: true})
	}
	var fresh Token
	err := s.WithFactor(ctx, user, session, proof, func(ctx context.Context, tx *postgres.Tx) (err error) {
		fresh, err = s.confirm(ctx, tx, session, proved{password: true, factor: true})
		return err
	})
	return fresh, err
}

// proved is what the user of a session has just proved it with.
type proved struct{ password, factor, mail bool }

// confirm records what the session's user has just proved, and rotates the session's token, so that
// a stolen token becomes worthless. It returns "" if a concurrent call has already rotated the
// token: the browser receives the token of that call. Code Unauthenticated if the session has ended
// meanwhile.
func (s *Service) confirm(ctx context.Context, q postgres.Querier, session Session, by proved) (Token, error) {
	fresh := newToken()
	rotated, err := confirmSession(ctx, q, session, fresh, by, s.sessionClock.Now())
	if err != nil || !rotated {
		return "", err
	}
	return fresh, nil
}

// RemoveEndedSessions deletes the expired sessions of all users and returns how many.
func (c *Cleaner) RemoveEndedSessions(ctx context.Context) (int64, error) {
	return deleteEndedSessions(ctx, c.DB, c.SessionClock.Now())
}

// BrowserLife is how long a browser stays known after the last login in it.
const BrowserLife = 365 * 24 * time.Hour

// maxBrowsers is how many known browsers a user may have; beyond that, the least recently used are
// forgotten.
const maxBrowsers = 20

// rememberBrowser records the browser as known to the user and returns the token it keeps: the same
// token if it is known already, otherwise a fresh one, so that a token planted by an attacker is
// worthless. atSignup says that the account is being opened in it. The fresh token replaces the old
// one for all other users who sign in there.
func (s *Service) rememberBrowser(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, browser Token, atSignup bool,
) (Token, error) {
	now := s.sessionClock.Now()
	known, err := touchBrowser(ctx, tx, userID, browser, now)
	if err != nil || known {
		return browser, err
	}
	fresh := newToken()
	if err := replaceBrowser(ctx, tx, browser, fresh); err != nil {
		return "", err
	}
	if err := insertBrowser(ctx, tx, userID, fresh, atSignup, now); err != nil {
		return "", err
	}
	return fresh, trimBrowsers.Run(ctx, tx, postgres.Args{"user": userID, "most": maxBrowsers})
}

// RemoveForgottenBrowsers deletes browsers without a login for BrowserLife and returns how many.
func (c *Cleaner) RemoveForgottenBrowsers(ctx context.Context) (int64, error) {
	return deleteBrowsersBefore.InBatches(ctx, c.DB, postgres.Args{"before": c.SessionClock.Now().Add(-BrowserLife)}, deleteBatch)
}

// EventKind is a kind of event that the owner of an account is shown.
type EventKind string

// Kinds of events. Failed logins are those with the wrong password: attempts that the limits refuse
// are not recorded, or strangers could fill the list.
const (
	EventOpened           EventKind = "account_opened"
	EventLogin            EventKind = "login"
	EventLoginFailed      EventKind = "login_failed"
	EventFactorFailed     EventKind = "factor_failed"
	EventPasskeyCopied    EventKind = "passkey_copied"
	EventPasswordChanged  EventKind = "password_changed"
	EventResetAsked       EventKind = "reset_asked"
	EventPasswordReset    EventKind = "password_reset"
	EventEmailVerified    EventKind = "email_verified"
	EventEmailAsked       EventKind = "email_asked"
	EventEmailChanged     EventKind = "email_changed"
	EventEmailUndone      EventKind = "email_undone"
	EventAppAdded         EventKind = "app_added"
	EventAppRemoved       EventKind = "app_removed"
	EventPasskeyAdded     EventKind = "passkey_added"
	EventPasskeyRemoved   EventKind = "passkey_removed"
	EventCodesMade        EventKind = "codes_made"
	EventOthersEnded      EventKind = "others_ended"
	EventWithdrawalsStop  EventKind = "withdrawals_stopped"
	EventWithdrawalAgreed EventKind = "withdrawal_confirmed"
)

const (
	maxEvents  = 50                  // of one account that are shown
	eventsKept = 90 * 24 * time.Hour // docs/rules.md#activity
)

// Event is something that happened to the security of an account.
type Event struct {
	ID        uuid.UUID
	Kind      EventKind
	At        time.Time
	Address   string // of the request
	UserAgent string
}

// RecordEvent records an event for the owner of the account. The api calls it after the event, so
// that a failure to record it does not undo it.
func (s *Service) RecordEvent(ctx context.Context, userID uuid.UUID, kind EventKind, client Client) error {
	e := Event{ID: uuid.Must(uuid.NewV7()), Kind: kind, At: s.clock.Now(), Address: clip(client.Address), UserAgent: clip(client.UserAgent)}
	return insertEvent(ctx, s.db, userID, e)
}

// Activity returns the latest events of the user's account, newest first, at most 50.
func (s *Service) Activity(ctx context.Context, userID uuid.UUID) ([]Event, error) {
	return listEvents.Many(ctx, s.db, postgres.Args{"user": userID, "limit": maxEvents})
}

// RemoveOldEvents deletes the events of accounts that are no longer kept and returns how many.
func (c *Cleaner) RemoveOldEvents(ctx context.Context) (int64, error) {
	return deleteEvents.InBatches(ctx, c.DB, postgres.Args{"before": c.Clock.Now().Add(-eventsKept)}, deleteBatch)
}
