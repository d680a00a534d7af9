package personal

import (
	"context"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

const exportColumns = `e.id, e.status, e.requested_at, e.ready_at, e.expires_at, e.size`

// insertExport inserts a pending export unless the user has one.
func insertExport(ctx context.Context, q postgres.Querier, userID uuid.UUID, e Export) (inserted bool, err error) {
	return postgres.Command("personal.insert_export", `
		insert into data_exports (id, user_id, requested_at)
		select @id, u.id, @now from users u where u.id = @user and u.closed_at is null for key share
		on conflict (user_id) where status = 'pending' do nothing`).Any(ctx, q,
		postgres.Args{"id": e.ID, "user": userID, "now": e.RequestedAt})
}

var pendingExport = postgres.Query[Export]("personal.pending_export", `
		select `+exportColumns+` from data_exports e where e.user_id = @user and e.status = 'pending'`)

var latestExport = postgres.Query[Export]("personal.latest_export", `
select `+exportColumns+`
  from data_exports e
 where e.user_id = @user and (e.expires_at is null or e.expires_at > @now)
 order by e.requested_at desc, e.id desc limit 1`)

var readyExport = postgres.Query[Export]("personal.ready_export", `
		select `+exportColumns+` from data_exports e
		 where e.id = @id and e.user_id = @user and e.status = 'ready' and e.expires_at > @now`)

// part is a part of an export; there may be more after it.
type part struct {
	Data []byte
	More bool
}

var findPart = postgres.Query[part]("personal.find_part", `
select p.data, exists (select from data_export_parts n where n.export_id = @id and n.number = @number + 1) as more
  from data_export_parts p
 where p.export_id = @id and p.number = @number`)
