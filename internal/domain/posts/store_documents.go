package posts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

// outdated is a post whose document is of another form.
type outdated struct {
	ID          uuid.UUID
	Username    string
	Title       string
	Description string
	Category    Category
	Subcategory string
	Tags        []string
	UpdatedAt   time.Time
}

const sqlListOutdated = `
select p.id, u.username, p.title, p.description, p.category, p.subcategory, p.tags, p.updated_at
  from posts p join users u on u.id = p.created_by
 where p.id > @after and left(p.document, 1) <> @form
 order by p.id limit @limit`

func listOutdated(ctx context.Context, q postgres.Querier, after uuid.UUID) ([]outdated, error) {
	return postgres.Many[outdated](ctx, q, "posts.list_outdated", sqlListOutdated,
		pgx.NamedArgs{"after": after, "form": form, "limit": renewBatch})
}

func renewDocument(ctx context.Context, q postgres.Querier, p outdated) (int64, error) {
	draft := Draft{Title: p.Title, Description: p.Description, Category: p.Category, Subcategory: p.Subcategory, Tags: p.Tags}
	return postgres.ExecCount(ctx, q, "posts.renew_document",
		`update posts set document = @document where id = @id and updated_at = @updated`,
		pgx.NamedArgs{"id": p.ID, "updated": p.UpdatedAt, "document": document(draft, p.Username)})
}
