package main

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// marketIsAlive requires posts in every category, more than a page of them and most with a picture,
// and a seller with reviews.
func marketIsAlive(t *testing.T, p *person) {
	t.Helper()
	pictures := 0
	for category, count := range map[string]int{"Freelance Service": 3, "Physical Product": 5, "Online Asset": 6} {
		var listing struct {
			Posts []struct{ Image string }
		}
		require.NoError(t, p.call(t.Context(), http.MethodGet, "/posts/public?category="+url.QueryEscape(category), nil, &listing))
		require.Len(t, listing.Posts, count, category)
		for _, post := range listing.Posts {
			if post.Image != "" {
				pictures++
			}
		}
	}
	require.Equal(t, 12, pictures)

	var profile struct {
		ReviewCount  int
		SuccessScore *int
	}
	require.NoError(t, p.call(t.Context(), http.MethodGet, "/auth/profile/seller", nil, &profile))
	require.Positive(t, profile.ReviewCount)
	require.Equal(t, 63, *profile.SuccessScore, "five of eight")
}
