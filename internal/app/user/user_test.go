package user_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/user"
)

// Other users see the id, name and picture of a user, whether they are staff, and nothing else.
func TestRef_JSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(user.Ref{ID: uuid.UUID{15: 1}, Username: "rahim"})
	require.NoError(t, err)
	require.JSONEq(t, `{"_id":"00000000-0000-0000-0000-000000000001","username":"rahim","profilePic":"",
		"isStaff":false}`, string(text))
}
