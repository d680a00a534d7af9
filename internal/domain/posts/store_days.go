package posts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// firstAndLast returns the ids of the oldest and the newest post, whose order is that of time.
func firstAndLast(ctx context.Context, q postgres.Querier) (first, last uuid.UUID, found bool, err error) {
	type ends struct{ First, Last *uuid.UUID }
	row, err := postgres.One[ends](ctx, q, "posts.first_and_last",
		`select (select id from posts order by id limit 1) as first, (select id from posts order by id desc limit 1) as last`, nil)
	if err != nil || row.First == nil || row.Last == nil {
		return uuid.UUID{}, uuid.UUID{}, false, err
	}
	return *row.First, *row.Last, true, nil
}

type dated struct {
	ID        uuid.UUID
	UpdatedAt time.Time
}

const sqlListBetween = `select p.id, p.updated_at` + sqlFrom + ` and p.hidden_by is null and p.id >= @from and p.id < @to
 order by p.id limit @limit`

// listBetween returns the public posts with ids from one up to but excluding another.
func listBetween(ctx context.Context, q postgres.Querier, from, to uuid.UUID, limit int) ([]dated, error) {
	return postgres.Many[dated](ctx, q, "posts.list_between", sqlListBetween, pgx.NamedArgs{"from": from, "to": to, "limit": limit})
}
