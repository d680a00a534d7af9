package posts_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/testing/dbtest"
)

// benchPosts is the number of posts that BenchmarkExplore creates unless AMANAT_BENCH_POSTS is set.
const benchPosts = 1_000_000

// reading is a page of a listing that is measured. It returns the number of pages, if known.
type reading struct {
	name string
	read func(ctx context.Context, s *posts.Service) (pages int, err error)
}

// BenchmarkExplore measures the public listing with a million posts (docs/testing.md#targets).
func BenchmarkExplore(b *testing.B) {
	db := dbtest.New(b)
	fill(b, db)
	service := &posts.Service{DB: db.API(), Clock: clock.System{}}
	var slowest reading
	var slowestP99 time.Duration
	for _, r := range append(exploring(), browsing(b, service)...) {
		b.Run(r.name, func(b *testing.B) {
			var took []time.Duration
			var pages int
			for b.Loop() {
				started := time.Now()
				var err error
				pages, err = r.read(b.Context(), service)
				took = append(took, time.Since(started))
				require.NoError(b, err)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(pages), "pages")
			if p99 := took[len(took)*99/100]; p99 > slowestP99 {
				slowest, slowestP99 = r, p99
			}
		})
	}
	plans := dbtest.Explain(b, db, func(pool *pgxpool.Pool) {
		_, err := slowest.read(b.Context(), &posts.Service{DB: pool, Clock: clock.System{}})
		require.NoError(b, err)
	})
	require.NoError(b, os.WriteFile("../../../bench/slowest-explore.txt", []byte(slowest.name+"\n\n"+plans), 0o600))
}

// exploring returns pages in random order. Every call has its own seed, as for different visitors.
func exploring() (list []reading) {
	for _, bench := range []struct {
		name  string
		query posts.Query
		pages int
	}{
		// The names give the number of matches among a million posts.
		{"browse", posts.Query{}, 10},
		{"category", posts.Query{Category: posts.OnlineAsset}, 10},
		{"search/nothing", posts.Query{Search: "zzzzzz"}, 1},
		{"search/nothing with a slip", posts.Query{Search: "holxxtrun"}, 1},
		{"search/slip 100,000", posts.Query{Search: "channal"}, 1},
		{"search/seller 50", posts.Query{Search: "bemhusget_5000"}, 1},
		{"search/rare word 200", posts.Query{Search: "holharrun"}, 10},
		{"search/word 2,000", posts.Query{Search: "womlohil"}, 10},
		{"search/inside words 2,000", posts.Query{Search: "durpo"}, 10},
		{"search/word 7,000", posts.Query{Search: "cutirpen"}, 10},
		{"search/two words 10,000", posts.Query{Search: "lirnen rurvin"}, 10},
		{"search/in a category 2,000", posts.Query{Search: "heshe", Category: posts.FreelanceService}, 10},
		{"search/word 17,000", posts.Query{Search: "heshe"}, 10},
		{"search/two words 100,000", posts.Query{Search: "logo design"}, 10},
		{"search/word 600,000", posts.Query{Search: "worfo"}, 10},
		{"search/two letters", posts.Query{Search: "qu"}, 10},
		{"search/one letter", posts.Query{Search: "l"}, 10},
		{"search/sign", posts.Query{Search: "%"}, 1},
		{"last page/browse", posts.Query{Page: 834}, 0},
		{"last page/search 17,000", posts.Query{Search: "heshe", Page: 834}, 0},
	} {
		list = append(list, reading{bench.name, func(ctx context.Context, s *posts.Service) (int, error) {
			query := bench.query
			if bench.pages > 0 {
				query.Page = 1 + rand.IntN(bench.pages)
			}
			listing, err := s.Explore(ctx, query)
			return listing.TotalPages, err
		}})
	}
	return list
}

// browsing returns the first and the tenth page of filtered listings.
func browsing(b *testing.B, service *posts.Service) (list []reading) {
	b.Helper()
	channels := func(facts string) posts.Filter {
		filters, err := posts.ParseFactFilters(facts)
		require.NoError(b, err)
		return posts.Filter{
			Category: posts.OnlineAsset, Subcategory: "YouTube Channel", Max: 500_00, Facts: filters, Order: posts.LowestPrice,
		}
	}
	for _, bench := range []struct {
		name   string
		filter posts.Filter
	}{
		{"newest", posts.Filter{}},
		{"newest in a category", posts.Filter{Category: posts.OnlineAsset}},
		{"newest in a price range", posts.Filter{Min: 10_00, Max: 12_00}},
		{"cheapest in a category", posts.Filter{Category: posts.OnlineAsset, Order: posts.LowestPrice}},
		{"cheapest with a fact of half", channels("subscribers:50000..")},
		{"cheapest with a fact of a hundredth", channels("subscribers:99000..")},
		{"cheapest with a rare fact", channels("subscribers:99999..")},
		{"cheapest with a word 7,000", posts.Filter{Search: "cutirpen", Order: posts.LowestPrice}},
		{"cheapest with a word 600,000", posts.Filter{Search: "worfo", Order: posts.LowestPrice}},
		{"cheapest with a slip 200", posts.Filter{Search: "holhatrun", Order: posts.LowestPrice}},
	} {
		read := func(f posts.Filter) func(ctx context.Context, s *posts.Service) (int, error) {
			return func(ctx context.Context, s *posts.Service) (int, error) {
				_, err := s.Browse(ctx, f)
				return 0, err
			}
		}
		list = append(list, reading{"filter/" + bench.name, read(bench.filter)})
		filter := bench.filter
		for range 9 {
			page, err := service.Browse(b.Context(), filter)
			require.NoError(b, err)
			if filter.Cursor = page.Next; page.Next == "" {
				break
			}
		}
		if filter.Cursor != "" {
			list = append(list, reading{"filter, tenth page/" + bench.name, read(filter)})
		}
	}
	return list
}

