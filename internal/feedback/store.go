package feedback

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/postgres"
)

// known returns nil for somebody who is not signed in.
func known(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

func insertBugReport(ctx context.Context, q postgres.Querier, author uuid.UUID, r BugReport) error {
	_, err := q.Exec(ctx, `
		insert into bug_reports (id, user_id, name, email, subject, description, created_at)
		values (@id, @user, @name, @email, @subject, @description, @now)`,
		pgx.NamedArgs{
			"id": r.ID, "user": known(author), "name": r.Name, "email": r.Email, "subject": r.Subject, "description": r.Description,
			"now": r.CreatedAt,
		})
	if err != nil {
		return fmt.Errorf("insert bug report: %w", err)
	}
	return nil
}

const selectBugReports = `
select r.id, coalesce(u.username, '') as reported_by, r.name, r.email, r.subject, r.description, r.created_at
  from bug_reports r
  left join users u on u.id = r.user_id`

func findBugReport(ctx context.Context, q postgres.Querier, id uuid.UUID) (BugReport, error) {
	rows, err := q.Query(ctx, selectBugReports+` where r.id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return BugReport{}, fmt.Errorf("find bug report: %w", err)
	}
	report, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[BugReport])
	if err != nil {
		return BugReport{}, fmt.Errorf("find bug report: %w", err)
	}
	return report, nil
}

func listBugReports(ctx context.Context, q postgres.Querier, page Page) ([]BugReport, int, error) {
	return list[BugReport](ctx, q, page, selectBugReports+` order by r.created_at desc, r.id desc limit @limit offset @offset`,
		`select count(*) from bug_reports`)
}

func insertContactMessage(ctx context.Context, q postgres.Querier, author uuid.UUID, m ContactMessage) error {
	_, err := q.Exec(ctx, `
		insert into contact_messages (id, user_id, name, email, message, created_at)
		values (@id, @user, @name, @email, @message, @now)`,
		pgx.NamedArgs{"id": m.ID, "user": known(author), "name": m.Name, "email": m.Email, "message": m.Message, "now": m.CreatedAt})
	if err != nil {
		return fmt.Errorf("insert contact message: %w", err)
	}
	return nil
}

const selectContactMessages = `
select m.id, coalesce(u.username, '') as sent_by, m.name, m.email, m.message, m.created_at
  from contact_messages m
  left join users u on u.id = m.user_id`

func findContactMessage(ctx context.Context, q postgres.Querier, id uuid.UUID) (ContactMessage, error) {
	rows, err := q.Query(ctx, selectContactMessages+` where m.id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return ContactMessage{}, fmt.Errorf("find contact message: %w", err)
	}
	message, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[ContactMessage])
	if err != nil {
		return ContactMessage{}, fmt.Errorf("find contact message: %w", err)
	}
	return message, nil
}

func listContactMessages(ctx context.Context, q postgres.Querier, page Page) ([]ContactMessage, int, error) {
	return list[ContactMessage](ctx, q, page, selectContactMessages+` order by m.created_at desc, m.id desc limit @limit offset @offset`,
		`select count(*) from contact_messages`)
}

func list[T any](ctx context.Context, q postgres.Querier, page Page, rowsSQL, countSQL string) ([]T, int, error) {
	rows, err := q.Query(ctx, rowsSQL, pgx.NamedArgs{"limit": page.Limit, "offset": page.Offset})
	if err != nil {
		return nil, 0, fmt.Errorf("list feedback: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	if err != nil {
		return nil, 0, fmt.Errorf("list feedback: %w", err)
	}
	var total int
	if err := q.QueryRow(ctx, countSQL).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count feedback: %w", err)
	}
	return found, total, nil
}
