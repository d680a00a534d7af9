package accounts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

func insertEvent(ctx context.Context, q postgres.Querier, userID uuid.UUID, e Event) error {
	return postgres.Exec(ctx, q, "accounts.insert_event", `
		insert into account_events (id, user_id, kind, at, address, user_agent) values (@id, @user, @kind, @at, @address, @agent)`,
		pgx.NamedArgs{
			"id": e.ID, "user": userID, "kind": string(e.Kind), "at": e.At, "address": e.Address, "agent": e.UserAgent,
		})
}

func listEvents(ctx context.Context, q postgres.Querier, userID uuid.UUID) ([]Event, error) {
	return postgres.Many[Event](ctx, q, "accounts.list_events", `
		select id, kind, at, address, user_agent from account_events where user_id = @user order by at desc, id desc limit @limit`,
		pgx.NamedArgs{"user": userID, "limit": maxEvents})
}

const sqlDeleteEvents = `
delete from account_events e
 using (select id from account_events where at < @before order by at limit @limit) old
 where e.id = old.id`

func deleteEvents(ctx context.Context, q postgres.Querier, before time.Time) (int64, error) {
	return postgres.InBatches(ctx, q, "accounts.delete_events", sqlDeleteEvents, pgx.NamedArgs{"before": before}, deleteBatch)
}
