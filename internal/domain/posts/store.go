package posts

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
)

var (
	sqlColumns = `
       p.id, ` + user.SQLRef("u") + ` as created_by, p.title, p.price, p.category, p.subcategory, p.tags, p.facts, p.created_at,
       p.updated_at, p.hidden_by`
	sqlWhole = sqlColumns + `, null as record, p.description,
       array_remove(array[p.image_id], null)
         || array(select f.image_id from post_pictures f where f.post_id = p.id order by f.place) as pictures`
	sqlInList = sqlColumns + `, left(p.description, @letters) as description, array_remove(array[p.image_id], null) as pictures`
)

// Posts of disabled sellers are hidden.
const sqlFrom = `
  from posts p join users u on u.id = p.created_by
 where u.disabled_at is null`

var sqlGet = `select ` + sqlWhole + sqlFrom + ` and p.id = @id`

func getPost(ctx context.Context, q postgres.Querier, id uuid.UUID) (Post, error) {
	return onePost(ctx, q, "posts.get", sqlGet, id)
}

// lockPost reads a post and locks it until the transaction ends.
func lockPost(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (Post, error) {
	return onePost(ctx, tx, "posts.lock", sqlGet+` for update of p`, id)
}

func onePost(ctx context.Context, q postgres.Querier, name, sql string, id uuid.UUID) (Post, error) {
	post, err := postgres.Query[Post](name, sql).One(ctx, q, postgres.Args{"id": id})
	return post, postgres.IfNoRows(err, errNotFound())
}

// collectShort reads posts for a list, with shortened descriptions.
func collectShort(ctx context.Context, q postgres.Querier, name, sql string, args postgres.Args) ([]Post, error) {
	args["letters"] = catalog.InList + 1
	return postgres.QueryAs(name, sql, func(p Post) Post {
		p.Description = catalog.Shorten(p.Description, catalog.InList)
		return p
	}).Many(ctx, q, args)
}

// which selects posts of a user.
type which string

const (
	allPosts   which = ""
	shownPosts which = ` and p.hidden_by is null`
)

var (
	sqlCountByUser = `select count(*) from posts p where p.created_by = @user`
	sqlListByUser  = `select ` + sqlInList + `, null as record` + sqlFrom + ` and p.created_by = @user`
	sqlNewestFirst = `
 order by p.created_at desc, p.id desc limit @limit offset @offset`
)

func listByUser(ctx context.Context, q postgres.Querier, userID uuid.UUID, page postgres.Page, of which) ([]Post, int, error) {
	total, err := countByUser(ctx, q, userID, of)
	if err != nil {
		return nil, 0, err
	}
	list, err := collectShort(ctx, q, "posts.list_by_user", sqlListByUser+string(of)+sqlNewestFirst,
		postgres.Args{"user": userID, "limit": page.Limit, "offset": page.Offset})
	return list, total, err
}

func countByUser(ctx context.Context, q postgres.Querier, userID uuid.UUID, of which) (int, error) {
	return postgres.Query[int]("posts.count_by_user", sqlCountByUser+string(of)).One(ctx, q, postgres.Args{"user": userID})
}

var hidePost = postgres.Command("posts.hide", `update posts set hidden_by = @decision where id = @id and hidden_by is null`)

var unhidePost = postgres.Command("posts.unhide", `update posts set hidden_by = null where hidden_by = @decision`)

// lockUser locks the user's row until the transaction ends, so that what concurrent calls of the
// same user add is counted one after the other.
var lockUser = postgres.Command("posts.lock_user", `select from users where id = @id for no key update`)

// edition is the stored content of a post after it was created or edited.
type edition struct {
	id       uuid.UUID
	seller   user.Ref
	draft    Draft
	pictures []uuid.UUID
	at       time.Time
}

func (e edition) args() postgres.Args {
	var first *uuid.UUID
	if len(e.pictures) > 0 {
		first = &e.pictures[0]
	}
	return postgres.Args{
		"id": e.id, "seller": e.seller.ID, "title": e.draft.Title, "description": e.draft.Description, "price": int64(e.draft.Price),
		"category": e.draft.Category, "subcategory": e.draft.Subcategory, "image": first, "tags": e.draft.Tags,
		"facts":    e.draft.Facts.of(e.draft.Category, e.draft.Subcategory),
		"document": document(e.draft, e.seller.Username), "now": e.at,
	}
}

const sqlInsert = `
insert into posts (id, created_by, title, description, price, category, subcategory, image_id, tags, facts,
                   created_at, updated_at, place, document)
select @id, u.id, @title, @description, @price, @category, @subcategory, @image, @tags, @facts,
       @now, @now, @place, @document
  from users u where u.id = @seller and u.closed_at is null for key share`

// insertPost inserts a post unless the seller's account is closed, which it waits for.
func insertPost(ctx context.Context, tx *postgres.Tx, e edition, place int32) (inserted bool, err error) {
	args := e.args()
	args["place"] = place
	inserted, err = postgres.Command("posts.insert", sqlInsert).Any(ctx, tx, args)
	if err != nil || !inserted {
		return inserted, err
	}
	return true, insertPictures(ctx, tx, e)
}

// insertPictures stores the pictures of a post after its first.
func insertPictures(ctx context.Context, tx *postgres.Tx, e edition) error {
	if len(e.pictures) < 2 {
		return nil
	}
	return postgres.Command("posts.insert_pictures", `
insert into post_pictures (post_id, place, image_id)
select @id, place + 1, image_id from unnest(@pictures::uuid[]) with ordinality as pictures (image_id, place)`).Run(ctx, tx,
		postgres.Args{"id": e.id, "pictures": e.pictures[1:]})
}

const sqlUpdate = `
update posts
   set title = @title, description = @description, price = @price, category = @category, subcategory = @subcategory, image_id = @image,
       tags = @tags, facts = @facts, document = @document, updated_at = @now
 where id = @id`

// updatePost stores the new content of a post that the caller has locked.
func updatePost(ctx context.Context, tx *postgres.Tx, e edition) error {
	if err := postgres.Command("posts.update", sqlUpdate).Run(ctx, tx, e.args()); err != nil {
		return err
	}
	if err := deletePictures.Run(ctx, tx, postgres.Args{"id": e.id}); err != nil {
		return err
	}
	return insertPictures(ctx, tx, e)
}

var deletePictures = postgres.Command("posts.delete_pictures", `delete from post_pictures where post_id = @id`)

var deletePost = postgres.Command("posts.delete", `delete from posts where id = @id`)

// firstAndLast returns the ids of the oldest and the newest post, whose order is that of time.
func firstAndLast(ctx context.Context, q postgres.Querier) (first, last uuid.UUID, found bool, err error) {
	type ends struct{ First, Last *uuid.UUID }
	row, err := postgres.Query[ends]("posts.first_and_last",
		`select (select id from posts order by id limit 1) as first, (select id from posts order by id desc limit 1) as last`).One(ctx, q, nil)
	if err != nil || row.First == nil || row.Last == nil {
		return uuid.UUID{}, uuid.UUID{}, false, err
	}
	return *row.First, *row.Last, true, nil
}

type dated struct {
	ID        uuid.UUID
	UpdatedAt time.Time
}

// listBetween returns the public posts with ids from one up to but excluding another.
var listBetween = postgres.Query[dated]("posts.list_between",
	`select p.id, p.updated_at`+sqlFrom+` and p.hidden_by is null and p.id >= @from and p.id < @to
 order by p.id limit @limit`)

// walk is a traversal of the circle of all posts, in the order of their places.
type walk struct {
	seed     seed
	category Category
	words    []string            // search terms, all of which must occur in the document
	similar  map[string][]string // patterns that a document may match in place of a word
	page     postgres.Page
}

// similarWords returns patterns of the documents with words like one of the patterns. Of two
// beginnings of words, the shorter one finds all that the longer one finds.
var similarWords = postgres.Query[string]("posts.similar_words", `
  with found as (
    select distinct left(w.word, char_length(p.pattern) - 1) as word
      from unnest(@patterns::text[]) p (pattern) join post_words w on w.word like p.pattern)
  select '% ' || word || '%' from found
   where not exists (select from found f where f.word <> found.word and starts_with(found.word, f.word))`)

var (
	liftTimeout  = postgres.Command("posts.lift_timeout", `set local statement_timeout = 0`)
	refreshWords = postgres.Command("posts.refresh_words", `refresh materialized view concurrently post_words`)
)

// indexedWords is how many words of a search use the index; the others filter its matches.
const indexedWords = 3

// where returns the condition for the posts of the walk. With index the words are looked up in the
// trigram index; without, every document is searched.
func (w walk) where(index bool, args postgres.Args) string {
	args["until"] = w.seed.at
	return ` p.created_at <= @until and` + w.matches(index, args)
}

// matches is where for posts of any time.
func (w walk) matches(index bool, args postgres.Args) string {
	var where strings.Builder
	where.WriteString(`
        p.hidden_by is null
        and p.created_by <> all (array(select id from users where disabled_at is not null and erased_at is null))`)
	if w.category != "" {
		where.WriteString(` and p.category = @category`)
		args["category"] = w.category
	}
	for i, word := range w.words {
		name := "word" + strconv.Itoa(i)
		switch {
		case w.similar[word] != nil:
			where.WriteString(` and p.document like any(@` + name + `)`)
			args[name] = w.similar[word]
		case index && i < indexedWords:
			where.WriteString(` and p.document like @` + name)
			args[name] = "%" + word + "%" // words contain no wildcards, see encodeSymbol
		default:
			where.WriteString(` and strpos(p.document, @` + name + `) > 0`)
			args[name] = word
		}
	}
	return where.String()
}

// run returns the number of matching posts, at most maxMatches, and the IDs on the page.
func (w walk) run(ctx context.Context, q postgres.Querier) (total int, ids []uuid.UUID, err error) {
	total = maxMatches
	if len(w.words) == 0 {
		if total, err = w.count(ctx, q); err != nil {
			return 0, nil, err
		}
	} else if common, err := w.common(ctx, q); err != nil {
		return 0, nil, err
	} else if !common {
		found, ids, err := w.gather(ctx, q)
		if err != nil || found <= maxMatches {
			return found, ids, err
		}
	}
	if w.page.Offset >= total {
		return total, nil, nil
	}
	ids, err = w.step(ctx, q)
	return total, ids, err
}

// count returns the number of posts without a search, at most maxMatches.
func (w walk) count(ctx context.Context, q postgres.Querier) (int, error) {
	args := postgres.Args{"most": maxMatches}
	sql := `select count(*) from (select 1 from posts p where` + w.where(false, args) + ` limit @most)`
	return postgres.Query[int]("posts.walk_count", sql).One(ctx, q, args)
}

// common reports whether a search certainly matches more than maxMatches posts, which gather finds
// out only after collecting so many. It searches the first posts of the walk: places are drawn at
// random, so they are a random sample.
func (w walk) common(ctx context.Context, q postgres.Querier) (bool, error) {
	args := postgres.Args{"start": w.seed.place, "most": sampleSize}
	category := ""
	if w.category != "" {
		category = ` and category = @category`
	}
	sql := `
      select count(*) as posts, count(*) filter (where` + w.where(false, args) + `) as matches, coalesce(max(p.place), @start) as last
        from (select created_at, created_by, hidden_by, category, document, place from posts
               where place >= @start` + category + ` order by place, id limit @most) p`
	type row struct {
		Posts, Matches int
		Last           int32
	}
	r, err := postgres.Query[row]("posts.walk_sample", sql).One(ctx, q, args)
	if err != nil {
		return false, err
	}
	s := sample{posts: r.Posts, matches: r.Matches, share: (float64(r.Last-w.seed.place) + 1) / places}
	return s.exceeds(maxMatches), nil
}

// gather collects all matches of a search and sorts them. If there are more than maxMatches it
// stops, and ids is meaningless.
func (w walk) gather(ctx context.Context, q postgres.Querier) (total int, ids []uuid.UUID, err error) {
	args := postgres.Args{"most": maxMatches + 1, "start": w.seed.place, "limit": w.page.Limit, "offset": w.page.Offset}
	sql := `
      with matches as materialized (select p.id, p.place from posts p where` + w.where(true, args) + ` limit @most)
      select (select count(*) from matches) as total,
             array(select id from matches order by place < @start, place, id limit @limit offset @offset) as ids`
	type row struct {
		Total int
		IDs   []uuid.UUID
	}
	r, err := postgres.Query[row]("posts.walk_gather", sql).One(ctx, q, args)
	return r.Total, r.IDs, err
}

// walkable is the offset below which step searches every document it passes. Beyond it, a search
// with few matches would scan nearly all posts, so the planner chooses between scanning in order
// and sorting all matches.
const walkable = 10 * PageSize

// step scans the posts in order until the page is full, which is fast if many posts match.
func (w walk) step(ctx context.Context, q postgres.Querier) ([]uuid.UUID, error) {
	args := postgres.Args{
		"start": w.seed.place, "limit": w.page.Limit, "offset": w.page.Offset, "end": w.page.Offset + w.page.Limit,
	}
	where := w.where(w.page.Offset >= walkable, args)
	sql := `
      with steps as (
        (select p.id, p.place, 1 as lap from posts p where` + where + ` and p.place >= @start order by p.place, p.id limit @end)
        union all
        (select p.id, p.place, 2 as lap from posts p where` + where + ` and p.place < @start order by p.place, p.id limit @end)
      )
      select id from steps order by lap, place, id limit @limit offset @offset`
	return postgres.Query[uuid.UUID]("posts.walk_step", sql).Many(ctx, q, args)
}

// sqlRecord counts a bounded number of rows by indexes alone.
const sqlRecord = `
       (select row(round(avg(r.rating), 1)::double precision, count(*),
                (select least(count(*), @record)
                   from ((select from deals
                           where seller_id = u.id and deal_counts(status, price, refunded_amount, accepted_at) limit @record)
                         union all
                         (select from deals
                           where buyer_id = u.id and deal_counts(status, price, refunded_amount, accepted_at) limit @record)) d))
          from (select rating from reviews
                 where reviewed_id = u.id and hidden_by is null and counts
                 order by created_at desc limit @record) r) as record`

var sqlByIDs = `
select ` + sqlInList + `,` + sqlRecord + `
  from unnest(@ids::uuid[]) with ordinality as page (id, position)
  join posts p on p.id = page.id
  join users u on u.id = p.created_by
 where p.hidden_by is null
 order by page.position`

// listByIDs returns posts in the order of their IDs. Posts deleted or hidden meanwhile
// are missing.
func listByIDs(ctx context.Context, q postgres.Querier, ids []uuid.UUID) ([]Post, error) {
	return collectShort(ctx, q, "posts.list_by_ids", sqlByIDs, postgres.Args{"ids": ids, "record": recordMost})
}
