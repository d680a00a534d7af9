package feedback_test

import (
	"context"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/feedback"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

// recorder records enqueued jobs and changed worklists.
type recorder struct {
	jobs      []river.JobArgs
	worklists []realtime.Worklist
}

func (r *recorder) InsertTx(_ context.Context, _ pgx.Tx, args river.JobArgs, _ *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	r.jobs = append(r.jobs, args)
	return &rivertype.JobInsertResult{}, nil
}

func (r *recorder) WorklistChanged(_ *postgres.Tx, list realtime.Worklist, _ uuid.UUID) {
	r.worklists = append(r.worklists, list)
}

// newService returns a service; db may be nil if nothing is stored.
func newService(db postgres.DB) (*feedback.Service, *recorder) {
	r := &recorder{}
	return &feedback.Service{DB: db, Clock: clock.NewOffset(0), Jobs: r, Worklists: r}, r
}

const (
	textSubject     = "Subject is required."
	textDescription = "Description is required."
	textEmail       = "Invalid email"
)

// Rules are checked in order and the first that fails gives the message. No database is needed.
func TestReport_invalid(t *testing.T) {
	t.Parallel()
	good := feedback.BugReport{Name: "Rahim", Email: "rahim@example.com", Subject: "The page is blank", Description: "After login."}
	for name, tc := range map[string]struct {
		change      func(r *feedback.BugReport)
		field, text string
	}{
		"no subject":         {func(r *feedback.BugReport) { r.Subject = " " }, "subject", textSubject},
		"no description":     {func(r *feedback.BugReport) { r.Description = " \u200b" }, "description", textDescription},
		"no mail address":    {func(r *feedback.BugReport) { r.Email = "rahim" }, "email", textEmail},
		"two mail addresses": {func(r *feedback.BugReport) { r.Email = "a@example.com, b@example.com" }, "email", textEmail},
		"name too long": {
			func(r *feedback.BugReport) { r.Name = strings.Repeat("ক", 101) },
			"name", "Name may have up to 100 characters.",
		},
		"subject too long": {
			func(r *feedback.BugReport) { r.Subject = strings.Repeat("ক", 201) },
			"subject", "Subject may have up to 200 characters.",
		},
		"description too long": {
			func(r *feedback.BugReport) { r.Description = strings.Repeat("ক", 5001) },
			"description", "Description may have up to 5000 characters.",
		},
		"subject comes first": {func(r *feedback.BugReport) { r.Subject, r.Email = "", "rahim" }, "subject", textSubject},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, recorded := newService(nil)
			report := good
			tc.change(&report)
			requireField(t, tc.field, tc.text, s.Report(t.Context(), feedback.Author{}, report, nil))
			require.Empty(t, recorded.jobs)
		})
	}
}

func TestContact_invalid(t *testing.T) {
	t.Parallel()
	good := feedback.ContactMessage{Name: "Rahim", Email: "rahim@example.com", Message: "Hello"}
	for name, tc := range map[string]struct {
		change      func(m *feedback.ContactMessage)
		field, text string
	}{
		"no name":         {func(m *feedback.ContactMessage) { m.Name = "" }, "name", "Name is required."},
		"no e-mail":       {func(m *feedback.ContactMessage) { m.Email = " " }, "email", "Email is required."},
		"no mail address": {func(m *feedback.ContactMessage) { m.Email = "rahim" }, "email", textEmail},
		"no message":      {func(m *feedback.ContactMessage) { m.Message = "\n" }, "message", "Message is required."},
		"name too long": {
			func(m *feedback.ContactMessage) { m.Name = strings.Repeat("ক", 101) },
			"name", "Name may have up to 100 characters.",
		},
		"message too long": {
			func(m *feedback.ContactMessage) { m.Message = strings.Repeat("ক", 5001) },
			"message", "Message may have up to 5000 characters.",
		},
		"name comes first": {func(m *feedback.ContactMessage) { m.Name, m.Message = "", "" }, "name", "Name is required."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, recorded := newService(nil)
			message := good
			tc.change(&message)
			requireField(t, tc.field, tc.text, s.Contact(t.Context(), feedback.Author{}, message, nil))
			require.Empty(t, recorded.jobs)
		})
	}
}

func requireField(t *testing.T, field, text string, err error) {
	t.Helper()
	require.Equal(t, fault.Invalid, fault.CodeOf(err), "%v", err)
	require.Equal(t, map[string]string{field: text}, fault.As(err).Fields)
}

func TestReport(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	s, recorded := newService(db.API())
	id := uuid.Must(uuid.NewV7())
	author := feedback.Author{ID: &id, Username: "rahim", Email: "rahim@example.com"}
	_, err := db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, 'rahim', 'rahim@example.com', '', 'rahim', now(), now())`, author.ID)
	require.NoError(t, err)
	report := feedback.BugReport{Subject: " Blank\npage ", Description: strings.Repeat("ক", 5000)}
	key := &idempotency.Key{UserID: author.ID, Value: "key-of-one-report", Hash: sha256.Sum256([]byte("report"))}
	for range 2 { // the second call is a replay
		require.NoError(t, s.Report(t.Context(), author, report, key))
	}
	list, total, err := s.BugReports(t.Context(), postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, "rahim", list[0].ReportedBy)
	require.Equal(t, "rahim", list[0].Name, "optional for signed-in users")
	require.Equal(t, "rahim@example.com", list[0].Email)
	require.Equal(t, "Blank page", list[0].Subject)
	require.Equal(t, []realtime.Worklist{realtime.WorklistBugReports}, recorded.worklists)
	require.Equal(t, []river.JobArgs{
		jobs.SupportMail{MailKind: string(catalog.MailBugReport), SubjectID: list[0].ID},
		jobs.AdminNotice{
			NoticeKind: string(catalog.AdminBugReport), Params: catalog.Params{"username": "rahim", "subject": "Blank page"},
			AboutID: author.ID, SubjectID: list[0].ID, Link: "/admin/bug-reports",
		},
	}, recorded.jobs)
}

// A visitor may enter another person's name, so admins are not shown it.
func TestContact_visitor(t *testing.T) {
	t.Parallel()
	s, recorded := newService(dbtest.New(t).API())
	message := feedback.ContactMessage{Name: "The bank", Email: "visitor@example.com", Message: "Hello"}
	require.NoError(t, s.Contact(t.Context(), feedback.Author{}, message, nil))
	list, total, err := s.ContactMessages(t.Context(), postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Empty(t, list[0].SentBy)
	require.Equal(t, "The bank", list[0].Name)
	require.Equal(t, []realtime.Worklist{realtime.WorklistContactMessages}, recorded.worklists)
	require.Len(t, recorded.jobs, 2)
	notice, isNotice := recorded.jobs[1].(jobs.AdminNotice)
	require.True(t, isNotice)
	require.Equal(t, string(catalog.AdminVisitorContact), notice.NoticeKind)
	require.NotContains(t, notice.Params, "username")
	require.Nil(t, notice.AboutID)
}
