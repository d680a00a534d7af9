package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
	"amanat/queue/ui"
)

const token = "a-token-of-operators"

type fixture struct {
	t   *testing.T
	db  *dbtest.DB
	log bytes.Buffer
	job int64
}

// newFixture returns a fixture with a discarded job that names a person.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, db: dbtest.New(t)}
	client, err := jobs.NewInserter(f.db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		inserted, err := client.InsertTx(t.Context(), tx, jobs.Mail{
			SubjectID: uuid.MustParse("019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"), MailKind: string(catalog.MailVerify),
			Params: map[string]string{"name": "Nusrat Jahan"},
		}, nil)
		if err == nil {
			f.job = inserted.Job.ID
		}
		return err
	}))
	_, err = f.db.Owner().Exec(t.Context(), `
		update river.river_job
		   set state = 'discarded', attempt = max_attempts, finalized_at = now(), metadata = '{"request_id": "r-12345678", "note": "Nusrat"}',
		       errors = array['{"attempt": 1, "error": "550 <nusrat@example.com> of 01712345678 unknown",
		                        "at": "2026-03-01T12:00:00Z", "trace": ""}'::jsonb]
		 where id = $1`, f.job)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `
		insert into river.river_queue (name, created_at, updated_at) values ('mail', now(), now()) on conflict do nothing`)
	require.NoError(t, err)
	return f
}

func (f *fixture) page() *ui.Handler {
	f.t.Helper()
	page, err := ui.New(f.db.Worker(), slog.New(slog.NewTextHandler(&f.log, nil)), token)
	require.NoError(f.t, err)
	ctx, stop := context.WithCancel(context.Background())
	f.t.Cleanup(stop)
	require.NoError(f.t, page.Start(ctx))
	return page
}

func call(t *testing.T, page http.Handler, method, path, body string, headers ...string) (status int, answer string) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, "http://ops.test"+path, strings.NewReader(body))
	request.SetBasicAuth("rahim", token)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	page.ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

func (f *fixture) state() (state string) {
	f.t.Helper()
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), `select state from river.river_job where id = $1`, f.job).Scan(&state))
	return state
}

func (f *fixture) audited() []string {
	f.t.Helper()
	actions, err := postgres.Query[string]("test.audited",
		`select action || ' ' || subject from audit_log order by id`).Many(f.t.Context(), f.db.Owner(), nil)
	require.NoError(f.t, err)
	return actions
}

func TestHandler_token(t *testing.T) {
	t.Parallel()
	page := newFixture(t).page()
	for _, authorization := range []string{"", "Bearer wrong", "Bearer ", "Basic cmFoaW06d3Jvbmc="} {
		for _, path := range []string{"/river/", "/river/api/jobs", "/river/api/health-checks/complete"} {
			status, answer := call(t, page, http.MethodGet, path, "", "Authorization", authorization)
			require.Equal(t, http.StatusUnauthorized, status, authorization)
			require.NotContains(t, answer, "mail")
		}
	}
	status, _ := call(t, page, http.MethodGet, "/river/api/states", "", "Authorization", "Bearer "+token)
	require.Equal(t, http.StatusOK, status)
}

func TestHandler_shows(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	page := f.page()
	status, answer := call(t, page, http.MethodGet, "/river/", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, answer, `id="config__json"`)
	for _, path := range []string{"/river/api/jobs?state=discarded", fmt.Sprintf("/river/api/jobs/%d", f.job)} {
		status, answer = call(t, page, http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, status, answer)
		require.Contains(t, answer, `"mail"`)
		require.Contains(t, answer, "019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f")
		require.Contains(t, answer, "mail_verify")
		for _, personal := range []string{"Nusrat", "nusrat@", "01712345678"} {
			require.NotContains(t, answer, personal)
		}
	}
	require.Contains(t, answer, "r-12345678")
	require.Contains(t, answer, "of (hidden) unknown")
}

func TestHandler_shows_only(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	page := f.page()
	ids := fmt.Sprintf(`{"ids": ["%d"]}`, f.job)
	for _, change := range [][2]string{
		{http.MethodPost, "jobs/retry"},
		{http.MethodPost, "jobs/cancel"},
		{http.MethodPost, "jobs/delete"},
		{http.MethodPut, "queues/mail/pause"},
		{http.MethodPut, "queues/mail/resume"},
		{http.MethodPatch, "queues/mail"},
	} {
		status, answer := call(t, page, change[0], "/river/api/"+change[1], ids)
		require.Equal(t, http.StatusForbidden, status, answer)
	}
	require.Equal(t, "discarded", f.state())
	require.Empty(t, f.audited())
}
