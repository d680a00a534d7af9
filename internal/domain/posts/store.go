package posts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

type row struct {
	ID               uuid.UUID
	SellerID         uuid.UUID
	SellerUsername   string
	SellerProfilePic string
	SellerIsStaff    bool
	SellerClosed     bool
	Title            string
	Description      string
	Price            int64
	Category         Category
	Subcategory      string
	ImageID          *uuid.UUID
	Tags             []string
	CreatedAt        time.Time
	UpdatedAt        time.Time
	HiddenBy         *uuid.UUID
}

func (r row) post() Post {
	return Post{
		ID: r.ID,
		CreatedBy: user.Ref{
			ID: r.SellerID, Username: r.SellerUsername, ProfilePic: r.SellerProfilePic, IsStaff: r.SellerIsStaff, Closed: r.SellerClosed,
		},
		Title:       r.Title,
		Description: r.Description,
		Price:       money.Cents(r.Price),
		Category:    r.Category,
		Subcategory: r.Subcategory,
		ImageID:     r.ImageID,
		Tags:        r.Tags,
		CreatedAt:   r.CreatedAt,
		UpdatedAt:   r.UpdatedAt,
		HiddenBy:    r.HiddenBy,
	}
}

const (
	sqlColumns = `
       p.id, u.id as seller_id, u.username as seller_username, u.profile_pic as seller_profile_pic, u.is_admin as seller_is_staff,
       u.closed_at is not null as seller_closed,
       p.title, p.price, p.category, p.subcategory, p.image_id, p.tags, p.created_at, p.updated_at, p.hidden_by`
	sqlWhole  = sqlColumns + `, p.description`
	sqlInList = sqlColumns + `, left(p.description, @letters) as description`
)

// Posts of disabled sellers are hidden.
const sqlFrom = `
  from posts p join users u on u.id = p.created_by
 where u.disabled_at is null`

const sqlGet = `select ` + sqlWhole + sqlFrom + ` and p.id = @id`

func getPost(ctx context.Context, q postgres.Querier, id uuid.UUID) (Post, error) {
	return onePost(ctx, q, "posts.get", sqlGet, id)
}

// lockPost reads a post and locks it until the transaction ends.
func lockPost(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Post, error) {
	return onePost(ctx, tx, "posts.lock", sqlGet+` for update of p`, id)
}

func onePost(ctx context.Context, q postgres.Querier, name, sql string, id uuid.UUID) (Post, error) {
	post, err := postgres.OneAs(ctx, q, name, sql, pgx.NamedArgs{"id": id}, row.post)
	return post, postgres.IfNoRows(err, errNotFound())
}

// collectShort reads posts for a list, with shortened descriptions.
func collectShort(ctx context.Context, q postgres.Querier, name, sql string, args pgx.NamedArgs) ([]Post, error) {
	args["letters"] = catalog.InList + 1
	return postgres.ManyAs(ctx, q, name, sql, args, func(r row) Post {
		post := r.post()
		post.Description = catalog.Shorten(r.Description, catalog.InList)
		return post
	})
}

// which selects posts of a user.
type which string

const (
	allPosts   which = ""
	shownPosts which = ` and p.hidden_by is null`
)

const (
	sqlCountByUser = `select count(*) from posts p where p.created_by = @user`
	sqlListByUser  = `select ` + sqlInList + sqlFrom + ` and p.created_by = @user`
	sqlNewestFirst = `
 order by p.created_at desc, p.id desc limit @limit offset @offset`
)

func listByUser(ctx context.Context, q postgres.Querier, userID uuid.UUID, page postgres.Page, of which) ([]Post, int, error) {
	total, err := countByUser(ctx, q, userID, of)
	if err != nil {
		return nil, 0, err
	}
	list, err := collectShort(ctx, q, "posts.list_by_user", sqlListByUser+string(of)+sqlNewestFirst,
		pgx.NamedArgs{"user": userID, "limit": page.Limit, "offset": page.Offset})
	return list, total, err
}

func countByUser(ctx context.Context, q postgres.Querier, userID uuid.UUID, of which) (int, error) {
	return postgres.Value[int](ctx, q, "posts.count_by_user", sqlCountByUser+string(of), pgx.NamedArgs{"user": userID})
}

func hidePost(ctx context.Context, tx *postgres.Tx, id, decision uuid.UUID) error {
	return postgres.Exec(ctx, tx, "posts.hide", `update posts set hidden_by = @decision where id = @id and hidden_by is null`,
		pgx.NamedArgs{"id": id, "decision": decision})
}

func unhidePost(ctx context.Context, tx *postgres.Tx, decision uuid.UUID) error {
	return postgres.Exec(ctx, tx, "posts.unhide", `update posts set hidden_by = null where hidden_by = @decision`,
		pgx.NamedArgs{"decision": decision})
}

// lockSeller locks the seller's row until the transaction ends, so that concurrent Creates of the
// same seller are counted one after the other.
func lockSeller(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	return postgres.Exec(ctx, tx, "posts.lock_seller", `select from users where id = @id for no key update`, pgx.NamedArgs{"id": id})
}

// edition is the stored content of a post after it was created or edited.
type edition struct {
	id      uuid.UUID
	seller  user.Ref
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
insert into posts (id, created_by, title, description, price, category, subcategory, image_id, tags,
                   created_at, updated_at, place, document)
select @id, u.id, @title, @description, @price, @category, @subcategory, @image, @tags,
       @now, @now, @place, @document
  from users u where u.id = @seller and u.closed_at is null for key share`

// insertPost inserts a post unless the seller's account is closed, which it waits for.
func insertPost(ctx context.Context, tx *postgres.Tx, e edition, place int32) (inserted bool, err error) {
	args := e.args()
	args["place"] = place
	n, err := postgres.ExecCount(ctx, tx, "posts.insert", sqlInsert, args)
	return n == 1, err
}

const sqlUpdate = `
update posts
   set title = @title, description = @description, price = @price, category = @category, subcategory = @subcategory, image_id = @image,
       tags = @tags, document = @document, updated_at = @now
 where id = @id`

// updatePost stores the new content of a post that the caller has locked.
func updatePost(ctx context.Context, tx *postgres.Tx, e edition) error {
	return postgres.Exec(ctx, tx, "posts.update", sqlUpdate, e.args())
}

func deletePost(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	return postgres.Exec(ctx, tx, "posts.delete", `delete from posts where id = @id`, pgx.NamedArgs{"id": id})
}
