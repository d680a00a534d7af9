package posts

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

var savedIDs = postgres.Query[uuid.UUID]("posts.saved_ids",
	`select post_id from saved_posts where user_id = @user order by created_at desc, post_id desc`)

// insertSaved waits for changes of the post, so that whoever saves it is told of the next one.
var insertSaved = postgres.Command("posts.insert_saved", `
insert into saved_posts (user_id, post_id, price, told_price, created_at)
select @user, p.id, p.price, p.price, @now
  from posts p where p.id = @post and p.hidden_by is null for share`)

var deleteSaved = postgres.Command("posts.delete_saved", `delete from saved_posts where user_id = @user and post_id = @post`)

var isSaved = postgres.Query[bool]("posts.is_saved", `select exists (select from saved_posts where post_id = @post)`)

var sqlFromSaved = `
  from saved_posts s join posts p on p.id = s.post_id join users u on u.id = p.created_by
 where s.user_id = @user and p.hidden_by is null and u.disabled_at is null`

func listSaved(ctx context.Context, q postgres.Querier, userID uuid.UUID, page postgres.Page) ([]Saved, int, error) {
	args := postgres.Args{"user": userID, "limit": page.Limit, "offset": page.Offset, "letters": catalog.InList + 1}
	total, err := postgres.Query[int]("posts.count_saved", `select count(*)`+sqlFromSaved).One(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	type row struct {
		Post
		SavedPrice money.Cents
		SavedAt    time.Time
	}
	list, err := postgres.QueryAs("posts.list_saved", `
select `+sqlInList+`, null as record, s.price as saved_price, s.created_at as saved_at`+sqlFromSaved+`
 order by s.created_at desc, s.post_id desc limit @limit offset @offset`, func(r row) Saved {
		r.Description = catalog.Shorten(r.Description, catalog.InList)
		return Saved{Post: r.Post, Price: r.SavedPrice, At: r.SavedAt}
	}).Many(ctx, q, args)
	return list, total, err
}

// addViews adds to the counts of views. Posts that are gone are left out.
var addViews = postgres.Command("posts.add_views", `
insert into post_views (post_id, seen)
select p.id, v.seen from unnest(@posts::uuid[], @counts::bigint[]) v (id, seen) join posts p on p.id = v.id
 order by p.id for key share of p
on conflict (post_id) do update set seen = post_views.seen + excluded.seen`)

type interest struct {
	PostID             uuid.UUID
	Seen, Saves, Asked int
}

// sqlInterest counts what others did with posts of a seller. It reads the seller's conversations
// from the indexes of inboxes.
const sqlInterest = `
with asked as (
  select post_id, count(*) as people from conversations
   where (user_a = @seller or user_b = @seller) and post_id = any(@posts) group by post_id)
select p.id as post_id, coalesce(v.seen, 0) as seen, coalesce(a.people, 0) as asked,
       (select count(*) from saved_posts s where s.post_id = p.id) as saves
  from unnest(@posts::uuid[]) p (id)
  left join post_views v on v.post_id = p.id
  left join asked a on a.post_id = p.id`

// addInterest adds to posts of one seller how often others have seen, saved and asked about them.
func addInterest(ctx context.Context, q postgres.Querier, seller uuid.UUID, list []Post) error {
	ids := make([]uuid.UUID, len(list))
	for i, post := range list {
		ids[i] = post.ID
	}
	counted, err := postgres.Query[interest]("posts.interest", sqlInterest).Many(ctx, q, postgres.Args{"posts": ids, "seller": seller})
	for _, c := range counted {
		i := slices.Index(ids, c.PostID)
		list[i].Seen, list[i].Saves, list[i].Asked = c.Seen, c.Saves, c.Asked
	}
	return err
}

type cheaper struct {
	UserID     uuid.UUID
	Was, Price money.Cents
}

var tellCheaper = postgres.Query[cheaper]("posts.tell_cheaper", `
with due as (
  select s.user_id, s.told_price as was, p.price
    from saved_posts s join posts p on p.id = s.post_id
   where s.post_id = @post and p.hidden_by is null and p.price < s.told_price and (s.told_at is null or s.told_at <= @before)
   order by s.user_id limit @limit for update of s)
update saved_posts s set told_price = due.price, told_at = @now
  from due where s.post_id = @post and s.user_id = due.user_id
returning s.user_id, due.was, due.price`)

type gone struct {
	UserID uuid.UUID
	Price  money.Cents
}

var removeGone = postgres.Query[gone]("posts.remove_gone", `
delete from saved_posts
 where post_id = @post
   and user_id in (select user_id from saved_posts
                    where post_id = @post and not exists (select from posts where id = @post and hidden_by is null)
                    order by user_id limit @limit)
returning user_id, price`)
