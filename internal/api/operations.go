package api

import (
	"context"
	"net/http"

	"amanat/internal/money/operations"
)

func (s *Server) registerOperations() {
	register(s, endpoint{
		id: "operation", method: http.MethodGet, path: "/operations/{id}", tag: "Operations",
		summary: "A money operation, to its actor and to admins",
	}, s.operation)
}

// IDPath is an input with only the id in the path.
type IDPath struct {
	ID string `path:"id" format:"uuid"`
}

func (s *Server) operation(ctx context.Context, _ *IDPath) (*output[operations.View], error) {
	var op operations.Operation
	var err error
	if s.accounts.ActsAsAdmin(actor(ctx)) {
		op, err = s.operations.Find(ctx, s.db, pathID(ctx))
	} else {
		op, err = s.operations.Get(ctx, s.db, actor(ctx).ID, pathID(ctx))
	}
	if err != nil {
		return nil, err
	}
	wire, err := op.View()
	return respond(wire), err
}
