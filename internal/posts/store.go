package posts

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/money"
	"amanat/internal/party"
	"amanat/internal/postgres"
)

type row struct {
	ID               uuid.UUID
	SellerID         uuid.UUID
	SellerUsername   string
	SellerProfilePic string
	Title            string
	Description      string
	Price            int64
	Category         Category
	Subcategory      string
	ImageID          *uuid.UUID
	Tags             []string
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

func (r row) post() Post {
	return Post{
		ID:          r.ID,
		CreatedBy:   party.Party{ID: r.SellerID, Username: r.SellerUsername, ProfilePic: r.SellerProfilePic},
		Title:       r.Title,
		Description: r.Description,
		Price:       money.Cents(r.Price),
		Category:    r.Category,
		Subcategory: r.Subcategory,
		ImageID:     r.ImageID,
		Tags:        r.Tags,
		CreatedAt:   r.CreatedAt,
		UpdatedAt:   r.UpdatedAt,
	}
}

const sqlColumns = `
       p.id, u.id as seller_id, u.username as seller_username, u.profile_pic as seller_profile_pic, p.title, p.description, p.price,
       p.category, p.subcategory, p.image_id, p.tags, p.created_at, p.updated_at`

// What a disabled seller offers is nowhere to be seen.
const sqlSelect = `
select ` + sqlColumns + `
  from posts p join users u on u.id = p.created_by
 where u.disabled_at is null`

const sqlGet = sqlSelect + ` and p.id = @id`

func getPost(ctx context.Context, q postgres.Querier, id uuid.UUID) (Post, error) {
	return onePost(ctx, q, sqlGet, id)
}

// lockPost reads a post that nobody else can change before the transaction ends.
func lockPost(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Post, error) {
	return onePost(ctx, tx, sqlGet+` for update of p`, id)
}

func onePost(ctx context.Context, q postgres.Querier, sql string, id uuid.UUID) (Post, error) {
	found, err := collect(ctx, q, sql, pgx.NamedArgs{"id": id})
	if err == nil && len(found) == 0 {
		err = errNotFound()
	}
	if err != nil {
		return Post{}, err
	}
	return found[0], nil
}

func collect(ctx context.Context, q postgres.Querier, sql string, args pgx.NamedArgs) ([]Post, error) {
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return nil, fmt.Errorf("read posts: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	if err != nil {
		return nil, fmt.Errorf("read posts: %w", err)
	}
	list := make([]Post, len(found))
	for i, r := range found {
		list[i] = r.post()
	}
	return list, nil
}

const (
	sqlCountByUser = `select count(*) from posts where created_by = @user`
	sqlListByUser  = sqlSelect + ` and p.created_by = @user order by p.created_at desc, p.id desc limit @limit offset @offset`
)

func listByUser(ctx context.Context, q postgres.Querier, userID uuid.UUID, page Page) ([]Post, int, error) {
	var total int
	if err := q.QueryRow(ctx, sqlCountByUser, pgx.NamedArgs{"user": userID}).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count posts: %w", err)
	}
	list, err := collect(ctx, q, sqlListByUser, pgx.NamedArgs{"user": userID, "limit": page.Limit, "offset": page.Offset})
	return list, total, err
}

// edition is what a seller has just written, ready to store.
type edition struct {
	id      uuid.UUID
	seller  party.Party
	draft   Draft
	imageID *uuid.UUID
	at      time.Time
}

func (e edition) args() pgx.NamedArgs {
	return pgx.NamedArgs{
		"id": e.id, "seller": e.seller.ID, "title": e.draft.Title, "description": e.draft.Description, "price": int64(e.draft.Price),
		"category": e.draft.Category, "subcategory": e.draft.Subcategory, "image": e.imageID, "tags": e.draft.Tags,
		"document": document(e.draft, e.seller.Username), "now": e.at,
	}
}

const sqlInsert = `
insert into posts (id, created_by, title, description, price, category, subcategory, image_id, tags, created_at, updated_at, place, document)
values (@id, @seller, @title, @description, @price, @category, @subcategory, @image, @tags, @now, @now, @place, @document)`

func insertPost(ctx context.Context, tx *postgres.Tx, e edition, place int32) error {
	args := e.args()
	args["place"] = place
	if _, err := tx.Exec(ctx, sqlInsert, args); err != nil {
		return fmt.Errorf("insert post: %w", err)
	}
	return nil
}

const sqlUpdate = `
update posts
   set title = @title, description = @description, price = @price, category = @category, subcategory = @subcategory, image_id = @image,
       tags = @tags, document = @document, updated_at = @now
 where id = @id`

// updatePost writes a post whose lock the caller holds.
func updatePost(ctx context.Context, tx *postgres.Tx, e edition) error {
	if _, err := tx.Exec(ctx, sqlUpdate, e.args()); err != nil {
		return fmt.Errorf("update post: %w", err)
	}
	return nil
}

func deletePost(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	if _, err := tx.Exec(ctx, `delete from posts where id = @id`, pgx.NamedArgs{"id": id}); err != nil {
		return fmt.Errorf("delete post: %w", err)
	}
	return nil
}
