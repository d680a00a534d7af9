package posts

import (
	"context"
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

type saves struct {
	PostID uuid.UUID
	Saves  int
}

var countSaves = postgres.Query[saves]("posts.count_saves",
	`select post_id, count(*) as saves from saved_posts where post_id = any(@posts) group by post_id`)

// addSaves adds to posts how many users have saved them.
func addSaves(ctx context.Context, q postgres.Querier, list []Post) error {
	ids := make([]uuid.UUID, len(list))
	for i, post := range list {
		ids[i] = post.ID
	}
	counted, err := countSaves.Many(ctx, q, postgres.Args{"posts": ids})
	for _, c := range counted {
		for i := range list {
			if list[i].ID == c.PostID {
				list[i].Saves = c.Saves
			}
		}
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
