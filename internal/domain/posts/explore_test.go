package posts

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

func TestSample_exceeds(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		sample sample
		want   bool
	}{
		"a million posts, all match":         {sample{posts: sampleSize, matches: sampleSize, share: .0005}, true},
		"a million posts, a tenth match":     {sample{posts: sampleSize, matches: 50, share: .0005}, true},
		"as many as 60,000 matches may have": {sample{posts: sampleSize, matches: 30, share: .0005}, true},
		"more than expected by chance":       {sample{posts: sampleSize, matches: 25, share: .0005}, false},
		"as expected of the maximum":         {sample{posts: sampleSize, matches: 5, share: .0005}, false},
		"no match":                           {sample{posts: sampleSize, share: .0005}, false},
		"as many posts as the maximum":       {sample{posts: sampleSize, matches: sampleSize, share: .05}, false},
		"half more than the maximum":         {sample{posts: sampleSize, matches: sampleSize, share: .05 / 1.5}, true},
		"the end of the circle":              {sample{posts: sampleSize - 1, matches: sampleSize - 1, share: .0001}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, tc.sample.exceeds(maxMatches))
		})
	}
}

// 16,000 posts with the word apple, 9,000 of them with the word pear. The places are spread evenly.
const sqlOrchard = `
with seller as (
  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
  values (gen_random_uuid(), 'seller', 'seller@example.com', 'x', 'code', @at, @at) returning id
)
insert into posts (id, created_by, title, description, price, category, subcategory, tags, created_at, updated_at, place, document)
select gen_random_uuid(), seller.id, 'Fruit', 'Fruit', 100, 'Physical Product', 'Other', '{}', @at, @at, n * 1540483477 % 2147483648,
       ' apple' || case when n <= 9000 then ' pear' else '' end
  from seller, generate_series(1::bigint, 16000) n`

// A search of which a sample shows that it has too many matches is not gathered. Its pages are
// those of the walk.
func TestExplore_common_words(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	now := clock.System{}.Now()
	_, err := db.Owner().Exec(t.Context(), sqlOrchard, postgres.Args{"at": now.Add(-time.Hour)})
	require.NoError(t, err)
	_, err = db.Owner().Exec(t.Context(), `vacuum analyze posts, users`)
	require.NoError(t, err)
	require.NoError(t, CollectWords(t.Context(), db.Worker()))
	const start = 1_000_000_000
	for name, tc := range map[string]struct {
		query    Query
		total    int
		gathered bool
		start    int32
	}{
		"common":                {query: Query{Search: "apple"}, total: maxMatches, start: start},
		"common, in a category": {query: Query{Search: "apple", Category: PhysicalProduct}, total: maxMatches, start: start},
		"common, with a typo":   {query: Query{Search: "appel"}, total: maxMatches, start: start, gathered: true}, // the typo
		"at the circle's end":   {query: Query{Search: "apple"}, total: maxMatches, start: places - 10_000_000, gathered: true},
		"not common enough":     {query: Query{Search: "pear"}, total: 9_000, start: start, gathered: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.query.Page = 2
			tc.query.Seed = strconv.FormatInt(int64(tc.start), seedBase) + seedSeparator + strconv.FormatInt(now.UnixMicro(), seedBase)
			var listing Listing
			plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) {
				var err error
				listing, err = (&Service{DB: pool, Clock: clock.System{}}).Explore(t.Context(), tc.query)
				require.NoError(t, err)
			})
			require.Equal(t, (tc.total+PageSize-1)/PageSize, listing.TotalPages)
			require.Equal(t, walked(t, db, strings.Replace(tc.query.Search, "appel", "apple", 1), tc.start), ids(listing.Posts))
			require.Equal(t, tc.gathered, strings.Contains(plans, "CTE matches"))
		})
	}
}

// walked returns the second page of a search.
func walked(t *testing.T, db *dbtest.DB, word string, start int32) []uuid.UUID {
	t.Helper()
	rows, err := db.Owner().Query(t.Context(),
		`select id from posts where document like '%' || $1 || '%' order by place < $2, place, id offset $3 limit $3`, word, start, PageSize)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	return found
}

