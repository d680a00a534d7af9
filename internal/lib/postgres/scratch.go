package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/migrations"
)

// scratchDrop is how long dropping a scratch database may take, also after the context has ended.
const scratchDrop = time.Minute

// WithScratch creates an empty database beside that of ownerURL, whose login may create databases,
// calls use with its name and URL and drops it, also if use fails or ctx ends. Only the owner may
// connect to it.
func WithScratch(ctx context.Context, ownerURL string, use func(ctx context.Context, name, scratchURL string) error) (err error) {
	pool, err := Connect(ctx, ownerURL, Options{MaxConns: 1, ApplicationName: "amanat"})
	if err != nil {
		return err
	}
	defer pool.Close()
	name := "amanat_scratch_" + strings.ToLower(rand.Text())
	scratchURL, err := inDatabase(ownerURL, name, pool.Config().ConnConfig.Password)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), scratchDrop)
		defer cancel()
		// ctx may have ended while the server was creating it.
		if _, failed := pool.Exec(ctx, "drop database if exists "+name+" with (force)"); failed != nil {
			err = errors.Join(err, fmt.Errorf("drop the scratch database %s: %w", name, failed))
		}
	}()
	for _, sql := range []string{
		"create database " + name + " template template0 encoding 'UTF8' locale_provider builtin locale 'C.UTF-8'",
		"revoke connect, temporary on database " + name + " from public",
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("create a scratch database: %w", err)
		}
	}
	return use(ctx, name, scratchURL)
}

// inDatabase returns the URL with another database, for statements of any length. A PGPASSFILE may
// have the password for the first database alone.
func inDatabase(databaseURL, name, password string) (string, error) {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return "", errors.New("database URL: it is malformed") // the error would repeat the password
	}
	if u.User != nil && password != "" {
		u.User = url.UserPassword(u.User.Username(), password)
	}
	u.Path = "/" + name
	query := u.Query()
	query.Set("statement_timeout", "0")
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// Adapt prepares a database that pg_restore has filled for reading: what Migrate does for a move to
// another server, and the planner's statistics, which a dump does not have.
func Adapt(ctx context.Context, pool *pgxpool.Pool) error {
	moved, err := fs.ReadFile(migrations.FS, movedFile)
	if err != nil {
		return err
	}
	for _, sql := range []string{string(moved), "analyze"} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("adapt: %w", err)
		}
	}
	return nil
}
