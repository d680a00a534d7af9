package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Names of the logins that Migrate creates. What each may do stands in migrations/grants.sql.
const (
	APIRole    = "amanat_api"
	WorkerRole = "amanat_worker"
)

// Roles are the passwords of the two logins, in printable ASCII.
type Roles struct {
	APIPassword    string
	WorkerPassword string
}

// ensureRoles creates the logins or gives them the passwords. Roles belong to the whole cluster, so migrations of several databases may
// meet here, and an advisory lock, which belongs to one database, would not part them: who loses the race tries again.
func ensureRoles(ctx context.Context, db Querier, roles Roles) error {
	for _, role := range []struct{ name, password string }{
		{APIRole, roles.APIPassword},
		{WorkerRole, roles.WorkerPassword},
	} {
		verifier, err := scramVerifier(role.password)
		if err != nil {
			return fmt.Errorf("password of role %s: %w", role.name, err)
		}
		if err := ensureRole(ctx, db, role.name, verifier); err != nil {
			return fmt.Errorf("role %s: %w", role.name, err)
		}
	}
	return nil
}

const (
	roleAttempts = 20
	rolePause    = 25 * time.Millisecond
)

// ensureRole runs outside a transaction, so that a lost race spoils nothing. name and verifier hold no character that needs quoting.
func ensureRole(ctx context.Context, db Querier, name, verifier string) error {
	var err error
	for range roleAttempts {
		_, err = db.Exec(ctx, fmt.Sprintf("create role %s login password '%s'", name, verifier))
		if hasCode(err, codeDuplicateObject) {
			_, err = db.Exec(ctx, fmt.Sprintf("alter role %s login password '%s'", name, verifier))
		}
		if !lostRace(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rolePause):
		}
	}
	return err
}

const (
	codeDuplicateObject = "42710"
	codeInternalError   = "XX000"
)

func hasCode(err error, code string) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == code
}

// lostRace knows what PostgreSQL says when two sessions change one row of a shared catalog, which has no code of its own.
func lostRace(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == codeUniqueViolation ||
		pgErr.Code == codeInternalError && strings.Contains(pgErr.Message, "concurrently"))
}

const (
	scramIterations = 4096
	scramSaltBytes  = 16
)

// scramVerifier returns what PostgreSQL itself would store for the password (RFC 5803). Sent in its place, it keeps the password out of
// the server's log.
func scramVerifier(password string) (string, error) {
	if password == "" {
		return "", errors.New("is empty")
	}
	for _, c := range []byte(password) {
		if c < ' ' || c > '~' {
			return "", errors.New("must be printable ASCII")
		}
	}
	salt := make([]byte, scramSaltBytes)
	_, _ = rand.Read(salt) // never fails
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramIterations, sha256.Size)
	if err != nil {
		return "", err
	}
	storedKey := sha256.Sum256(hmacSHA256(salted, "Client Key"))
	encode := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s",
		scramIterations, encode(salt), encode(storedKey[:]), encode(hmacSHA256(salted, "Server Key"))), nil
}

func hmacSHA256(key []byte, message string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(message))
	return mac.Sum(nil)
}
