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

	"amanat/internal/fault"
	"amanat/internal/postgres"
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

// networkBits is how much of an IPv6 address a subscriber is given at least: the rest is his to change at will.
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
}

// openSession starts a session of the user and drops those of his that have run out.
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

// Logout ends the session of the token, if there is one, and returns whose it was, for the log.
func (s *Service) Logout(ctx context.Context, token Token) (userID uuid.UUID, err error) {
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		userID, err = s.endByToken(ctx, tx, token)
		return err
	})
	return userID, err
}

// endByToken ends the session of the token, if there is one, and returns whose it was.
func (s *Service) endByToken(ctx context.Context, tx *postgres.Tx, token Token) (uuid.UUID, error) {
	ended, err := deleteSession(ctx, tx, token.hash())
	if err == nil && ended.ID != uuid.Nil {
		tx.AfterCommit(func() { s.sessions.SessionEnded(ended.ID) })
	}
	return ended.UserID, err
}

// endAll ends all sessions of the user but one; uuid.Nil spares none.
func (s *Service) endAll(ctx context.Context, tx *postgres.Tx, userID, except uuid.UUID) error {
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

// EndSession signs the user out of one of his browsers. Code NotFound: he has no such session.
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
	return found.user(), Session{ID: found.SessionID, PasswordConfirmedAt: found.PasswordConfirmedAt}, nil
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

// ConfirmPassword notes on the session that its user has just entered the password. Codes: Invalid when it is empty or wrong,
// RateLimited after too many failures, Unauthenticated when the session has ended meanwhile.
func (s *Service) ConfirmPassword(ctx context.Context, user User, session Session, password string) error {
	if password == "" {
		return fault.Field("password", "Password is required.")
	}
	if _, err := s.checkPassword(ctx, user, "password", password); err != nil {
		return err
	}
	return confirmSession(ctx, s.db, session.ID, s.sessionClock.Now())
}

// Confirmed tells whether the session's user entered the password within the given time; 0 means it is never asked for again.
func (s *Service) Confirmed(session Session, within time.Duration) bool {
	return within == 0 || s.sessionClock.Now().Sub(session.PasswordConfirmedAt) < within
}

// RemoveEndedSessions deletes the sessions of everybody that have run out and returns how many. It is for workers.
func (s *Service) RemoveEndedSessions(ctx context.Context) (int64, error) {
	return deleteEndedSessions(ctx, s.db, s.sessionClock.Now())
}
