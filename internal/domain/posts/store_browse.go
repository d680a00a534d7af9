package posts

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// window is how many posts a page of a filtered listing reads at most in one direction.
const window = 5000

// uncounted is the total of a page whose filter may match posts beyond the window.
const uncounted = -1

// browse is a filtered listing and the position after which a page begins, nil for the first.
type browse struct {
	walk
	Filter
	after *position
}

// found is what a page of a filtered listing consists of.
type found struct {
	total int
	list  []position // at most PageSize
	more  *position  // after which the next page begins; nil at the end
}

func (f found) ids() []uuid.UUID {
	ids := make([]uuid.UUID, len(f.list))
	for i, at := range f.list {
		ids[i] = at.ID
	}
	return ids
}

func (f found) next() string {
	if f.more == nil {
		return ""
	}
	return f.more.String()
}

// order is how SQL sorts a listing. The columns end with the id, and key is the other one.
type order struct {
	columns    []string
	key        string
	descending bool
}

func (b browse) order() order {
	switch b.Order {
	case LowestPrice:
		return order{columns: []string{"p.price", "p.id"}, key: "p.price"}
	case HighestPrice:
		return order{columns: []string{"p.price", "p.id"}, key: "p.price", descending: true}
	case Newest:
	}
	return order{columns: []string{"p.id"}, key: "0::bigint", descending: true} // ids have the order of time
}

// by returns the order by clause.
func (o order) by() string {
	if o.descending {
		return ` order by ` + strings.Join(o.columns, ` desc, `) + ` desc`
	}
	return ` order by ` + strings.Join(o.columns, `, `)
}

// past returns the condition for posts after a position, "" without one.
func (o order) past(at *position, args postgres.Args) string {
	if at == nil {
		return ""
	}
	sign, values := `>`, `@id`
	if o.descending {
		sign = `<`
	}
	if args["id"] = at.ID; len(o.columns) > 1 {
		args["key"], values = at.Key, `@key, @id`
	}
	return ` and (` + strings.Join(o.columns, `, `) + `) ` + sign + ` (` + values + `)`
}

// narrowed returns the conditions that the indexes of posts serve: all matches are among the posts
// that meet them.
func (b browse) narrowed(args postgres.Args) string {
	where := ` true`
	switch {
	case b.Subcategory != "":
		where += ` and p.subcategory = @subcategory`
		args["subcategory"] = b.Subcategory
	case b.category != "":
		where += ` and p.category = @category`
		args["category"] = b.category
	}
	if b.Min > 0 {
		where += ` and p.price >= @min`
		args["min"] = int64(b.Min)
	}
	if b.Max > 0 {
		where += ` and p.price <= @max`
		args["max"] = int64(b.Max)
	}
	return where
}

// conditions returns the condition for the posts of the listing; for index see walk.where.
func (b browse) conditions(index bool, args postgres.Args) string {
	where := b.narrowed(args) + ` and` + b.matches(index, args)
	for i, fact := range b.Facts {
		name := "fact" + strconv.Itoa(i)
		if fact.Is != nil {
			where += ` and p.facts @> @` + name
			args[name] = Facts{fact.Key: fact.Is}
			continue
		}
		where += ` and (p.facts -> @` + name + `)::bigint between @` + name + `min and @` + name + `max`
		args[name], args[name+"min"], args[name+"max"] = fact.Key, fact.Min, fact.Max
	}
	return where
}

// run reads a page. A search with few matches collects and sorts them; otherwise the posts are read
// in their order, at most window of them.
func (b browse) run(ctx context.Context, q postgres.Querier) (found, error) {
	if len(b.words) > 0 {
		common, err := b.common(ctx, q)
		if err != nil {
			return found{}, err
		}
		if !common {
			page, err := b.gather(ctx, q)
			if err != nil || page.total <= maxMatches {
				return page, err
			}
		}
	}
	return b.scan(ctx, q)
}

// gather collects all matches of a search and sorts them. If there are more than maxMatches it
// stops, and the page is meaningless.
func (b browse) gather(ctx context.Context, q postgres.Querier) (found, error) {
	args := postgres.Args{"most": maxMatches + 1, "limit": PageSize + 1}
	order := b.order()
	sql := `
      with matches as materialized (select p.id, p.price from posts p where` + b.conditions(true, args) + ` limit @most)
      select t.total, coalesce(m.key, 0) as key, m.id
        from (select count(*)::integer as total from matches) t
        left join lateral (
          select p.id, ` + order.key + ` as key from matches p where true` + order.past(b.after, args) + order.by() + ` limit @limit
        ) m on true`
	type row struct {
		Total int
		Key   int64
		ID    *uuid.UUID // nil without a post after the position
	}
	rows, err := postgres.Query[row]("posts.browse_gather", sql).Many(ctx, q, args)
	if err != nil {
		return found{}, err
	}
	page := found{total: rows[0].Total}
	for _, r := range rows {
		if r.ID != nil {
			page.list = append(page.list, position{Key: r.Key, ID: *r.ID})
		}
	}
	page.cut()
	return page, nil
}

// filteredColumns are what conditions and orders look at.
const filteredColumns = `p.id, p.price, p.category, p.subcategory, p.facts, p.document, p.hidden_by, p.created_by`

// scan reads the posts after the position, at most window of them, until the page is full.
func (b browse) scan(ctx context.Context, q postgres.Querier) (found, error) {
	args := postgres.Args{"window": window, "limit": PageSize + 1}
	order := b.order()
	where := b.narrowed(args) + order.past(b.after, args)
	posts := `(select ` + filteredColumns + ` from posts p where` + where + order.by() + ` limit @window) p`
	sql := `select ` + order.key + ` as key, p.id from ` + posts + ` where` + b.conditions(false, args) + order.by() + ` limit @limit`
	list, err := postgres.Query[position]("posts.browse_scan", sql).Many(ctx, q, args)
	if err != nil {
		return found{}, err
	}
	page := found{total: uncounted, list: list}
	switch page.cut(); {
	case page.more == nil:
		page.more, err = b.endOfWindow(ctx, q)
		if page.more == nil && b.after == nil {
			page.total = len(page.list)
		}
	case b.after == nil:
		page.total, err = b.count(ctx, q)
	}
	return page, err
}

// cut drops the post after the page, which shows that there is a next one.
func (f *found) cut() {
	if len(f.list) > PageSize {
		f.list = f.list[:PageSize]
		f.more = &f.list[PageSize-1]
	}
}

// endOfWindow returns the position of the last post that scan may read, nil if there is no post
// after it.
func (b browse) endOfWindow(ctx context.Context, q postgres.Querier) (*position, error) {
	args := postgres.Args{"last": window - 1}
	order := b.order()
	where := b.narrowed(args) + order.past(b.after, args)
	sql := `select ` + order.key + ` as key, p.id from posts p where` + where + order.by() + ` offset @last limit 1`
	last, found, err := postgres.Query[position]("posts.browse_end", sql).Find(ctx, q, args)
	if err != nil || !found {
		return nil, err
	}
	return &last, nil
}

// count returns the number of matches, or uncounted if there may be more beyond the window. That is
// found out before any post is read.
func (b browse) count(ctx context.Context, q postgres.Querier) (int, error) {
	args := postgres.Args{"last": window - 1, "uncounted": uncounted}
	sql := `
      select case when exists (select from posts p where` + b.narrowed(args) + ` offset @last limit 1) then @uncounted
                  else (select count(*) from posts p where` + b.conditions(false, args) + `) end`
	return postgres.Query[int]("posts.browse_count", sql).One(ctx, q, args)
}
