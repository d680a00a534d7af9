package posts_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

// alerts records the titles of the posts that users are told of, and the links.
type alerts struct {
	f     *savedFixture
	links []string
}

func (a *alerts) Notify(
	ctx context.Context, _ *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string,
) error {
	require.Equal(a.f.t, catalog.SavedSearchFound, kind)
	var names []string
	for id := range strings.SplitSeq(params["posts"], ",") {
		post, err := a.f.Get(ctx, posts.Reader{}, uuid.MustParse(id))
		require.NoError(a.f.t, err)
		names = append(names, post.Title)
	}
	a.f.told[userID] = append(a.f.told[userID], strings.Join(names, " "))
	a.links = append(a.links, link)
	return nil
}

// alert runs the job and returns what it has told, by user.
func (f *savedFixture) alert() (told notices, links []string) {
	f.t.Helper()
	f.told = notices{}
	a := &alerts{f: f}
	count, err := (&posts.Alerter{DB: f.db.Worker(), Clock: f.clock, Notices: a}).Alert(f.t.Context())
	require.NoError(f.t, err)
	require.Len(f.t, a.links, count)
	return f.told, a.links
}

func (f *savedFixture) search(user uuid.UUID, frequency posts.Frequency, filter posts.Filter) posts.SavedSearch {
	f.t.Helper()
	saved, err := f.SaveSearch(f.t.Context(), user, filter)
	require.NoError(f.t, err)
	saved, err = f.SetFrequency(f.t.Context(), user, saved.ID, frequency)
	require.NoError(f.t, err)
	return saved
}

func facts(t *testing.T, text string) []posts.FactFilter {
	t.Helper()
	filters, err := posts.ParseFactFilters(text)
	require.NoError(t, err)
	return filters
}

func TestSaveSearch(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	first := f.search(f.buyer, posts.Daily, posts.Filter{
		Search: " Cooking channel ", Category: posts.OnlineAsset, Min: 50_00, Facts: facts(t, "subscribers:1000..,monetised:true"),
	})
	require.Equal(t, "Cooking channel", first.Search)
	require.Equal(t, "subscribers:1000..,monetised:true", first.Facts)
	again, err := f.SaveSearch(t.Context(), f.buyer, posts.Filter{
		Search: "CHANNEL cooking", Category: posts.OnlineAsset, Min: 50_00, Order: posts.LowestPrice,
		Facts: facts(t, "monetised:true,subscribers:1000..1000000000"),
	})
	require.NoError(t, err)
	require.Equal(t, first, again, "the same in other words")

	refused := func(user uuid.UUID, filter posts.Filter) string {
		t.Helper()
		_, err := f.SaveSearch(t.Context(), user, filter)
		require.Error(t, err)
		return fault.As(err).Reason
	}
	require.Equal(t, "search_empty", refused(f.buyer, posts.Filter{Search: " ", Order: posts.Newest}))
	require.Equal(t, "search_too_long", refused(f.buyer, posts.Filter{Search: strings.Repeat("a", 101)}))
	require.Equal(t, "subcategory_too_long", refused(f.buyer, posts.Filter{Subcategory: strings.Repeat("a", 41)}))
	for n := range money.Cents(19) {
		f.search(f.buyer, posts.Daily, posts.Filter{Max: n + 1})
	}
	require.Equal(t, "too_many_searches", refused(f.buyer, posts.Filter{Search: "one more"}))
	f.search(f.user("other"), posts.Soon, posts.Filter{Search: "one more"})

	_, err = f.SetFrequency(t.Context(), f.buyer, first.ID, "hourly")
	require.Equal(t, "frequency_unknown", fault.As(err).Reason)
	other := f.user("third")
	_, err = f.SetFrequency(t.Context(), other, first.ID, posts.Off)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Equal(t, fault.NotFound, fault.CodeOf(f.RemoveSearch(t.Context(), other, first.ID)))
	list, err := f.Searches(t.Context(), f.buyer)
	require.NoError(t, err)
	require.Len(t, list, 20)
	require.Equal(t, first, list[19], "the last saved comes first")
	require.NoError(t, f.RemoveSearch(t.Context(), f.buyer, first.ID))
	f.search(f.buyer, posts.Daily, posts.Filter{Search: "one more"})
}

