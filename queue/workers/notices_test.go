package workers

import (
	"testing"

	"github.com/google/uuid"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/queue/jobs"
)

func TestAdminNotice_about_no_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	f.admin("admin")
	before := f.count(`select count(*) from notifications where audience = 'admin'`)
	job := f.work(jobs.AdminNotice{
		NoticeKind: string(catalog.AdminVisitorContact), Params: catalog.Params{"subject": "Hello"},
		SubjectID: uuid.New(), Link: "/admin/contact-messages",
	})
	require.Equal(t, rivertype.JobStateCompleted, job.State)
	require.Equal(t, before+1, f.count(`select count(*) from notifications where audience = 'admin' and about_user_id is null`))
}
