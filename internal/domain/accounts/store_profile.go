package accounts

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlFindUser = `select ` + userColumns + ` from users u where lower(u.username) = lower(@username) and u.disabled_at is null`

func findUser(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_user", sqlFindUser, pgx.NamedArgs{"username": username})
}

// findAnyUser is findUser that also finds disabled users.
func findAnyUser(ctx context.Context, q postgres.Querier, username string) (User, error) {
	return oneUser[User](ctx, q, "accounts.find_any_user",
		`select `+userColumns+` from users u where lower(u.username) = lower(@username)`, pgx.NamedArgs{"username": username})
}

// pictureChange is a user after a change of picture, with the previous picture.
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
	return oneUser[pictureChange](ctx, tx, "accounts.set_picture", sqlSetPicture, pgx.NamedArgs{"id": id, "url": url})
}

// oneUser reads one user, with additional columns in T. It returns errNoUser if there is no row.
func oneUser[T any](ctx context.Context, q postgres.Querier, name, sql string, args pgx.NamedArgs) (T, error) {
	user, err := postgres.One[T](ctx, q, name, sql, args)
	return user, postgres.IfNoRows(err, errNoUser)
}
