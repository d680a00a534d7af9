package chat

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/postgres"
)

// person is somebody to write to, or who writes.
type person struct {
	ID       uuid.UUID
	Username string
	Language string
}

func getPerson(ctx context.Context, q postgres.Querier, id uuid.UUID) (person, error) {
	rows, err := q.Query(ctx, `select id, username, language from users where id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return person{}, err
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[person])
	if errors.Is(err, pgx.ErrNoRows) {
		return person{}, errNobody()
	}
	return found, err
}

const sqlDealPrice = `
select price from deals
 where id = @deal and removed_at is null and least(buyer_id, seller_id) = least(@one::uuid, @other::uuid)
   and greatest(buyer_id, seller_id) = greatest(@one::uuid, @other::uuid)`

// dealPrice reads the price of a deal of two people with each other.
func dealPrice(ctx context.Context, q postgres.Querier, deal, one, other uuid.UUID) (price money.Cents, found bool, err error) {
	var cents int64
	err = q.QueryRow(ctx, sqlDealPrice, pgx.NamedArgs{"deal": deal, "one": one, "other": other}).Scan(&cents)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	return money.Cents(cents), err == nil, err
}

const sqlPostTitle = `select title from posts where id = @post and created_by = @author`

// postTitle reads the title of a post of an author.
func postTitle(ctx context.Context, q postgres.Querier, post, author uuid.UUID) (title string, found bool, err error) {
	err = q.QueryRow(ctx, sqlPostTitle, pgx.NamedArgs{"post": post, "author": author}).Scan(&title)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	return title, err == nil, err
}
