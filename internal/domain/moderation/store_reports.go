package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
)

const sqlInsertCase = `
insert into moderation_cases (id, subject, subject_id, accused_id, username, title, text, price, category, rating, image_id,
                              first_reported_at)
values (@id, @subject, @subjectId, @accused, @username, @title, @text, @price, @category, @rating, @image, @now)
on conflict (subject, subject_id) where decided_at is null do nothing`

// insertCase creates the open case of a subject unless there is one.
func insertCase(ctx context.Context, tx *postgres.Tx, id uuid.UUID, d Draft, s subject, now time.Time) (created bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "moderation.insert_case", sqlInsertCase, pgx.NamedArgs{
		"id": id, "subject": d.Subject, "subjectId": d.SubjectID, "accused": s.AuthorID, "username": s.Content.Username,
		"title": s.Content.Title, "text": s.Content.Text, "price": s.Content.Price, "category": s.Content.Category,
		"rating": s.Content.Rating, "image": s.Content.ImageID, "now": now,
	})
	if err != nil || n == 0 || len(s.Content.Pictures) == 0 {
		return n == 1, err
	}
	return true, insertPictures(ctx, tx, id, s.Content.Pictures)
}

const sqlInsertPictures = `
insert into case_pictures (case_id, image_id, place)
select @case, image_id, place - 1 from unnest(@pictures::uuid[]) with ordinality as pictures (image_id, place)`

func insertPictures(ctx context.Context, tx *postgres.Tx, id uuid.UUID, pictures []uuid.UUID) error {
	return postgres.Exec(ctx, tx, "moderation.insert_pictures", sqlInsertPictures, pgx.NamedArgs{"case": id, "pictures": pictures})
}

const sqlLockOpenCase = `
select id from moderation_cases where subject = @subject and subject_id = @id and decided_at is null for update`

// lockOpenCase locks the open case of a subject; open is false if it was decided during the wait.
func lockOpenCase(ctx context.Context, tx *postgres.Tx, about Subject, id uuid.UUID) (caseID uuid.UUID, open bool, err error) {
	return postgres.Optional(postgres.Value[uuid.UUID](ctx, tx, "moderation.lock_open_case", sqlLockOpenCase,
		pgx.NamedArgs{"subject": about, "id": id}))
}

func countReports(ctx context.Context, q postgres.Querier, caseID uuid.UUID) (int, error) {
	return postgres.Value[int](ctx, q, "moderation.count_case_reports",
		`select count(*) from moderation_reports where case_id = @case`, pgx.NamedArgs{"case": caseID})
}

const sqlInsertReport = `
insert into moderation_reports (id, case_id, reporter_id, reason, text, created_at) values (@id, @case, @reporter, @reason, @text, @now)`

// insertReport adds a report to a case. Code Duplicate if the reporter has one in it.
func insertReport(ctx context.Context, tx *postgres.Tx, id, caseID, reporter uuid.UUID, d Draft, now time.Time) error {
	err := postgres.Exec(ctx, tx, "moderation.insert_report", sqlInsertReport, pgx.NamedArgs{
		"id": id, "case": caseID, "reporter": reporter, "reason": d.Reason, "text": d.Text, "now": now,
	})
	if postgres.UniqueViolation(err, "moderation_reports_once") {
		return fault.New(fault.Duplicate, "already_reported", "You already reported this.")
	}
	return err
}

func hasReported(ctx context.Context, q postgres.Querier, caseID, userID uuid.UUID) (bool, error) {
	return postgres.Value[bool](ctx, q, "moderation.has_reported",
		`select exists (select from moderation_reports where case_id = @case and reporter_id = @user)`,
		pgx.NamedArgs{"case": caseID, "user": userID})
}

func listReporters(ctx context.Context, q postgres.Querier, caseID uuid.UUID) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, q, "moderation.list_reporters",
		`select r.reporter_id from moderation_reports r join users u on u.id = r.reporter_id
		  where r.case_id = @case and u.closed_at is null order by r.reporter_id`, pgx.NamedArgs{"case": caseID})
}