func ids(posts []Post) []uuid.UUID {
	list := make([]uuid.UUID, len(posts))
	for i, post := range posts {
		list[i] = post.ID
	}
	return list
}

// matches reports whether a document matches a query, as the SQL of store_explore.go does.
func matches(document, query string) bool {
	for _, word := range searchTerms(query) {
		if !strings.Contains(document, word) {
			return false
		}
	}
	return true
}

func TestTokenize(t *testing.T) {
	t.Parallel()
	symbol := encodeSymbol
	for text, words := range map[string][]string{
		"":                          nil,
		" \t\n\u00a0\u200b":         nil,
		"১৩ 13":                     {"13", "13"},
		"T\u2011Shirt o\u2019clock": {"t", symbol('-'), "shirt", "o", symbol('\''), "clock"},
		"“x” «y» \u00b4":            {symbol('"'), "x", symbol('"'), symbol('"'), "y", symbol('"'), symbol('\'')},
		"ক্\u200dষ র\u200c্যাব":     {"ক্ষ", "র্যাব"},
		"❤\ufe0f":                   {symbol('❤')},
		"Logo  DESIGN\nnow":         {"logo", "design", "now"},
		"e-mail: a_b@c.com":         {"e", symbol('-'), "mail", symbol(':'), "a", symbol('_'), "b", symbol('@'), "c", symbol('.'), "com"},
		"100%":                      {"100", symbol('%')},
		"ﬁne Ｌｏｇｏ":                  {"fine", "logo"},
		"\u09af\u09bc":              {"\u09af\u09bc"},
		"\u09df":                    {"\u09af\u09bc"}, // one letter, encoded in two ways
		"ক্লাস":                     {"ক্লাস"},
		"🎮game":                     {symbol('🎮'), "game"},
		"\ufffd" + string(rune(0)):  {symbol('\ufffd')},
	} {
		t.Run(strconv.Quote(text), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, words, tokenize(text))
		})
	}
	require.NotEqual(t, symbol('%'), symbol('_'))
}

func TestSearchTerms_short_words(t *testing.T) {
	t.Parallel()
	d := document(Draft{
		Title: "Logo", Category: OnlineAsset, Subcategory: "Ebook", Tags: []string{"vector"}, Description: "Big (new) one",
	}, "Karim_7")
	for _, query := range []string{"অনলাইন", "সম্পদ", "ই-বুক", "৭", "l", "lo", "ogo", "ne", "new", "( n", "karim_7", "book", "VEC big", "7"} {
		require.True(t, matches(d, query), query)
	}
	for _, query := range []string{"go", "og", "logo x", "xlogo", "%", "ew"} {
		require.False(t, matches(d, query), query)
	}
}

// The names are those of the UI.
func TestBangla(t *testing.T) {
	t.Parallel()
	texts, err := os.ReadFile("../../../ui/src/i18n/bn/categories.ts")
	require.NoError(t, err)
	shown := map[string]string{}
	for _, line := range regexp.MustCompile(`'(?:category|sub)\.([^']+)': '([^']+)'`).FindAllStringSubmatch(string(texts), -1) {
		shown[line[1]] = line[2]
	}
	require.Equal(t, shown, bangla)
}

// A post is found by any part of its text that is delimited by spaces, and no query fails.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		"", "logo", "100%", `c:\x_y`, "' or 1=1 --", "ইউটিউব", "য়",
		"\u0301a", "İ", "ß", "ǅ", "\xff", "\xf0ǅ", "a\x00b", "🎮", "½ ﷺ", "ΑΣ",
	} {
		f.Add(seed, "before", "after")
		f.Add(seed, "\u0301", "\u09bc")
	}
	f.Fuzz(func(t *testing.T, query, before, after string) {
		d := document(Draft{Description: before + " " + query + " " + after}, "karim")
		require.True(t, matches(d, query), "%q in %q", searchTerms(query), d)
		for _, word := range searchTerms(query) {
			require.NotEmpty(t, strings.TrimSpace(word))
			require.False(t, strings.ContainsAny(word, `%_\`), "no word is a pattern")
		}
	})
}
