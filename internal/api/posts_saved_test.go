package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/api"
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
