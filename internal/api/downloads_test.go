package api

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// One user with slow connections does not keep others from downloading.
func TestDownloads_one_of_a_user(t *testing.T) {
	t.Parallel()
	d := newDownloads()
	user := uuid.New()
	require.True(t, d.start(user))
	require.False(t, d.start(user))
	for range maxDownloads - 1 {
		require.True(t, d.start(uuid.New()))
	}
	require.False(t, d.start(uuid.New()))
	d.end(user)
	require.True(t, d.start(user))
}
