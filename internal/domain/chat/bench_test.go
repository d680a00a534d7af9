package chat_test

import (
	"context"
	_ "embed"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/domain/chat"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

//go:embed testdata/inbox.sql
var sqlInbox string

//go:embed testdata/messages.sql
var sqlMessages string

// benchScale returns the size of the data set. Targets apply to AMANAT_BENCH=large
// (docs/testing.md#targets): an inbox of 10,000 conversations and 10 million messages.
func benchScale() (conversations, each int) {
	if os.Getenv("AMANAT_BENCH") == "large" {
		return 10_000, 1_000
	}
	return 1_000, 100
}

// fill writes the inbox and its messages, and returns its user.
func fill(b *testing.B, owner *pgxpool.Pool) uuid.UUID {
	b.Helper()
	ctx := b.Context()
	run := func(conn *pgxpool.Conn, sql string, args postgres.Args) {
		if _, err := conn.Exec(ctx, sql, args); err != nil {
			b.Fatal(err)
		}
	}
	conn, err := owner.Acquire(ctx)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Release()
	conversations, each := benchScale()
	// Skips the foreign key check of every row.
	run(conn, "set session_replication_role = replica", postgres.Args{})
	run(conn, sqlInbox, postgres.Args{"conversations": conversations, "each": each})
	const chunk = 50
	for from := 1; from <= each; from += chunk {
		run(conn, sqlMessages, postgres.Args{"from": from, "to": min(from+chunk-1, each)})
	}
	run(conn, "set session_replication_role = origin", postgres.Args{})
	for _, table := range []string{"users", "conversations", "messages"} {
		run(conn, "vacuum (analyze) "+table, postgres.Args{})
	}
	var id uuid.UUID
	if err := conn.QueryRow(ctx, "select id from users where username = 'person1'").Scan(&id); err != nil {
		b.Fatal(err)
	}
	return id
}

// BenchmarkInbox measures the calls of an inbox one at a time and reports p50-ms and p99-ms of
// each.
func BenchmarkInbox(b *testing.B) {
	db := dbtest.New(b)
	reader := fill(b, db.Owner())
	service := &chat.Service{DB: db.API(), Clock: clock.System{}}
	list, total, err := service.List(b.Context(), reader, postgres.Page{Limit: 100, Offset: 500})
	if err != nil || len(list) != 100 {
		b.Fatal(total, err)
	}
	slowest, slowestName := time.Duration(0), ""
	calls := func(service *chat.Service) map[string]func(ctx context.Context, i int) error {
		return map[string]func(ctx context.Context, i int) error{
			"list, first page": func(ctx context.Context, _ int) error {
				_, _, err := service.List(ctx, reader, postgres.Page{Limit: 20})
				return err
			},
			"list, any page": func(ctx context.Context, i int) error {
				_, _, err := service.List(ctx, reader, postgres.Page{Limit: 20, Offset: 20 * (i * 7919 % (total / 20))})
				return err
			},
			"messages, newest page": func(ctx context.Context, i int) error {
				_, err := service.Messages(ctx, reader, list[i%100].ID, chat.Before{Limit: 30})
				return err
			},
			"messages, older page": func(ctx context.Context, i int) error {
				conversation := list[i%100].ID
				newest, err := service.Messages(ctx, reader, conversation, chat.Before{Limit: 30})
				if err != nil {
					return err
				}
				_, err = service.Messages(ctx, reader, conversation, chat.Before{Limit: 30, MessageID: newest.NextBefore})
				return err
			},
			"unread dot": func(ctx context.Context, _ int) error {
				_, err := service.HasUnread(ctx, reader)
				return err
			},
		}
	}
	for name, call := range calls(service) {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				started := time.Now()
				if err := call(b.Context(), i); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(started))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			if p99 := took[len(took)*99/100]; p99 > slowest {
				slowest, slowestName = p99, name
			}
		})
	}
	plans := dbtest.Explain(b, db, func(pool *pgxpool.Pool) {
		if err := calls(&chat.Service{DB: pool, Clock: clock.System{}})[slowestName](b.Context(), 1); err != nil {
			b.Fatal(err)
		}
	})
	if err := os.WriteFile("../../../bench/slowest-inbox.txt", []byte(slowestName+"\n\n"+plans), 0o600); err != nil {
		b.Fatal(err)
	}
}
