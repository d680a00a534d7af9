package chat

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// person is a sender or receiver of messages.
type person struct {
	ID       uuid.UUID
	Username string
	Language string
	IsStaff  bool
	Closed   bool
}

func getPerson(ctx context.Context, q postgres.Querier, id uuid.UUID) (person, error) {
	found, err := postgres.One[person](ctx, q, "chat.get_person",
		`select id, username, language, is_admin as is_staff, closed_at is not null as closed from users where id = @id`,
		pgx.NamedArgs{"id": id})
	return found, postgres.IfNoRows(err, errUserNotFound())
}

const sqlDealPrice = `
select price from deals
 where id = @deal and removed_at is null and least(buyer_id, seller_id) = least(@one::uuid, @other::uuid)
   and greatest(buyer_id, seller_id) = greatest(@one::uuid, @other::uuid)`

// dealPrice reads the price of a deal between two users.
func dealPrice(ctx context.Context, q postgres.Querier, deal, one, other uuid.UUID) (price money.Cents, found bool, err error) {
	return postgres.Optional(postgres.Value[money.Cents](ctx, q, "chat.deal_price", sqlDealPrice,
		pgx.NamedArgs{"deal": deal, "one": one, "other": other}))
}

const sqlPostTitle = `select title from posts where id = @post and created_by = @author and hidden_by is null`

// postTitle reads the title of a post by the author.
func postTitle(ctx context.Context, q postgres.Querier, post, author uuid.UUID) (title string, found bool, err error) {
	return postgres.Optional(postgres.Value[string](ctx, q, "chat.post_title", sqlPostTitle,
		pgx.NamedArgs{"post": post, "author": author}))
}
