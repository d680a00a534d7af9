package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// marketIsAlive requires offers in every category, each with a picture, and a reviewed seller.
func marketIsAlive(t *testing.T, p *person) {
	t.Helper()
	var listing struct {
		Posts []struct{ Category, Image string }
	}
	require.NoError(t, p.call(t.Context(), http.MethodGet, "/posts/public", nil, &listing))
	categories := map[string]int{}
	for _, post := range listing.Posts {
		require.NotEmpty(t, post.Image)
		categories[post.Category]++
	}
	require.Equal(t, map[string]int{"Freelance Service": 3, "Physical Product": 3, "Online Asset": 3}, categories)

	var profile struct {
		ReviewCount  int
		SuccessScore *int
	}
	require.NoError(t, p.call(t.Context(), http.MethodGet, "/auth/profile/seller", nil, &profile))
	require.Positive(t, profile.ReviewCount)
	require.Equal(t, 25, *profile.SuccessScore, "one of the four deals that ended was completed")
}