// A saved search matches what the filtered listing shows.
func TestAlert_matches(t *testing.T) {
	t.Parallel()
	for name, filter := range map[string]posts.Filter{
		"a word":             {Search: "cooking"},
		"inside a word":      {Search: "okin"},
		"two words":          {Search: "bangla channel"},
		"a long word":        {Search: "electronically"},
		"one letter":         {Search: "ব"},
		"Bangla":             {Search: "রান্নার চ্যানেল"},
		"figures":            {Search: "১২০০০"},
		"a symbol":           {Search: "100%"},
		"the seller":         {Search: "seller"},
		"a slip":             {Search: "cookimg"},
		"another category":   {Search: "cooking", Category: posts.PhysicalProduct},
		"a subcategory":      {Subcategory: "YouTube Channel", Category: posts.OnlineAsset},
		"other subcategory":  {Subcategory: "Facebook Page"},
		"cheap":              {Max: 100_00},
		"dear":               {Min: 100_01},
		"a price range":      {Min: 50_00, Max: 250_00},
		"a number":           {Facts: facts(t, "subscribers:1000..2000")},
		"states the number":  {Facts: facts(t, "subscribers:..")},
		"a flag":             {Facts: facts(t, "monetised:true")},
		"a choice":           {Facts: facts(t, "accountType:brand")},
		"facts and the rest": {Search: "cooking", Max: 200_00, Facts: facts(t, "monetised:false,subscribers:..5000")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newSavedFixture(t)
			f.search(f.buyer, posts.Soon, filter)
			f.publish("Cooking channel in Bangla", 100_00, posts.Facts{"subscribers": int64(1500), "monetised": true, "accountType": "brand"})
			f.publish("রান্নার চ্যানেল, 12000 দর্শক", 200_00, posts.Facts{"subscribers": int64(12_000), "monetised": false})
			f.publish("Cooking 100% electronically", 50_00, posts.Facts{"monetised": false, "subscribers": int64(1)})
			f.publish("Gardening", 300_00, nil)
			page, err := f.Browse(t.Context(), filter)
			require.NoError(t, err)
			told, _ := f.alert()
			if page.Similar { // these words are in no post
				require.Empty(t, told)
				return
			}
			var want notices
			if want = (notices{}); len(page.Posts) > 0 {
				want[f.buyer] = []string{titles(page.Posts)}
			}
			require.Equal(t, want, told)
		})
	}
}

// A user is told of a post once, in one notification for all searches and posts of a run.
func TestAlert_once(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	f.publish("Before", 100_00, nil)
	f.alert()
	one := f.search(f.buyer, posts.Soon, posts.Filter{Search: "Channel & more", Max: 900_00, Facts: facts(t, "monetised:true")})
	f.search(f.buyer, posts.Soon, posts.Filter{Max: 200_00})
	told, _ := f.alert()
	require.Empty(t, told, "published before it was saved")
	f.publish("First", 100_00, nil)
	f.publish("Second", 150_00, nil)
	edited := f.publish("Third", 300_00, nil)
	told, links := f.alert()
	require.Equal(t, notices{f.buyer: {"Second First"}}, told)
	u, err := url.Parse(links[0])
	require.NoError(t, err)
	require.Equal(t, "/explore", u.Path)
	require.Equal(t, url.Values{"max": {"200"}, "sort": {"newest"}}, u.Query())

	_, err = f.Edit(t.Context(), edited.CreatedBy.ID, edited.ID, posts.Draft{
		Title: "Third", Description: "As agreed.", Price: 100_00, Category: edited.Category, Subcategory: edited.Subcategory,
	})
	require.NoError(t, err)
	told, _ = f.alert()
	require.Empty(t, told, "an edited post is not a new one")

	f.publish("Channel & more", 899_99, posts.Facts{"monetised": true})
	_, links = f.alert()
	u, err = url.Parse(links[0])
	require.NoError(t, err)
	require.Equal(t, url.Values{
		"search": {"Channel & more"}, "max": {"900"}, "facts": {"monetised:true"}, "sort": {"newest"},
	}, u.Query())
	f.publish("A channel & more", 120_00, posts.Facts{"monetised": true})
	f.publish("Cheap", 1_00, nil)
	f.publish("One channel & more", 300_00, posts.Facts{"monetised": true})
	told, links = f.alert()
	require.Equal(t, notices{f.buyer: {"One channel & more Cheap A channel & more"}}, told)
	require.Equal(t, []string{"/saved?tab=searches"}, links, "two searches have found them")
	require.NoError(t, f.RemoveSearch(t.Context(), f.buyer, one.ID))
	f.publish("Channel & more again", 800_00, posts.Facts{"monetised": true})
	told, _ = f.alert()
	require.Empty(t, told, "removed")
}

// Nobody is told of their own posts, of hidden ones, and of those of disabled or blocked users.
func TestAlert_not_for(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	seller := f.publish("Old", 100_00, nil).CreatedBy.ID
	f.alert()
	blocked, blocker, suspended, fine := f.user("blocked"), f.user("blocker"), f.user("suspended"), f.user("fine")
	f.exec(`insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, now()), ($3, $1, now())`, seller, blocked, blocker)
	f.exec(`update users set disabled_at = now() where id = $1`, suspended)
	for _, user := range []uuid.UUID{seller, blocked, blocker, suspended, fine, f.buyer} {
		f.search(user, posts.Soon, posts.Filter{Max: 100_00})
	}
	f.search(f.buyer, posts.Off, posts.Filter{Max: 100_00})
	hidden, deleted := f.publish("Hidden", 1_00, nil), f.publish("Deleted", 1_00, nil)
	f.publish("New", 1_00, nil)
	require.NoError(t, f.hide(hidden))
	require.NoError(t, f.Delete(t.Context(), seller, deleted.ID))
	told, _ := f.alert()
	require.Equal(t, notices{fine: {"New"}}, told)
	f.publish("Of a disabled seller", 1_00, nil)
	f.exec(`update users set disabled_at = now() where id = $1`, seller)
	told, _ = f.alert()
	require.Empty(t, told)
}

