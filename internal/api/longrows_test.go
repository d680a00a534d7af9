package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Pages of long rows are short enough to fit into one response, so that paging skips no row.
func TestAdminLists_every_long_row_on_a_page(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	boss := f.admin("boss")
	const rows = 60
	long := strings.Repeat("🙂", 5000)
	for _, list := range []struct{ path, insert string }{
		{"/admin/contact-messages", `insert into contact_messages (id, name, email, message, created_at)
			select gen_random_uuid(), 'Rahim', 'rahim@example.com', $1, $2::timestamptz - n * interval '1 minute'
			from generate_series(1, $3::int) n`},
		{"/admin/bug-reports", `insert into bug_reports (id, subject, description, name, email, created_at)
			select gen_random_uuid(), 'A bug', $1, 'Rahim', 'rahim@example.com', $2::timestamptz - n * interval '1 minute'
			from generate_series(1, $3::int) n`},
	} {
		_, err := f.owner.Exec(t.Context(), list.insert, long, f.clock.Now(), rows)
		require.NoError(t, err)
		seen := map[uuid.UUID]bool{}
		for page := 1; page <= 3; page++ {
			var found []struct {
				ID uuid.UUID `json:"_id"`
			}
			boss.get(fmt.Sprintf("%s?page=%d&limit=100", list.path, page)).want(200).into(&found)
			for _, row := range found {
				seen[row.ID] = true
			}
		}
		require.Len(t, seen, rows, list.path)
		var first []struct{}
		boss.get(list.path).want(200).into(&first)
		require.Len(t, first, 25)
	}
}
