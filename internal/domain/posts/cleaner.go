package posts

import (
	"context"

	"github.com/google/uuid"

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
