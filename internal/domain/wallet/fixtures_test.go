package wallet

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
)

// Users and time of the tables.
var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	owner  = user.Ref{ID: uuid.UUID{1}, Username: "rahim"}
	admin  = user.Ref{ID: uuid.UUID{2}, Username: "boss"}
	second = user.Ref{ID: uuid.UUID{3}, Username: "chief"}
)

// fixed is a clock that always returns the same time.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

// requireField checks that err is Invalid for the field with the text, or nil if field is "".
func requireField(t *testing.T, field, text string, err error) {
	t.Helper()
	if field == "" {
		require.NoError(t, err)
		return
	}
	require.Equal(t, fault.Invalid, fault.CodeOf(err))
	require.Equal(t, map[string]string{field: text}, fault.As(err).Fields)
}