// Daily searches wait for nine in the morning in Dhaka. What was found by a soon one as well does
// not.
func TestAlert_daily(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	dhaka := func() time.Time { return f.clock.Now().Add(6 * time.Hour).UTC() }
	until := func(hour, minute int) {
		now := dhaka()
		at := time.Date(now.Year(), now.Month(), now.Day(), hour, minute, 0, 0, time.UTC)
		if !at.After(now) {
			at = at.AddDate(0, 0, 1)
		}
		f.clock.Advance(at.Sub(now))
	}
	until(8, 30)
	daily := f.search(f.buyer, posts.Daily, posts.Filter{Max: 100_00})
	f.search(f.buyer, posts.Soon, posts.Filter{Search: "urgent"})
	f.publish("Cheap", 1_00, nil)
	f.publish("Urgent", 2_00, nil)
	told, _ := f.alert()
	require.Equal(t, notices{f.buyer: {"Urgent"}}, told)
	until(8, 59)
	told, _ = f.alert()
	require.Empty(t, told)
	until(9, 1)
	f.publish("Too late for today", 3_00, nil)
	told, links := f.alert()
	require.Equal(t, notices{f.buyer: {"Cheap"}}, told)
	require.Equal(t, []string{"/explore?max=100&sort=newest"}, links)
	until(23, 0)
	f.publish("At night", 4_00, nil)
	told, _ = f.alert()
	require.Empty(t, told)
	until(9, 0)
	told, _ = f.alert()
	require.Equal(t, notices{f.buyer: {"At night Too late for today"}}, told)

	f.publish("Not waited for", 5_00, nil)
	f.alert()
	_, err := f.SetFrequency(t.Context(), f.buyer, daily.ID, posts.Soon)
	require.NoError(t, err)
	told, _ = f.alert()
	require.Equal(t, notices{f.buyer: {"Not waited for"}}, told)
}

// A post is not missed because another that was published later is there first.
func TestAlert_late_commit(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	f.search(f.buyer, posts.Soon, posts.Filter{Max: 100_00})
	slow := f.publish("Slow", 1_00, nil)
	f.exec(`delete from new_posts`)
	tx, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `insert into new_posts (post_id) values ($1)`, slow.ID)
	require.NoError(t, err)
	f.publish("Fast", 1_00, nil)
	told, _ := f.alert()
	require.Equal(t, notices{f.buyer: {"Fast"}}, told)
	require.NoError(t, tx.Commit(t.Context()))
	told, _ = f.alert()
	require.Equal(t, notices{f.buyer: {"Slow"}}, told)
}

// Many posts and users are taken in batches, and a notification lists ten posts.
func TestAlert_many(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	seed := f.search(f.buyer, posts.Soon, posts.Filter{Max: 100_00})
	f.exec(`with made as (
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		select gen_random_uuid(), 'many' || n, n || '@example.com', 'x', 'many' || n, now(), now() from generate_series(1, 450) n returning id)
		insert into saved_searches
		select gen_random_uuid(), made.id, search, category, subcategory, min_price, max_price, facts, frequency, created_at, patterns, key,
		       facts_path
		  from made, saved_searches where saved_searches.id = $1`, seed.ID)
	for range 105 {
		f.publish("Post", 1_00, nil)
	}
	told, _ := f.alert()
	require.Len(t, told, 451)
	for _, list := range told {
		require.Equal(t, []string{strings.TrimSpace(strings.Repeat("Post ", 10))}, list)
	}
	told, _ = f.alert()
	require.Empty(t, told)
}

func TestStopSearches(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	f.search(f.buyer, posts.Soon, posts.Filter{Max: 100_00})
	f.search(f.buyer, posts.Daily, posts.Filter{Max: 200_00})
	other := f.user("other")
	f.search(other, posts.Soon, posts.Filter{Max: 100_00})
	for _, forged := range []string{"", "x", uuid.NewString()} {
		require.Equal(t, "token_invalid", fault.As(f.StopSearches(t.Context(), forged)).Reason)
	}
	var token uuid.UUID
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select unsubscribe_token from users where id = $1`, f.buyer).Scan(&token))
	f.publish("New", 1_00, nil)
	require.NoError(t, f.StopSearches(t.Context(), token.String()))
	require.NoError(t, f.StopSearches(t.Context(), token.String()), "again")
	told, _ := f.alert()
	require.Equal(t, notices{other: {"New"}}, told)
	list, err := f.Searches(t.Context(), f.buyer)
	require.NoError(t, err)
	require.Equal(t, []posts.Frequency{posts.Off, posts.Off}, []posts.Frequency{list[0].Frequency, list[1].Frequency})
}