func fill(b *testing.B, db *dbtest.DB) {
	b.Helper()
	size := os.Getenv("AMANAT_BENCH_POSTS")
	if size == "" {
		size = strconv.Itoa(benchPosts)
	}
	fillWith(b, db, "20000", size)
}

func fillWith(b *testing.B, db *dbtest.DB, sellers, size string) {
	b.Helper()
	script, err := os.ReadFile("testdata/posts.sql")
	require.NoError(b, err)
	conn, err := pgx.Connect(b.Context(), db.OwnerURL)
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(b.Context())) }()
	for _, sql := range []string{
		"set maintenance_work_mem = '512MB'; set bench.sellers = " + sellers + "; set bench.posts = " + size,
		"drop index posts_search", // rebuilt at the end, which is faster
		string(script),
		"create index posts_search on posts using gin (category, document gin_trgm_ops) with (fastupdate = off)",
		"vacuum analyze posts",
		"refresh materialized view post_words",
		"vacuum analyze post_words",
		"vacuum analyze users",
	} {
		_, err := conn.Exec(b.Context(), sql)
		require.NoError(b, err)
	}
}

// noNotices tells nobody.
type noNotices struct{}

func (noNotices) Notify(context.Context, *postgres.Tx, uuid.UUID, catalog.Kind, catalog.Params, string) error {
	return nil
}

// BenchmarkAlert measures how long one worker takes to match 1,000 new posts with 100,000 saved
// searches and to take what was found (docs/testing.md#targets). Of ten searches, seven have a word
// of some post, one has two, one a word with a category and a price, and one has no words.
func BenchmarkAlert(b *testing.B) {
	db := dbtest.New(b)
	fillWith(b, db, "5000", "1000")
	service := &posts.Service{DB: db.API(), Clock: clock.System{}}
	users := queryAll[uuid.UUID](b, db, `select id from users order by id`)
	documents := queryAll[string](b, db, `select ltrim(document) from posts`)
	words := strings.Fields(strings.Join(documents, " "))
	slices.Sort(words)
	words = slices.Compact(words)
	word := func() string { return words[rand.IntN(len(words))] }
	var group errgroup.Group
	for _, user := range users[:1000] {
		group.Go(func() error {
			for n := range 20 {
				filter := posts.Filter{Search: word()}
				switch n % 10 {
				case 0:
					filter.Search += " " + word()
				case 1:
					filter.Category, filter.Max = posts.Categories()[rand.IntN(3)], money.Cents(1+rand.IntN(1000_00))
				case 2:
					filter = posts.Filter{Category: posts.OnlineAsset, Subcategory: "YouTube Channel", Max: money.Cents(1 + rand.IntN(1000_00))}
				}
				if _, err := service.SaveSearch(b.Context(), user, filter); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(b, group.Wait())
	exec := func(sql string) {
		_, err := db.Owner().Exec(b.Context(), sql)
		require.NoError(b, err)
	}
	// Faster than saving all of them. Each search is saved by five users.
	exec(`with numbered as (select id, row_number() over (order by id) - 1 as n from users)
		insert into saved_searches
		select gen_random_uuid(), other.id, search, category, subcategory, min_price, max_price, facts, frequency, s.created_at, patterns, key,
		       facts_path
		  from numbered other join numbered one on one.n = other.n % 1000 join saved_searches s on s.user_id = one.id
		 where other.n >= 1000`)
	exec(`update saved_searches set frequency = 'soon' where id::text < '7'`)
	exec(`vacuum analyze saved_searches`)
	alerter := &posts.Alerter{DB: db.Worker(), Clock: clock.System{}, Notices: noNotices{}}
	for b.Loop() {
		b.StopTimer()
		exec(`truncate found_posts`)
		exec(`insert into new_posts select id from posts`)
		b.StartTimer()
		told, err := alerter.Alert(b.Context())
		require.NoError(b, err)
		b.ReportMetric(float64(told), "told")
	}
	b.ReportMetric(float64(queryAll[int](b, db, `select count(*) from saved_searches`)[0]), "searches")
	b.ReportMetric(float64(queryAll[int](b, db, `select count(*) from found_posts`)[0]), "waiting")
}

func queryAll[T any](b *testing.B, db *dbtest.DB, sql string) []T {
	b.Helper()
	list, err := postgres.Query[T]("test.all", sql).Many(b.Context(), db.Owner(), nil)
	require.NoError(b, err)
	return list
}
