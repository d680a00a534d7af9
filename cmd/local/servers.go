package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/app/config"
	"amanat/internal/devtools/localstack"
)

const database = "amanat"

// servers are the servers that api and worker use: embedded ones, or those named by the
// environment.
type servers struct {
	ownerURL string // URL of the database for its owner
	redisURL string
	smtpURL  string

	postgres *localstack.Postgres    // nil: not ours
	redis    *localstack.Redis       // nil: not ours
	mail     *localstack.MailCatcher // nil: not ours
}

// startDatabase starts the database. The caller must call stop, even after an error.
func (s *servers) startDatabase(ctx context.Context, env config.Local) (err error) {
	if s.ownerURL = env.DatabaseURL; s.ownerURL != "" {
		return nil
	}
	s.postgres, err = localstack.StartPostgres(ctx, localstack.PostgresOptions{Dir: filepath.Join(env.DataDir, "postgres")})
	if err != nil {
		return err
	}
	s.ownerURL, err = s.postgres.EnsureDatabase(ctx, database)
	return err
}

// startOthers starts Redis and the mail catcher; now returns the business time. The caller must
// call stop, even after an error.
func (s *servers) startOthers(ctx context.Context, env config.Local, now func() time.Time) (err error) {
	if s.redisURL = env.RedisURL; s.redisURL == "" {
		if s.redis, err = localstack.StartRedis(); err != nil {
			return fmt.Errorf("start Redis: %w", err)
		}
		s.redisURL = s.redis.URL()
	}
	if s.smtpURL = env.SMTPURL; s.smtpURL == "" {
		if s.mail, err = localstack.StartMail(ctx, now); err != nil {
			return fmt.Errorf("start mail: %w", err)
		}
		s.smtpURL = s.mail.URL()
	}
	return nil
}

// recreateDatabase deletes all data of the embedded server.
func (s *servers) recreateDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.postgres.URL("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := dropDatabase(ctx, conn); err != nil {
		return err
	}
	_, err = s.postgres.EnsureDatabase(ctx, database)
	return err
}

// databaseEnded returns a channel that is closed when the embedded server ends. It is nil, and so
// never ready, for an external server.
func (s *servers) databaseEnded() <-chan struct{} {
	if s.postgres == nil {
		return nil
	}
	return s.postgres.Done()
}

func (s *servers) stop() error {
	var problems error
	if s.mail != nil {
		problems = s.mail.Stop()
	}
	if s.redis != nil {
		s.redis.Stop()
	}
	if s.postgres != nil {
		problems = errors.Join(problems, s.postgres.Stop())
	}
	return problems
}
