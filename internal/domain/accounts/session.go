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

	"amanat/internal/platform/fault"
	"amanat/internal/platform/postgres"
)

// Life of a session.
const (
	SessionLife     = 14 * 24 * time.Hour // from login, however busy it is
	sessionIdle     = 24 * time.Hour      // without a request
	sessionTouch    = time.Minute         // how exactly last_seen_at is kept
	tokenBytes      = 32
	maxClientLength = 255
)

// Token is the secret a signed-in browser holds. Only its SHA-256 is stored.
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

// Client says where a session was opened, for its owner and for the people who look after the site.
type Client struct {
	UserAgent string
	Address   string
}

// networkBits is how much of an IPv6 address a subscriber is given at least: subscribers change the rest at will.
const networkBits = 64

// Network returns what limits count by: the address, or the network of an IPv6 one.
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
	token               Token // that it was found by
}

// openSession starts a session of the user and deletes the user's expired ones.
func (s *Service) openSession(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, client Client) (Token, error) {
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
		Now:       now,
	}
	return token, insertSession(ctx, tx, row)
}

// clip makes a header's value fit for the table.
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

// Logout ends the session of the token and returns whose it was, for the log; nil if there was none.
func (s *Service) Logout(ctx context.Context, token Token) (userID *uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		userID, err = s.endByToken(ctx, tx, token)
		return err
	})
	return userID, err
}

// endByToken ends the session of the token and returns whose it was; nil if there was none.
func (s *Service) endByToken(ctx context.Context, tx *postgres.Tx, token Token) (*uuid.UUID, error) {
	ended, found, err := deleteSession(ctx, tx, token.hash())
	if err != nil || !found {
		return nil, err
	}
	tx.AfterCommit(func() { s.sessions.SessionEnded(ended.ID) })
	return &ended.UserID, nil
}

// endAll ends all sessions of the user but one; nil spares none.
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

// Sessions returns where the user is signed in, the session used last first.
func (s *Service) Sessions(ctx context.Context, userID uuid.UUID) ([]OpenSession, error) {
	return listSessions(ctx, s.db, userID, s.sessionClock.Now())
}

// EndSession signs the user out of one of their browsers. Code NotFound: the user has no such session.
func (s *Service) EndSession(ctx context.Context, userID, id uuid.UUID) error {
	err := endSession(ctx, s.db, userID, id)
	if errors.Is(err, errNoSession) {
		return fault.New(fault.NotFound, "Session not found.")
	}
	if err == nil {
		s.sessions.SessionEnded(id)
	}
	return err
}

// EndOtherSessions signs the user out of all browsers but the one of the session that is kept.
func (s *Service) EndOtherSessions(ctx context.Context, userID, keep uuid.UUID) error {
	return postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error { return s.endAll(ctx, tx, userID, &keep) })
}

// Authenticate returns the user and session of a token. Code Unauthenticated: there is none, it has run out, or the user is disabled.
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
	return found.user(), Session{ID: found.SessionID, PasswordConfirmedAt: found.PasswordConfirmedAt, token: token}, nil
}

// LivingSessions returns those of the given sessions that have not ended, each with whether its user is an admin. It is for whoever keeps
// something open on behalf of a session.
func (s *Service) LivingSessions(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	found, err := listLivingSessions(ctx, s.db, ids, s.sessionClock.Now())
	living := make(map[uuid.UUID]bool, len(found))
	for _, session := range found {
		living[session.ID] = session.IsAdmin
	}
	return living, err
}

func errUnauthenticated() error {
	return fault.New(fault.Unauthenticated, "Please log in to continue.")
}

// ConfirmPassword notes on the session that its user has just entered the password, and returns its new token: see confirm. Codes: Invalid
// when it is empty or wrong, RateLimited after too many failures, Unauthenticated when the session has ended meanwhile.
func (s *Service) ConfirmPassword(ctx context.Context, user User, session Session, password string) (Token, error) {
	if password == "" {
		return "", fault.Field("password", "Password is required.")
	}
	if _, err := s.checkPassword(ctx, user, "password", password); err != nil {
		return "", err
	}
	return s.confirm(ctx, s.db, session)
}

// confirm notes that the session's user has just entered the password and gives the session a new token: whoever has got hold of the old
// one gains nothing from it. It returns "" when another call has changed the token meanwhile: the browser gets that call's. Code
// Unauthenticated when the session has ended meanwhile.
func (s *Service) confirm(ctx context.Context, q postgres.Querier, session Session) (Token, error) {
	fresh := newToken()
	rotated, err := confirmSession(ctx, q, session, fresh, s.sessionClock.Now())
	if err != nil || !rotated {
		return "", err
	}
	return fresh, nil
}

// Confirmed tells whether the session's user entered the password within the given time; 0 means it is never asked for again.
func (s *Service) Confirmed(session Session, within time.Duration) bool {
	return within == 0 || s.sessionClock.Now().Sub(session.PasswordConfirmedAt) < within
}

// RemoveEndedSessions deletes the sessions of everybody that have run out and returns how many.
func (c *Cleaner) RemoveEndedSessions(ctx context.Context) (int64, error) {
	return deleteEndedSessions(ctx, c.DB, c.SessionClock.Now())
}
