package feedback

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

func insertBugReport(ctx context.Context, q postgres.Querier, author *uuid.UUID, r BugReport) error {
	return postgres.Command("feedback.insert_bug_report", `
		insert into bug_reports (id, user_id, name, email, subject, description, created_at)
		values (@id, @user, @name, @email, @subject, @description, @now)`).Run(ctx, q,
		postgres.Args{
			"id": r.ID, "user": author, "name": r.Name, "email": r.Email, "subject": r.Subject, "description": r.Description,
			"now": r.CreatedAt,
		})
}

const selectBugReports = `
select r.id, coalesce(u.username, '') as reported_by, r.name, r.email, r.subject, r.description, r.created_at
  from bug_reports r
  left join users u on u.id = r.user_id`

var findBugReport = postgres.Query[BugReport]("feedback.find_bug_report", selectBugReports+` where r.id = @id`)

func listBugReports(ctx context.Context, q postgres.Querier, page postgres.Page) ([]BugReport, int, error) {
	return list[BugReport](ctx, q, "feedback.list_bug_reports", page,
		selectBugReports+` order by r.created_at desc, r.id desc limit @limit offset @offset`,
		`select count(*) from bug_reports`)
}

func insertContactMessage(ctx context.Context, q postgres.Querier, author *uuid.UUID, m ContactMessage) error {
	return postgres.Command("feedback.insert_contact_message", `
		insert into contact_messages (id, user_id, name, email, message, created_at)
		values (@id, @user, @name, @email, @message, @now)`).Run(ctx, q,
		postgres.Args{
			"id": m.ID, "user": author, "name": m.Name, "email": m.Email, "message": m.Message, "now": m.CreatedAt,
		})
}

const selectContactMessages = `
select m.id, coalesce(u.username, '') as sent_by, m.name, m.email, m.message, m.created_at
  from contact_messages m
  left join users u on u.id = m.user_id`

var findContactMessage = postgres.Query[ContactMessage]("feedback.find_contact_message", selectContactMessages+` where m.id = @id`)

func listContactMessages(ctx context.Context, q postgres.Querier, page postgres.Page) ([]ContactMessage, int, error) {
	return list[ContactMessage](ctx, q, "feedback.list_contact_messages", page,
		selectContactMessages+` order by m.created_at desc, m.id desc limit @limit offset @offset`,
		`select count(*) from contact_messages`)
}

func list[T any](ctx context.Context, q postgres.Querier, name string, page postgres.Page, rowsSQL, countSQL string) ([]T, int, error) {
	found, err := postgres.Query[T](name, rowsSQL).Many(ctx, q, postgres.Args{"limit": page.Limit, "offset": page.Offset})
	if err != nil {
		return nil, 0, err
	}
	total, err := postgres.Query[int](name+"_count", countSQL).One(ctx, q, nil)
	return found, total, err
}
