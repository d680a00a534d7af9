package chat

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
)

// strength is how a row is locked.
type strength string

const (
	forReading  strength = "share"
	forChanging strength = "no key update"
)

// lockPeople locks users in the order of their ids until the transaction ends.
func lockPeople(ctx context.Context, tx *postgres.Tx, how strength, people ...uuid.UUID) error {
	return postgres.Exec(ctx, tx, "chat.lock_people", `select from users where id = any(@people) order by id for `+string(how),
		pgx.NamedArgs{"people": people})
}

// lockPair locks the conversation of two users, if they have one, until the transaction ends.
func lockPair(ctx context.Context, tx *postgres.Tx, one, other uuid.UUID) error {
	return postgres.Exec(ctx, tx, "chat.lock_pair", `select from conversations c`+sqlPair+` for update`,
		pgx.NamedArgs{"one": one, "other": other})
}

const sqlInsertBlock = `
insert into blocks (blocker_id, blocked_id, created_at) values (@blocker, @blocked, @now) on conflict do nothing`

func insertBlock(ctx context.Context, tx *postgres.Tx, blocker, blocked uuid.UUID, now time.Time) (changed bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "chat.insert_block", sqlInsertBlock,
		pgx.NamedArgs{"blocker": blocker, "blocked": blocked, "now": now})
	return n == 1, err
}

func deleteBlock(ctx context.Context, tx *postgres.Tx, blocker, blocked uuid.UUID) (changed bool, err error) {
	n, err := postgres.ExecCount(ctx, tx, "chat.delete_block",
		`delete from blocks where blocker_id = @blocker and blocked_id = @blocked`,
		pgx.NamedArgs{"blocker": blocker, "blocked": blocked})
	return n == 1, err
}

const sqlFindBlocks = `
select exists (select from blocks where blocker_id = @one and blocked_id = @other),
       exists (select from blocks where blocker_id = @other and blocked_id = @one)`

// findBlocks reports whether one user has blocked the other, and the reverse.
func findBlocks(ctx context.Context, q postgres.Querier, one, other uuid.UUID) (mine, theirs bool, err error) {
	err = postgres.Scan(ctx, q, "chat.find_blocks", sqlFindBlocks, pgx.NamedArgs{"one": one, "other": other}, &mine, &theirs)
	return mine, theirs, err
}

type blockedRow struct {
	ID         uuid.UUID
	Username   string
	ProfilePic string
	IsStaff    bool
	Closed     bool
	CreatedAt  time.Time
}

func (r blockedRow) blocked() Blocked {
	return Blocked{
		User:      user.Ref{ID: r.ID, Username: r.Username, ProfilePic: r.ProfilePic, IsStaff: r.IsStaff, Closed: r.Closed},
		BlockedAt: r.CreatedAt,
	}
}

const sqlListBlocked = `
select u.id, u.username, u.profile_pic, u.is_admin as is_staff, u.closed_at is not null as closed, b.created_at
  from blocks b join users u on u.id = b.blocked_id
 where b.blocker_id = @blocker
 order by b.created_at desc, b.blocked_id desc limit @limit offset @offset`

func listBlocked(ctx context.Context, q postgres.Querier, blocker uuid.UUID, page postgres.Page) ([]Blocked, int, error) {
	args := pgx.NamedArgs{"blocker": blocker, "limit": page.Limit, "offset": page.Offset}
	total, err := postgres.Value[int](ctx, q, "chat.count_blocked", `select count(*) from blocks where blocker_id = @blocker`, args)
	if err != nil {
		return nil, 0, err
	}
	list, err := postgres.ManyAs(ctx, q, "chat.list_blocked", sqlListBlocked, args, blockedRow.blocked)
	return list, total, err
}
