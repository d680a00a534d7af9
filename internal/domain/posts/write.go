package posts

import (
	"context"
	"math/rand/v2"

	"github.com/google/uuid"

	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
)

// Create publishes a post of the actor, who may have up to most posts; 0 means no limit. Codes:
// Invalid with the first rule that fails; those of images.Service.Read; Conflict if the limit is
// reached; IdempotencyMismatch. A replay returns the post created under the key.
func (s *Service) Create(ctx context.Context, actor user.Ref, draft Draft, most int, key *idempotency.Key) (Post, error) {
	draft = draft.normalized()
	if err := draft.validate(); err != nil {
		return Post{}, err
	}
	picture, err := s.readImage(ctx, actor.ID, draft)
	if err != nil {
		return Post{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Post{}, err
	}
	made, err := idempotency.Create(ctx, s.DB, key, id, s.Clock.Now(), func(tx *postgres.Tx) error {
		if err := checkPostLimit(ctx, tx, actor.ID, most); err != nil {
			return err
		}
		imageID, err := s.saveImage(ctx, tx, picture, actor.ID)
		if err != nil {
			return err
		}
		inserted, err := insertPost(ctx, tx, edition{id: id, seller: actor, draft: draft, imageID: imageID, at: s.Clock.Now()}, rand.Int32())
		if err == nil && !inserted {
			err = fault.New(fault.Unauthenticated, "login_needed", "Please log in to continue.")
		}
		return err
	})
	if err != nil {
		return Post{}, err
	}
	return getPost(ctx, s.DB, made)
}

// checkPostLimit returns Conflict if the seller already has most posts. Concurrent calls for the
// same seller wait until the transaction ends.
func checkPostLimit(ctx context.Context, tx *postgres.Tx, seller uuid.UUID, most int) error {
	if most == 0 {
		return nil
	}
	if err := lockSeller(ctx, tx, seller); err != nil {
		return err
	}
	has, err := countByUser(ctx, tx, seller, allPosts)
	if err == nil && has >= most {
		err = fault.Newf(fault.Conflict, "too_many_posts", "You may have up to {count} posts for now. Please delete one first.",
			fault.Params{"count": most})
	}
	return err
}

// Own returns a post to its seller for editing. Codes: NotFound; Forbidden for other users.
func (s *Service) Own(ctx context.Context, actor, id uuid.UUID) (Post, error) {
	post, err := getPost(ctx, s.DB, id)
	switch {
	case err != nil:
		return Post{}, err
	case !(Reader{UserID: &actor}).sees(post):
		return Post{}, errNotFound()
	case post.CreatedBy.ID != actor:
		return Post{}, errForbidden()
	}
	return post, nil
}

// Edit replaces the content of the actor's post. Codes as for Own, and Invalid and image codes as
// for Create.
func (s *Service) Edit(ctx context.Context, actor, id uuid.UUID, draft Draft) (Post, error) {
	post, err := s.Own(ctx, actor, id)
	if err != nil {
		return Post{}, err
	}
	draft = draft.normalized()
	if err := draft.validate(); err != nil {
		return Post{}, err
	}
	keep := draft.Image == nil || *draft.Image == post.Image()
	var picture *images.Picture
	if !keep {
		if picture, err = s.readImage(ctx, actor, draft); err != nil {
			return Post{}, err
		}
	}
	err = postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		before, err := lockPost(ctx, tx, id) // may have been changed or deleted meanwhile
		if err != nil {
			return err
		}
		imageID := before.ImageID
		if !keep {
			if imageID, err = s.replaceImage(ctx, tx, before, picture); err != nil {
				return err
			}
		}
		return updatePost(ctx, tx, edition{id: id, seller: post.CreatedBy, draft: draft, imageID: imageID, at: s.Clock.Now()})
	})
	if err != nil {
		return Post{}, err
	}
	return getPost(ctx, s.DB, id)
}

// Delete removes the actor's post. Codes as for Own.
func (s *Service) Delete(ctx context.Context, actor, id uuid.UUID) error {
	if _, err := s.Own(ctx, actor, id); err != nil {
		return err
	}
	return postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) error {
		post, err := lockPost(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := deletePost(ctx, tx, id); err != nil {
			return err
		}
		return s.releaseImage(ctx, tx, post)
	})
}

// readImage decodes the image of a draft, nil if it has none.
func (s *Service) readImage(ctx context.Context, actor uuid.UUID, draft Draft) (*images.Picture, error) {
	if draft.Image == nil || *draft.Image == "" {
		return nil, nil
	}
	picture, err := s.Images.Read(ctx, actor, *draft.Image)
	return picture, fault.In("image", err)
}

func (s *Service) saveImage(ctx context.Context, tx *postgres.Tx, picture *images.Picture, owner uuid.UUID) (*uuid.UUID, error) {
	if picture == nil {
		return nil, nil
	}
	id, err := s.Images.Save(ctx, tx, picture, owner, nil)
	return &id, err
}

func (s *Service) replaceImage(ctx context.Context, tx *postgres.Tx, before Post, picture *images.Picture) (*uuid.UUID, error) {
	if err := s.releaseImage(ctx, tx, before); err != nil {
		return nil, err
	}
	return s.saveImage(ctx, tx, picture, before.CreatedBy.ID)
}

func (s *Service) releaseImage(ctx context.Context, tx *postgres.Tx, post Post) error {
	if post.ImageID == nil {
		return nil
	}
	return s.Images.Release(ctx, tx, *post.ImageID)
}
