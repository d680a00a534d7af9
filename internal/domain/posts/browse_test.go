package posts_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/user"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/clock"
	"amanat/internal/money"
	"amanat/internal/testing/dbtest"
)

// newMarket returns a service and a function that publishes a channel.
func newMarket(t *testing.T) (*posts.Service, *dbtest.DB, func(title string, price money.Cents, facts posts.Facts) posts.Post) {
	t.Helper()
	db := dbtest.New(t)
	service := &posts.Service{DB: db.API(), Clock: clock.System{}}
	seller := uuid.Must(uuid.NewV7())
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, 'seller', 'seller@example.com', 'x', 'code', now(), now())`, seller)
	require.NoError(t, err)
	return service, db, func(title string, price money.Cents, facts posts.Facts) posts.Post {
		made, err := service.Create(t.Context(), user.Ref{ID: seller, Username: "seller"}, posts.Draft{
			Title: title, Description: "As agreed.", Price: price, Category: posts.OnlineAsset, Subcategory: "YouTube Channel", Facts: facts,
		}, 0, nil)
		require.NoError(t, err)
		return made
	}
}

// pages returns the posts of all pages; between runs before each page but the first.
func pages(t *testing.T, service *posts.Service, f posts.Filter, between func()) []posts.Post {
	t.Helper()
	var all []posts.Post
	for {
		page, err := service.Browse(t.Context(), f)
		require.NoError(t, err)
		if all = append(all, page.Posts...); page.Next == "" {
			return all
		}
		f.Cursor = page.Next
		between()
	}
}

func titles(list []posts.Post) string {
	names := make([]string, len(list))
	for i, post := range list {
		names[i] = post.Title
	}
	return strings.Join(names, " ")
}

func TestBrowse_filters_and_orders(t *testing.T) {
	t.Parallel()
	service, _, publish := newMarket(t)
	publish("Small", 100_00, posts.Facts{"subscribers": 900.0, "monetised": false})
	publish("Middle", 300_00, posts.Facts{"subscribers": 12_000.0, "monetised": true, "niche": "Cooking"})
	publish("Large", 900_00, posts.Facts{"subscribers": 80_000.0, "monetised": true, "accountType": "brand"})
	publish("Silent", 50_00, nil)
	for name, tc := range map[string]struct {
		filter posts.Filter
		facts  string
		want   string
	}{
		"newest first":       {filter: posts.Filter{}, want: "Silent Large Middle Small"},
		"cheapest first":     {filter: posts.Filter{Order: posts.LowestPrice}, want: "Silent Small Middle Large"},
		"dearest first":      {filter: posts.Filter{Order: posts.HighestPrice}, want: "Large Middle Small Silent"},
		"prices":             {filter: posts.Filter{Order: posts.LowestPrice, Min: 100_00, Max: 300_00}, want: "Small Middle"},
		"a flag":             {filter: posts.Filter{Order: posts.LowestPrice}, facts: "monetised:true", want: "Middle Large"},
		"a flag that is off": {facts: "monetised:false", want: "Small"},
		"a range":            {filter: posts.Filter{Order: posts.LowestPrice}, facts: "subscribers:900..12000", want: "Small Middle"},
		"an open range":      {facts: "subscribers:13000..", want: "Large"},
		"two facts":          {facts: "monetised:true,subscribers:..20000", want: "Middle"},
		"a choice":           {facts: "accountType:brand", want: "Large"},
		"words of a fact":    {filter: posts.Filter{Search: "cooking"}, want: "Middle"},
		"a subcategory":      {filter: posts.Filter{Subcategory: "YouTube Channel", Category: posts.OnlineAsset, Max: 60_00}, want: "Silent"},
		"another one":        {filter: posts.Filter{Subcategory: "Website"}},
		"another category":   {filter: posts.Filter{Category: posts.PhysicalProduct}},
		"words and a price":  {filter: posts.Filter{Search: "youtube", Max: 100_00, Order: posts.LowestPrice}, want: "Silent Small"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var err error
			tc.filter.Facts, err = posts.ParseFactFilters(tc.facts)
			require.NoError(t, err)
			page, err := service.Browse(t.Context(), tc.filter)
			require.NoError(t, err)
			require.Equal(t, tc.want, titles(page.Posts))
			require.Equal(t, len(page.Posts), *page.Total)
			require.Empty(t, page.Next)
			require.False(t, page.Similar)
		})
	}
}

// A search that finds nothing finds words that differ in one letter.
func TestExplore_typos(t *testing.T) {
	t.Parallel()
	service, db, publish := newMarket(t)
	publish("Facebook group about মোবাইল", 100_00, nil)
	publish("Facebooks", 100_00, nil)
	publish("Cats", 100_00, nil)
	require.NoError(t, posts.CollectWords(t.Context(), db.Worker()))
	for search, found := range map[string]bool{
		"facbook": true, "facebbook": true, "facebaok": true, "faecbook": true, "afcebook": true, "মবাইল": true, "youtub channal": true,
		"fcbok": false, "cots": false,
	} {
		t.Run(search, func(t *testing.T) {
			t.Parallel()
			listing, err := service.Explore(t.Context(), posts.Query{Search: search, Page: 1})
			require.NoError(t, err)
			page, err := service.Browse(t.Context(), posts.Filter{Search: search, Order: posts.LowestPrice})
			require.NoError(t, err)
			require.ElementsMatch(t, listing.Posts, page.Posts)
			require.Equal(t, found, len(listing.Posts) > 0)
			require.Equal(t, found, listing.Similar)
			require.Equal(t, found, page.Similar)
		})
	}
	listing, err := service.Explore(t.Context(), posts.Query{Search: "facebook", Page: 1})
	require.NoError(t, err)
	require.False(t, listing.Similar)
	plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
		_, err := (&posts.Service{DB: pool, Clock: clock.System{}}).Explore(t.Context(), posts.Query{Search: "facebaok", Page: 1})
		require.NoError(t, err)
	})
	require.Contains(t, plans, `'{"% facebook%"}'`, "posts are searched for words that exist")
}

// All pages together are the filtered set, each post once, while other posts are added and deleted.
func TestBrowse_pages(t *testing.T) {
	t.Parallel()
	service, db, publish := newMarket(t)
	var kept []uuid.UUID
	for range 60 {
		price := money.Cents(rand.IntN(20) + 1) // many of one price
		post := publish("Tea", price, posts.Facts{"monetised": rand.IntN(2) == 0})
		if price <= 15 && post.Facts["monetised"] == true {
			kept = append(kept, post.ID)
		}
	}
	facts, err := posts.ParseFactFilters("monetised:true")
	require.NoError(t, err)
	for _, search := range []string{"", "tea"} {
		for _, order := range posts.Orders() {
			var added []uuid.UUID
			found := pages(t, service, posts.Filter{Search: search, Order: order, Max: 15, Facts: facts}, func() {
				added = append(added, publish("Tea", money.Cents(rand.IntN(15)+1), posts.Facts{"monetised": true}).ID)
			})
			var ids []uuid.UUID
			for i, post := range found {
				switch {
				case i == 0:
				case order == posts.LowestPrice:
					require.GreaterOrEqual(t, post.Price, found[i-1].Price)
				case order == posts.HighestPrice:
					require.LessOrEqual(t, post.Price, found[i-1].Price)
				}
				if !slices.Contains(added, post.ID) {
					ids = append(ids, post.ID)
				}
			}
			require.ElementsMatch(t, kept, ids, "%s %q", order, search)
			_, err := db.Owner().Exec(t.Context(), `delete from posts where id = any($1)`, added)
			require.NoError(t, err)
		}
	}
}

// A page reads no more than a window of posts: one with a rare fact goes on with an empty page.
func TestBrowse_window(t *testing.T) {
	t.Parallel()
	service, db, publish := newMarket(t)
	cheap := publish("Cheap", 1, posts.Facts{"strikes": 1.0})
	_, err := db.Owner().Exec(t.Context(), `
		insert into posts (id, created_by, title, description, price, category, subcategory, tags, created_at, updated_at, place, document)
		select gen_random_uuid(), created_by, 'Filler', 'x', 2, category, subcategory, '{}', now(), now(), n, ' filler'
		  from posts, generate_series(1, 12000) n`)
	require.NoError(t, err)
	dear := publish("Dear", 3, posts.Facts{"strikes": 1.0})
	facts, err := posts.ParseFactFilters("strikes:1..")
	require.NoError(t, err)
	filter, turned := posts.Filter{Order: posts.LowestPrice, Facts: facts}, 0
	first, err := service.Browse(t.Context(), filter)
	require.NoError(t, err)
	require.Nil(t, first.Total, "there are too many to count")
	require.Equal(t, "Cheap Dear", titles(pages(t, service, filter, func() { turned++ })))
	require.Equal(t, 2, turned)
	require.NotEqual(t, cheap.ID, dear.ID)
}

// The first page of a large listing is read from indexes, without counting its posts, and that of a
// rare category without the other posts.
func TestBrowse_plans(t *testing.T) {
	t.Parallel()
	_, db, publish := newMarket(t)
	for range 10 {
		publish("Rare", 100_00, nil)
	}
	_, err := db.Owner().Exec(t.Context(), `
		insert into posts (id, created_by, title, description, price, category, subcategory, tags, created_at, updated_at, place, document)
		select gen_random_uuid(), created_by, 'Filler', repeat('x', 500), 1 + n % 997, 'Physical Product', 'Books', '{}', now(), now(), n, ' x'
		  from (select created_by from posts limit 1) seller, generate_series(1, 12000) n`)
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), `vacuum analyze posts`)
	require.NoError(t, err)
	for _, filter := range []posts.Filter{
		{},
		{Order: posts.LowestPrice},
		{Subcategory: "Books", Order: posts.HighestPrice},
		{Category: posts.PhysicalProduct},
		{Category: posts.OnlineAsset},
		{Category: posts.OnlineAsset, Order: posts.LowestPrice},
	} {
		t.Run(string(filter.Category)+filter.Subcategory+string(filter.Order), func(t *testing.T) {
			t.Parallel()
			plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
				page, err := (&posts.Service{DB: pool, Clock: clock.System{}}).Browse(t.Context(), filter)
				require.NoError(t, err)
				require.NotEmpty(t, page.Posts)
			})
			require.NotRegexp(t, `(Seq|Index|Heap) Scan .*actual time=\S+ rows=\d{4}`, plans, "reads thousands of posts")
			require.NotRegexp(t, `Rows Removed by Filter: \d{4}`, plans)
		})
	}
}

func TestParseFactFilters_invalid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"monetised", "monetised:maybe", "subscribers:12", "subscribers:a..", "subscribers:..b", "accountType:gold", "niche:tea", "x:true", ",",
	} {
		_, err := posts.ParseFactFilters(text)
		require.Error(t, err, text)
	}
}

// What does not fit is refused; what posts of the subcategory do not state is dropped.
func TestFacts(t *testing.T) {
	t.Parallel()
	service, _, publish := newMarket(t)
	made := publish("Channel", 100, posts.Facts{"subscribers": 5.0, "level": 3.0, "unknown": "x", "niche": " "})
	require.Equal(t, posts.Facts{"subscribers": 5.0}, made.Facts)
	seller := made.CreatedBy
	draft := posts.Draft{Title: "Channel", Description: "x", Price: 100, Category: posts.OnlineAsset, Subcategory: "YouTube Channel"}
	edited, err := service.Edit(t.Context(), seller.ID, made.ID, draft)
	require.NoError(t, err)
	require.Equal(t, made.Facts, edited.Facts, "an edit without facts keeps them")
	draft.Subcategory = "Website"
	edited, err = service.Edit(t.Context(), seller.ID, made.ID, draft)
	require.NoError(t, err)
	require.Empty(t, edited.Facts)
	for _, facts := range []posts.Facts{
		{"subscribers": -1.0},
		{"subscribers": 1.5},
		{"subscribers": 2e9},
		{"subscribers": "many"},
		{"monetised": "yes"},
		{"accountType": "gold"},
		{"niche": strings.Repeat("x", 41)},
		{"niche": []any{"x"}},
	} {
		draft.Facts = facts
		_, err := service.Edit(t.Context(), seller.ID, made.ID, draft)
		require.ErrorContains(t, err, "A detail of the post does not fit.", "%v", facts)
	}
}
