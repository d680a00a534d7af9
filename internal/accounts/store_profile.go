package accounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

const sqlFindUser = `select ` + userColumns + ` from users u where lower(u.username) = lower(@username) and u.disabled_at is null`

func findUser(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, sqlFindUser, pgx.NamedArgs{"username": username})
}

// pictureChange is a user after his picture was changed, and the picture before.
type pictureChange struct {
	User
	Previous string
}

const sqlSetPicture = `
update users u set profile_pic = @url
  from (select id, profile_pic from users where id = @id for update) before
 where u.id = before.id
returning ` + userColumns + `, before.profile_pic as previous`

func setPicture(ctx context.Context, tx *postgres.Tx, id uuid.UUID, url string) (pictureChange, error) {
	return oneUser[pictureChange](ctx, tx, sqlSetPicture, pgx.NamedArgs{"id": id, "url": url})
}

// oneUser reads the one user that a statement is about, with what else it returns.
func oneUser[T any](ctx context.Context, q postgres.Querier, sql string, args pgx.NamedArgs) (T, error) {
	var none T
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return none, fmt.Errorf("one user: %w", err)
	}
	user, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[T])
	if errors.Is(err, pgx.ErrNoRows) {
		return none, errNoUser
	}
	if err != nil {
		return none, fmt.Errorf("one user: %w", err)
	}
	return user, nil
}