type reportRow struct {
	ID        uuid.UUID
	Subject   Subject
	SubjectID uuid.UUID
	Title     string
	Username  string
	Reason    Reason
	Text      string
	CreatedAt time.Time
	Action    *Action
	DecidedAt *time.Time
}

func (r reportRow) report() Report {
	report := Report{
		ID: r.ID, Subject: r.Subject, SubjectID: r.SubjectID, SubjectName: Content{Title: r.Title, Username: r.Username}.Name(),
		Reason: r.Reason, Text: r.Text, CreatedAt: r.CreatedAt, DecidedAt: r.DecidedAt,
	}
	if r.Action != nil {
		report.Action = *r.Action
	}
	return report
}

const sqlSelectReport = `
select r.id, c.subject, c.subject_id, c.title, c.username, r.reason, r.text, r.created_at, c.action, c.decided_at
  from moderation_reports r join moderation_cases c on c.id = r.case_id`

func getReport(ctx context.Context, q postgres.Querier, id uuid.UUID) (Report, error) {
	return postgres.OneAs(ctx, q, "moderation.get_report", sqlSelectReport+` where r.id = @id`, pgx.NamedArgs{"id": id}, reportRow.report)
}

const sqlListReports = sqlSelectReport + `
 where r.reporter_id = @reporter order by r.created_at desc, r.id desc limit @limit offset @offset`

func listReports(ctx context.Context, q postgres.Querier, reporter uuid.UUID, page postgres.Page) ([]Report, int, error) {
	args := pgx.NamedArgs{"reporter": reporter, "limit": page.Limit, "offset": page.Offset}
	total, err := postgres.Value[int](ctx, q, "moderation.count_reports",
		`select count(*) from moderation_reports where reporter_id = @reporter`, args)
	if err != nil {
		return nil, 0, err
	}
	list, err := postgres.ManyAs(ctx, q, "moderation.list_reports", sqlListReports, args, reportRow.report)
	return list, total, err
}

type caseReportRow struct {
	ID                   uuid.UUID
	ReporterID           uuid.UUID
	ReporterUsername     string
	ReporterProfilePic   string
	ReporterIsStaff      bool
	ReporterClosed       bool
	ReporterIsVerified   bool
	ReporterSecondFactor bool
	ReporterCreatedAt    time.Time
	Reason               Reason
	Text                 string
	CreatedAt            time.Time
}

func (r caseReportRow) report() CaseReport {
	return CaseReport{
		ID: r.ID, Reason: r.Reason, Text: r.Text, CreatedAt: r.CreatedAt,
		Reporter: Account{
			Ref: user.Ref{
				ID: r.ReporterID, Username: r.ReporterUsername, ProfilePic: r.ReporterProfilePic, IsStaff: r.ReporterIsStaff,
				Closed: r.ReporterClosed,
			},
			IsVerified: r.ReporterIsVerified, SecondFactor: r.ReporterSecondFactor, CreatedAt: r.ReporterCreatedAt,
		},
	}
}

const sqlCaseReports = `
select r.id, u.id as reporter_id, u.username as reporter_username, u.profile_pic as reporter_profile_pic, u.is_admin as reporter_is_staff,
       u.closed_at is not null as reporter_closed,
       u.is_verified as reporter_is_verified, u.second_factor_since is not null as reporter_second_factor,
       u.created_at as reporter_created_at, r.reason, r.text, r.created_at
  from moderation_reports r join users u on u.id = r.reporter_id
 where r.case_id = @case
 order by r.created_at, r.id limit @limit`

// listCaseReports reads the first reports of a case, oldest first.
func listCaseReports(ctx context.Context, q postgres.Querier, caseID uuid.UUID, limit int) ([]CaseReport, error) {
	return postgres.ManyAs(ctx, q, "moderation.list_case_reports", sqlCaseReports,
		pgx.NamedArgs{"case": caseID, "limit": limit}, caseReportRow.report)
}
