package posts

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

const searchColumns = `s.id, s.search, s.category, s.subcategory, s.min_price as min, s.max_price as max, s.facts, s.frequency,
       s.created_at`

var listSearches = postgres.Query[SavedSearch]("posts.list_searches",
	`select `+searchColumns+` from saved_searches s where s.user_id = @user order by s.created_at desc, s.id desc`)

// newSearch is a search that a user saves.
type newSearch struct {
	userID uuid.UUID
	filter Filter
	words  []string
	facts  string
	at     time.Time
}

func (n newSearch) args() postgres.Args {
	patterns := make([]string, len(n.words))
	for i, word := range n.words {
		patterns[i] = "%" + word + "%" // words contain no wildcards, see encodeSymbol
	}
	return postgres.Args{
		"user": n.userID, "search": n.filter.Search, "category": n.filter.Category, "subcategory": n.filter.Subcategory,
		"min": int64(n.filter.Min), "max": int64(n.filter.Max), "facts": n.facts, "patterns": patterns,
	}
}

// find returns the equal search of the user, if there is one.
func (n newSearch) find(ctx context.Context, tx *postgres.Tx) (SavedSearch, bool, error) {
	return postgres.Query[SavedSearch]("posts.find_search", `
select `+searchColumns+` from saved_searches s
 where s.user_id = @user and s.patterns = @patterns and s.category = @category and s.subcategory = @subcategory
   and s.min_price = @min and s.max_price = @max and s.facts = @facts`).Find(ctx, tx, n.args())
}

func (n newSearch) insert(ctx context.Context, tx *postgres.Tx) (SavedSearch, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return SavedSearch{}, err
	}
	args := n.args()
	args["id"], args["now"], args["frequency"], args["key"], args["path"] = id, n.at, Daily, keyOf(n.words), pathOf(n.filter.Facts)
	return postgres.Query[SavedSearch]("posts.insert_search", `
insert into saved_searches as s (id, user_id, search, category, subcategory, min_price, max_price, facts, frequency, created_at,
                                 patterns, key, facts_path)
values (@id, @user, @search, @category, @subcategory, @min, @max, @facts, @frequency, @now, @patterns, @key, @path::text::jsonpath)
returning `+searchColumns).One(ctx, tx, args)
}

var hasSearch = postgres.Query[bool]("posts.has_search",
	`select exists (select from saved_searches where id = @id and user_id = @user)`)

var setFrequency = postgres.Query[SavedSearch]("posts.set_frequency",
	`update saved_searches s set frequency = @frequency where s.id = @id and s.user_id = @user returning `+searchColumns)

var deleteSearch = postgres.Command("posts.delete_search", `delete from saved_searches where id = @id and user_id = @user`)

// stopSearches reports whether a user has the token.
var stopSearches = postgres.Query[bool]("posts.stop_searches", `
with stopped as (
  update saved_searches set frequency = 'off'
   where user_id in (select id from users where unsubscribe_token = @token) and frequency <> 'off'
)
select exists (select from users where unsubscribe_token = @token)`)

var insertNew = postgres.Command("posts.insert_new", `insert into new_posts (post_id) values (@id)`)

// matchNew takes a batch of new posts, matches them with all saved searches and returns their
// number. A search is found by its key, so that words are looked for only in documents that have
// the beginning of the longest one. Users for whom enough posts wait are left out. Whose posts they
// are, and who may see them, is asked when their users are told.
var matchNew = postgres.Query[int]("posts.match_new", `
with taken as (
  delete from new_posts
   where post_id in (select post_id from new_posts order by post_id limit @limit for update skip locked)
  returning post_id
), docs as materialized (
  select p.id, p.category, p.subcategory, p.price, p.facts, p.document, convert_to(p.document, 'UTF8') as bytes
    from taken t join posts p on p.id = t.post_id
), pieces as (
  select d.id, substring(d.bytes from place for size) as key
    from docs d, unnest(@sizes::integer[]) size, generate_series(1, octet_length(d.bytes) - size + 1) place
  union all
  select id, ''::bytea from docs
), added as (
  insert into found_posts (user_id, post_id, search_id, found_at)
  -- A search of which the user is told soon comes before a daily one.
  select distinct on (s.user_id, d.id) s.user_id, d.id, s.id, @now::timestamptz
    from saved_searches s join pieces on pieces.key = s.key join docs d on d.id = pieces.id
   where s.frequency <> 'off'
     and s.user_id not in (select user_id from found_posts group by user_id having count(*) >= @most)
     and (s.category = '' or s.category = d.category) and (s.subcategory = '' or s.subcategory = d.subcategory)
     and d.price >= s.min_price and (s.max_price = 0 or d.price <= s.max_price)
     and d.document like all (s.patterns) and d.facts @? s.facts_path
   order by s.user_id, d.id, s.frequency desc
  on conflict do nothing
)
select count(*) from taken`)

// usersToTell returns all for whom posts were found, except those who wait for the next day.
var usersToTell = postgres.Query[uuid.UUID]("posts.users_to_tell", `
select distinct f.user_id from found_posts f
 where not exists (select from saved_searches s where s.id = f.search_id and s.frequency = 'daily' and f.found_at >= @before)`)

// foundPosts are what a user is told of.
type foundPosts struct {
	UserID uuid.UUID
	Posts  []uuid.UUID  // the newest first
	Search *SavedSearch // that found them; nil if there are several
}

// takeFound takes what was found for users, except what waits for the next day. Blocks, decisions
// and removed searches since the match count.
var takeFound = postgres.Query[foundPosts]("posts.take_found", `
with searches as materialized (
  select id, search, category, subcategory, min_price, max_price, facts, frequency, created_at
    from saved_searches where user_id = any(@users)
), gone as (
  delete from found_posts f
   where f.user_id = any(@users)
     and not exists (select from searches s where s.id = f.search_id and s.frequency = 'daily' and f.found_at >= @before)
  returning f.user_id, f.post_id, f.search_id
), told as (
  select g.user_id, (array_agg(g.post_id order by g.post_id desc))[1:@listed] as posts,
         case when count(distinct g.search_id) = 1 then (array_agg(g.search_id))[1] end as search_id
    from gone g
    join searches s on s.id = g.search_id and s.frequency <> 'off'
    join posts p on p.id = g.post_id and p.hidden_by is null and p.created_by <> g.user_id
    join users seller on seller.id = p.created_by and seller.disabled_at is null
    join users reader on reader.id = g.user_id and reader.disabled_at is null
   where not exists (select from blocks where blocker_id = g.user_id and blocked_id = p.created_by)
     and not exists (select from blocks where blocker_id = p.created_by and blocked_id = g.user_id)
   group by g.user_id
)
select t.user_id, t.posts,
       case when s.id is not null
            then row(s.id, s.search, s.category, s.subcategory, s.min_price, s.max_price, s.facts, s.frequency, s.created_at) end as search
  from told t left join searches s on s.id = t.search_id`)
