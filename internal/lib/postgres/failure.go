package postgres

import (
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// SQLSTATE classes and codes of temporary failures, and codes that callers tell apart.
const (
	classConnection         = "08" // connection exception
	classResources          = "53" // too many connections, disk full, out of memory
	classOperator           = "57" // shutdown, crash recovery, statement timeout
	codeLockNotAvailable    = "55P03"
	codeCharacterNotInSet   = "22021"
	codeUntranslatableInput = "22P05"
	codeForbidden           = "42501" // insufficient privilege
)

// Unavailable reports whether the database could not be reached or could not serve; a retry may
// succeed.
func Unavailable(err error) bool {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		switch pgErr.Code[:min(2, len(pgErr.Code))] {
		case classConnection, classResources, classOperator:
			return true
		}
		return pgErr.Code == codeLockNotAvailable || retryable(err)
	}
	var connectErr *pgconn.ConnectError
	var netErr net.Error
	return errors.As(err, &connectErr) || errors.As(err, &netErr) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, puddle.ErrClosedPool)
}

// Forbidden reports whether the login lacks the required privilege.
func Forbidden(err error) bool { return hasCode(err, codeForbidden) }

// Unstorable reports whether PostgreSQL rejected a text that it cannot store: a zero byte or
// invalid UTF-8.
func Unstorable(err error) bool {
	return hasCode(err, codeCharacterNotInSet) || hasCode(err, codeUntranslatableInput)
}
