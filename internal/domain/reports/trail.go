package reports

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/queue/jobs"
)

// OperationLine is an operation with the state of its latest job, for operators.
type OperationLine struct {
	ID         uuid.UUID
	Kind       string
	Subject    string
	Amount     *money.Cents // of the subject, such as the price of the deal
	Actor      *string      // username; nil: the system
	Status     string
	CreatedAt  time.Time
	FinishedAt *time.Time
	RequestID  *string // of the call that requested it; nil: none did
	Refusal    *string // of a rejected one
	JobState   *string // of a pending one; nil without a job
	Attempts   *int
	LastError  *string
}

// OperationFilter narrows a list of operations. Without any but Limit, the list has those that have
// been pending for more than a minute, longer than any takes to settle, even if one process dies.
type OperationFilter struct {
	User   *uuid.UUID // whose deals, deposits, withdrawals, rewards and corrections they are about
	Deal   *uuid.UUID
	States []string
	Since  *time.Time
	Limit  int
}

const stuckAfter = time.Minute

const sqlSubjectsOfUser = `
  select 'deal:' || id from deals where buyer_id = @user
  union select 'deal:' || id from deals where seller_id = @user
  union select 'deposit:' || id from deposits where user_id = @user
  union select 'withdrawal:' || id from withdrawals where user_id = @user
  union select 'reward:' || id from referral_rewards where referrer_id = @user
  union select 'correction:' || id from corrections where user_id = @user`

// The jobs are read once for all operations, since no index finds those of one.
const sqlOperations = `
with job as (
  select distinct on (kind, args ->> 'operation_id') kind, args ->> 'operation_id' as operation_id, state::text as state,
         attempt::integer as attempt, errors[cardinality(errors)] ->> 'error' as error
    from ` + postgres.RiverJobs + `
   where queue = @queue
   order by kind, args ->> 'operation_id', id desc
)
select o.id, o.kind, o.subject, u.username as actor, o.status, o.created_at, o.finished_at, o.request_id,
       o.error_code || ': ' || o.error_message as refusal, j.state as job_state, j.attempt as attempts, j.error as last_error,
       case split_part(o.subject, ':', 1)
         when 'deal' then (select price from deals where id = split_part(o.subject, ':', 2)::uuid)
         when 'deposit' then (select amount from deposits where id = split_part(o.subject, ':', 2)::uuid)
         when 'withdrawal' then (select amount from withdrawals where id = split_part(o.subject, ':', 2)::uuid)
         when 'reward' then (select amount from referral_rewards where id = split_part(o.subject, ':', 2)::uuid)
         when 'correction' then (select amount from corrections where id = split_part(o.subject, ':', 2)::uuid)
       end as amount
  from operations o
  left join users u on u.id = o.actor_id
  left join job j on o.status = 'pending' and j.kind = o.kind and j.operation_id = o.id::text
 where `

// Operations returns operations, the newest first. Without a user or a deal, it reads the whole
// table unless they are pending. The caller has recorded whose operations are read.
func (s *Service) Operations(ctx context.Context, f OperationFilter) ([]OperationLine, error) {
	var conditions []string
	args := postgres.Args{"queue": jobs.QueueMoney, "limit": f.Limit}
	add := func(condition, name string, value any) {
		conditions, args[name] = append(conditions, condition), value
	}
	if f.User != nil {
		add("o.subject in ("+sqlSubjectsOfUser+")", "user", *f.User)
	}
	if f.Deal != nil {
		add("o.subject = 'deal:' || @deal::uuid", "deal", *f.Deal)
	}
	if len(f.States) > 0 {
		add("o.status = any(@states)", "states", f.States)
	}
	if f.Since != nil {
		add("o.created_at >= @since", "since", *f.Since)
	}
	if len(conditions) == 0 {
		add("o.status = 'pending' and o.created_at < @before", "before", s.Clock.Now().Add(-stuckAfter))
	}
	sql := sqlOperations + strings.Join(conditions, " and ") + " order by o.created_at desc limit @limit"
	return postgres.Query[OperationLine]("reports.operations", sql).Many(ctx, s.DB, args)
}

// TrailLine is a session that began or expired, or an entry of the audit log by a user or on them.
type TrailLine struct {
	At      time.Time
	Event   string
	Subject string
	Actor   *string // of an entry of the audit log: a username, or operator
	Detail  string
}

const sqlTrail = `
select at, event, subject, actor, detail
  from (select created_at as at, 'session.open' as event, 'session:' || id as subject, null as actor,
               concat_ws(', ', nullif(address, ''), nullif(user_agent, '')) as detail
          from sessions where user_id = @user
         union all
        select expires_at, 'session.expire', 'session:' || id, null, '' from sessions where user_id = @user and expires_at <= @now
         union all
        select a.at, a.action, a.subject, coalesce(u.username, 'operator'), a.details::text
          from audit_log a left join users u on u.id = a.actor_id where a.subject = 'user:' || @user::uuid
         union all
        select a.at, a.action, a.subject, u.username, a.details::text
          from audit_log a join users u on u.id = a.actor_id where a.actor_id = @user and a.subject <> 'user:' || @user::uuid) as line
 where at >= @since
 order by at desc limit @limit`

// Trail returns what is stored of a user's sessions and of the actions of admins and operators by
// the user and on them, the newest first. The caller has recorded that it is read.
func (s *Service) Trail(ctx context.Context, userID uuid.UUID, since time.Time, limit int) ([]TrailLine, error) {
	return postgres.Query[TrailLine]("reports.trail", sqlTrail).Many(ctx, s.DB, postgres.Args{
		"user": userID, "since": since, "now": s.Clock.Now(), "limit": limit,
	})
}
