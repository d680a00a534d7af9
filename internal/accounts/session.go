package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
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

// Client says where a session was opened, for the people who look after the site.
type Client struct {
	UserAgent string
	Address   string
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

// LoginInput is what a person enters to sign in. Previous is the session the browser still holds, "" when none: it ends.
type LoginInput struct {
	Username string
	Password string
	Previous Token
}

// Login opens a session. Anybody may call it. Codes: Invalid when a field is empty, InvalidCredentials, Forbidden when the account is
// disabled. An unknown username costs as much time as a wrong password.
func (s *Service) Login(ctx context.Context, in LoginInput, client Client) (User, Token, error) {
	username := normalUsername(in.Username)
	switch {
	case username == "":
		return User{}, "", fault.Field("username", "Username is required.")
	case in.Password == "":
		return User{}, "", fault.Field("password", "Password is required.")
	}
	found, err := findCredentials(ctx, s.db, username)
	known := !errors.Is(err, errNoUser)
	if err != nil && known {
		return User{}, "", err
	}
	if !known {
		found.PasswordHash = s.hasher.dummy
	}
	matches, err := s.hasher.matches(ctx, in.Password, found.PasswordHash)
	if err != nil {
		return User{}, "", err
	}
	if !known || !matches {
		return User{}, "", fault.New(fault.InvalidCredentials, "Invalid credentials")
	}
	if found.DisabledAt != nil {
		return User{}, "", fault.New(fault.Forbidden, "This account has been disabled. Please contact support.")
	}
	var token Token
	err = postgres.WithTx(ctx, s.db, func(tx *postgres.Tx) error {
		if in.Previous != "" {
			if err := deleteSession(ctx, tx, in.Previous.hash()); err != nil {
				return err
			}
		}
		token, err = s.openSession(ctx, tx, found.ID, client)
		return err
	})
	return found.user(), token, err
}

// Logout ends the session of the token, if there is one.
func (s *Service) Logout(ctx context.Context, token Token) error {
	return deleteSession(ctx, s.db, token.hash())
}

// Authenticate returns the user and session of a token. Code Unauthenticated: there is none, it has run out, or the user is disabled.
func (s *Service) Authenticate(ctx context.Context, token Token) (User, Session, error) {
	now := s.sessionClock.Now()
	found, err := findSession(ctx, s.db, token.hash(), now)
	if errors.Is(err, errNoSession) {
		return User{}, Session{}, fault.New(fault.Unauthenticated, "Please log in to continue.")
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

// ConfirmPassword notes on the session that its user has just entered the password. Code Invalid: it is empty or wrong.
func (s *Service) ConfirmPassword(ctx context.Context, user User, session Session, password string) error {
	if password == "" {
		return fault.Field("password", "Password is required.")
	}
	found, err := findCredentials(ctx, s.db, user.Username)
	if err != nil {
		return err
	}
	matches, err := s.hasher.matches(ctx, password, found.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		return fault.Field("password", "Incorrect password.")
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
