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

// Names of the logins that Migrate creates. Their privileges are in migrations/grants.sql.
const (
	APIRole    = "amanat_api"
	WorkerRole = "amanat_worker"
)

// Roles holds the passwords of the two logins, in printable ASCII.
type Roles struct {
	APIPassword    string
	WorkerPassword string
}

// ensureRoles creates the logins or sets their passwords. Roles belong to the whole cluster, so
// migrations of several databases may change them concurrently. An advisory lock belongs to one
// database and would not prevent that, so a failed attempt is retried.
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

// ensureRole runs outside a transaction, so that a failed attempt leaves none aborted. name and
// verifier contain no characters that need quoting.
func ensureRole(ctx context.Context, db Querier, name, verifier string) error {
	var err error
	for range roleAttempts {
		_, err = db.Exec(ctx, fmt.Sprintf("create role %s login password '%s'", name, verifier))
		if hasCode(err, codeDuplicateObject) {
			_, err = db.Exec(ctx, fmt.Sprintf("alter role %s login password '%s'", name, verifier))
		}
		if !isConcurrentUpdate(err) {
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

// isConcurrentUpdate reports whether another session changed the same row of a shared catalog.
// PostgreSQL has no error code of its own for that.
func isConcurrentUpdate(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == codeUniqueViolation ||
		pgErr.Code == codeInternalError && strings.Contains(pgErr.Message, "concurrently"))
}

const (
	scramIterations = 4096
	scramSaltBytes  = 16
)

// scramVerifier returns the SCRAM verifier that PostgreSQL would store for the password (RFC 5803).
// Sending it instead of the password keeps the password out of the server's log.
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
