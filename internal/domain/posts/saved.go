package posts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/queue/jobs"
)

// maxSaved is how many posts a user may save (docs/rules.md#saved-posts).
const maxSaved = 500

// Saved is a post that a user has saved.
type Saved struct {
	Post  Post // with a shortened description
	Price money.Cents
	At    time.Time
}

// Save saves a post for the user, who is told when it gets cheaper or is gone. It is idempotent.
// Codes: NotFound; Conflict for the user's own post and beyond maxSaved.
func (s *Service) Save(ctx context.Context, userID, id uuid.UUID) error {
	post, err := s.Get(ctx, Reader{UserID: &userID}, id)
	if err != nil {
		return err
	}
	if post.CreatedBy.ID == userID {
		return fault.New(fault.Conflict, "own_post", "You cannot save your own post.")
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		if err := lockUser.Run(ctx, tx, postgres.Args{"id": userID}); err != nil {
			return err
		}
		saved, err := savedIDs.Many(ctx, tx, postgres.Args{"user": userID})
		switch {
		case err != nil || slices.Contains(saved, id):
			return err
		case len(saved) >= maxSaved:
			return fault.Newf(fault.Conflict, "too_many_saved", "You can save up to {count} posts. Please remove one first.",
				fault.Params{"count": maxSaved})
		}
		inserted, err := insertSaved.Any(ctx, tx, postgres.Args{"user": userID, "post": id, "now": s.Clock.Now()})
		if err == nil && !inserted { // deleted or hidden meanwhile
			err = errNotFound()
		}
		return err
	})
}

// Unsave removes a post from those that the user has saved. It is idempotent. Code NotFound for a
// post that does not exist.
func (s *Service) Unsave(ctx context.Context, userID, id uuid.UUID) error {
	deleted, err := deleteSaved.Any(ctx, s.DB, postgres.Args{"user": userID, "post": id})
	if err == nil && !deleted {
		_, err = s.Get(ctx, Reader{UserID: &userID}, id)
	}
	return err
}

// ListSaved returns a page of the posts that the user has saved, the last saved first, and their
// total number. Those of disabled sellers are left out.
func (s *Service) ListSaved(ctx context.Context, userID uuid.UUID, page postgres.Page) ([]Saved, int, error) {
	return listSaved(ctx, s.DB, userID, page)
}

// SavedIDs returns the ids of all posts that the user has saved, the last saved first.
func (s *Service) SavedIDs(ctx context.Context, userID uuid.UUID) ([]uuid.UUID, error) {
	return savedIDs.Many(ctx, s.DB, postgres.Args{"user": userID})
}

// tellSavers has those told who have saved a post, which became cheaper or is gone.
func (s *Service) tellSavers(ctx context.Context, tx *postgres.Tx, id uuid.UUID) error {
	if saved, err := isSaved.One(ctx, tx, postgres.Args{"post": id}); err != nil || !saved {
		return err
	}
	if _, err := s.Jobs.InsertTx(ctx, tx, jobs.SavedPost{PostID: id}, nil); err != nil {
		return fmt.Errorf("enqueue the notifications of a saved post: %w", err)
	}
	return nil
}

// Notifier notifies a user of a change, in the transaction that makes it.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Teller tells users of the posts that they have saved. It is for workers.
type Teller struct {
	DB      postgres.DB
	Clock   clock.Clock
	Notices Notifier
}

const (
	tellEvery = 24 * time.Hour // the shortest time between two lower prices of a post that one user is told of
	tellBatch = 200
)

// savedPage is the page of the UI with the posts that a user has saved.
const savedPage = "/saved"

// Tell tells those who have saved a post that it has become cheaper than when they saved it or were
// last told, or that it is gone, which ends their saving it. It can be repeated.
func (t *Teller) Tell(ctx context.Context, id uuid.UUID) error {
	now := t.Clock.Now()
	for {
		told := 0
		err := postgres.WithTx(ctx, t.DB, func(tx *postgres.Tx) error {
			args := postgres.Args{"post": id, "now": now, "before": now.Add(-tellEvery), "limit": tellBatch}
			cheaper, err := tellCheaper.Many(ctx, tx, args)
			if err != nil {
				return err
			}
			gone, err := removeGone.Many(ctx, tx, args)
			if err != nil {
				return err
			}
			told = max(len(cheaper), len(gone))
			for _, c := range cheaper {
				params := catalog.Params{"was": c.Was.String(), "amount": c.Price.String()}
				if err := t.Notices.Notify(ctx, tx, c.UserID, catalog.SavedPostCheaper, params, "/posts/"+id.String()); err != nil {
					return err
				}
			}
			for _, g := range gone {
				params := catalog.Params{"amount": g.Price.String()}
				if err := t.Notices.Notify(ctx, tx, g.UserID, catalog.SavedPostGone, params, savedPage); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || told < tellBatch {
			return err
		}
	}
}
