package deals_test

import (
	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
)

// silent replaces Redis; the tests read the realtime log in the database.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}
func (silent) PartnersChanged(...uuid.UUID)           {}

// PushMessage does nothing: the tests have no browsers.
func (silent) PushMessage(*postgres.Tx, uuid.UUID, uuid.UUID, uuid.UUID) {}
