package posts

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/platform/postgres"
)

// Cleaner keeps the documents of searches up to date. It is for workers only.
type Cleaner struct {
	DB postgres.DB
}

// renewBatch is how many documents are read at a time.
const renewBatch = 200

// RenewDocuments writes the documents again that are of another form than this version's, such as
// after an upgrade, and returns how many. A post that is edited meanwhile keeps its new document.
func (c *Cleaner) RenewDocuments(ctx context.Context) (int64, error) {
	var renewed int64
	var after uuid.UUID // sorts before every ID
	for {
		batch, err := listOutdated(ctx, c.DB, after)
		if err != nil {
			return renewed, err
		}
		for _, p := range batch {
			n, err := renewDocument(ctx, c.DB, p)
			if err != nil {
				return renewed, err
			}
			renewed += n
		}
		if len(batch) < renewBatch {
			return renewed, nil
		}
		after = batch[len(batch)-1].ID
	}
}

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
