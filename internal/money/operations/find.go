package operations

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// Find returns an operation to an admin, which the caller has checked. Code NotFound.
func (s *Service) Find(ctx context.Context, q postgres.Querier, id uuid.UUID) (Operation, error) {
	return get(ctx, q, id)
}
