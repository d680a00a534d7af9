package posts

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

// walk is a traversal of the circle of all posts, in the order of their places.
type walk struct {
	seed     seed
	category Category
	words    []string // search terms, all of which must occur in the document
	page     postgres.Page
}

// indexedWords is how many words of a search use the index; the others filter its matches.
const indexedWords = 3

// where returns the condition for the posts of the walk. With index the words are looked up in the
// trigram index; without, every document is searched.
func (w walk) where(index bool, args pgx.NamedArgs) string {
	var where strings.Builder
	where.WriteString(`
        p.created_at <= @until and p.hidden_by is null
        and p.created_by <> all (array(select id from users where disabled_at is not null and erased_at is null))`)
	args["until"] = w.seed.at
	if w.category != "" {
		where.WriteString(` and p.category = @category`)
		args["category"] = w.category
	}
	for i, word := range w.words {
		name := "word" + strconv.Itoa(i)
		if index && i < indexedWords {
			where.WriteString(` and p.document like @` + name)
			args[name] = "%" + word + "%" // words contain no wildcards, see encodeSymbol
		} else {
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
	args := pgx.NamedArgs{"most": maxMatches}
	sql := `select count(*) from (select 1 from posts p where` + w.where(false, args) + ` limit @most)`
	return postgres.Value[int](ctx, q, "posts.walk_count", sql, args)
}

// common reports whether a search certainly matches more than maxMatches posts, which gather finds
// out only after collecting so many. It searches the first posts of the walk: places are drawn at
// random, so they are a random sample.
func (w walk) common(ctx context.Context, q postgres.Querier) (bool, error) {
	args := pgx.NamedArgs{"start": w.seed.place, "most": sampleSize}
	category := ""
	if w.category != "" {
		category = ` and category = @category`
	}
	sql := `
      select count(*) as posts, count(*) filter (where` + w.where(false, args) + `) as matches, coalesce(max(p.place), @start) as last
        from (select created_at, created_by, hidden_by, category, document, place from posts
               where place >= @start` + category + ` order by place, id limit @most) p`
	var s sample
	var last int32
	if err := postgres.Scan(ctx, q, "posts.walk_sample", sql, args, &s.posts, &s.matches, &last); err != nil {
		return false, err
	}
	s.share = (float64(last-w.seed.place) + 1) / places
	return s.exceeds(maxMatches), nil
}

// gather collects all matches of a search and sorts them. If there are more than maxMatches it
// stops, and ids is meaningless.
func (w walk) gather(ctx context.Context, q postgres.Querier) (total int, ids []uuid.UUID, err error) {
	args := pgx.NamedArgs{"most": maxMatches + 1, "start": w.seed.place, "limit": w.page.Limit, "offset": w.page.Offset}
	sql := `
      with matches as materialized (select p.id, p.place from posts p where` + w.where(true, args) + ` limit @most)
      select (select count(*) from matches),
             array(select id from matches order by place < @start, place, id limit @limit offset @offset)`
	err = postgres.Scan(ctx, q, "posts.walk_gather", sql, args, &total, &ids)
	return total, ids, err
}

// walkable is the offset below which step searches every document it passes. Beyond it, a search
// with few matches would scan nearly all posts, so the planner chooses between scanning in order
// and sorting all matches.
const walkable = 10 * PageSize

// step scans the posts in order until the page is full, which is fast if many posts match.
func (w walk) step(ctx context.Context, q postgres.Querier) ([]uuid.UUID, error) {
	args := pgx.NamedArgs{
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
	return postgres.Values[uuid.UUID](ctx, q, "posts.walk_step", sql, args)
}

const sqlByIDs = `
select ` + sqlInList + `
  from unnest(@ids::uuid[]) with ordinality as page (id, position)
  join posts p on p.id = page.id
  join users u on u.id = p.created_by
 where p.hidden_by is null
 order by page.position`

// listByIDs returns posts in the order of their IDs. Posts deleted or hidden meanwhile
// are missing.
func listByIDs(ctx context.Context, q postgres.Querier, ids []uuid.UUID) ([]Post, error) {
	return collectShort(ctx, q, "posts.list_by_ids", sqlByIDs, pgx.NamedArgs{"ids": ids})
}
