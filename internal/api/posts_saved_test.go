package api_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/money"
	"amanat/queue/jobs"
)

func TestSavedPosts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.work()
	seller, buyer := f.member("karim"), f.member("rahim")
	post, second := seller.publish(nil), seller.publish(fields{"title": "Another logo"})
	for _, p := range []api.Post{post, post, second} {
		buyer.put(path(p)+"/saved", nil).want(http.StatusOK)
	}
	seller.put(path(post)+"/saved", nil).refused(http.StatusConflict, "conflict", "You cannot save your own post.")

	saved := func(query string) (list []api.SavedPost) {
		t.Helper()
		buyer.get("/posts/saved" + query).want(http.StatusOK).into(&list)
		return list
	}
	list := saved("?page=2&limit=1")
	require.Equal(t, []api.Post{post}, []api.Post{list[0].Post}, "the last saved is on the first page")
	var mine []api.Post
	seller.get("/posts/my-posts").want(http.StatusOK).into(&mine)
	require.Equal(t, 1, mine[0].Saves)

	seller.put(path(post), offer(fields{"price": 20})).want(http.StatusOK)
	require.Eventually(t, func() bool { return len(buyer.kinds()) == 1 }, 10*time.Second, 10*time.Millisecond)
	seller.do(http.MethodDelete, path(second), nil).want(http.StatusOK)
	require.Eventually(t, func() bool { return len(buyer.kinds()) == 2 }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, []string{"saved_post_gone", "saved_post_cheaper"}, buyer.kinds())
	list = saved("")
	require.Len(t, list, 1)
	require.EqualValues(t, 25_50, list[0].SavedPrice)
	require.EqualValues(t, 20_00, list[0].Price)

	require.JSONEq(t, `["`+post.ID.String()+`"]`, string(buyer.get("/posts/saved/ids").want(http.StatusOK).body))
	buyer.do(http.MethodDelete, path(post)+"/saved", nil).want(http.StatusOK)
	require.JSONEq(t, `[]`, string(buyer.get("/posts/saved/ids").want(http.StatusOK).body))
	buyer.put(path(second)+"/saved", nil).refused(http.StatusNotFound, "not_found", "Post not found")
}

// A user saves a search, is mailed of a new post, and unsubscribes from such emails without a
// session.
func TestSavedSearches(t *testing.T) {
	t.Parallel()
	f, catcher := newFixtureWithData(t)
	seller, buyer := f.member("karim"), f.member("rahim")
	f.trust(buyer)
	const searches = "/posts/saved/searches"
	const query = "?search=Cooking&category=Online+Asset&subcategory=YouTube+Channel&min=10&max=99.5&facts=monetised:true,subscribers:1000.."
	var saved, again api.SavedSearch
	require.JSONEq(t, `[]`, string(buyer.get(searches).want(http.StatusOK).body))
	buyer.put(searches+query, nil).want(http.StatusOK).into(&saved)
	buyer.put(searches+query+"&sort=price&seed=x&page=3", nil).want(http.StatusOK).into(&again)
	require.Equal(t, saved, again)
	require.Equal(t, api.SavedSearch{
		ID: saved.ID, Search: "Cooking", Category: "Online Asset", Subcategory: "YouTube Channel", Min: new(money.Cents(10_00)),
		Max: new(money.Cents(99_50)), Facts: "subscribers:1000..,monetised:true", Frequency: "daily", CreatedAt: saved.CreatedAt,
	}, saved)
	buyer.put(searches+"?sort=price", nil).refused(http.StatusBadRequest, "invalid", "Search for words or set a filter first.")
	buyer.put(searches+"?facts=height:3", nil).refused(http.StatusBadRequest, "invalid", "There is no filter height:3.")
	buyer.do(http.MethodPatch, searches+"/"+saved.ID.String(), fields{"frequency": "hourly"}).
		refused(http.StatusBadRequest, "invalid", "Choose soon, daily or off.")
	buyer.do(http.MethodPatch, searches+"/"+saved.ID.String(), fields{"frequency": "soon"}).want(http.StatusOK).into(&saved)
	require.Equal(t, "soon", saved.Frequency)

	post := seller.publish(fields{
		"title": "Cooking with Mina", "price": 50, "category": "Online Asset", "subcategory": "YouTube Channel",
		"facts": fields{"monetised": true, "subscribers": 2000},
	})
	f.runs(jobs.SearchAlerts)
	require.Equal(t, []string{"saved_search_found"}, buyer.kinds())
	require.Empty(t, seller.kinds())
	mail := f.mailed(catcher, "rahim@example.com", "New posts match a search that you saved.")
	require.Contains(t, mail.Text, "Cooking with Mina\r\n$50.00\r\n"+f.url+path(post))

	require.Equal(t, "List-Unsubscribe=One-Click", mail.Header.Get("List-Unsubscribe-Post"))
	address, found := strings.CutPrefix(strings.Trim(mail.Header.Get("List-Unsubscribe"), "<>"), f.url+"/api")
	require.True(t, found)
	v := f.visitor()
	v.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	page, err := url.Parse(v.get(address).want(http.StatusSeeOther).header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, "/unsubscribe", page.Path)
	require.Equal(t, "searches", page.Query().Get("of"))
	frequency := func() string {
		var list []api.SavedSearch
		buyer.get(searches).want(http.StatusOK).into(&list)
		return list[0].Frequency
	}
	v.post("/mail/unsubscribe?of=searches&token="+uuid.NewString(), nil).refused(http.StatusBadRequest, "invalid", "Invalid or missing token")
	v.post("/mail/unsubscribe?of=deals&token="+page.Query().Get("token"), nil).want(http.StatusBadRequest)
	require.Equal(t, "soon", frequency(), "neither looking nor a forged token changes anything")
	v.do(http.MethodPost, address, "List-Unsubscribe=One-Click", "Content-Type", "application/x-www-form-urlencoded").want(http.StatusOK)
	require.Equal(t, "off", frequency())
	var me api.Me
	buyer.get("/auth/me").want(http.StatusOK).into(&me)
	require.True(t, me.MailNotices, "other emails go on")

	buyer.do(http.MethodDelete, searches+"/"+saved.ID.String(), nil).want(http.StatusOK)
	buyer.do(http.MethodDelete, searches+"/"+saved.ID.String(), nil).refused(http.StatusNotFound, "not_found", "Search not found")
	for n := range 20 {
		buyer.put(searches+"?search=word"+strconv.Itoa(n), nil).want(http.StatusOK)
	}
	buyer.put(searches+"?search=more", nil).
		refused(http.StatusConflict, "conflict", "You can save up to 20 searches. Please remove one first.")
}

// The fixture has no Redis.
func TestPostSeen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seller := f.member("karim")
	post := seller.publish(nil)
	for _, reader := range []*browser{seller, f.member("rahim"), f.visitor()} {
		require.JSONEq(t, `{"counted": false}`, string(reader.post(path(post)+"/seen", nil).want(http.StatusOK).body))
	}
	f.visitor().post("/posts/"+seller.user.ID.String()+"/seen", nil).refused(http.StatusNotFound, "not_found", "Post not found")
}
