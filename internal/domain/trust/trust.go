// Package trust limits what an account may pay and withdraw, by its level of trust: an account that
// is new, or was taken over before it has a history, can do little harm
// (docs/rules.md#trust-limits). The level is computed from the account and its completed deals
// whenever it is needed, and never stored.
package trust

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/config"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// Level is how far an account is trusted.
type Level string

// Levels, lowest first. Each requires what the one before requires, and more.
const (
	New         Level = "new"
	Basic       Level = "basic"
	Established Level = "established"
	Trusted     Level = "trusted"
)

// window is the time over which payments and withdrawals are added up.
const window = 24 * time.Hour

// Limit is what an account of one level may do. Zero amounts mean no limit.
type Limit struct {
	Deal      money.Cents // price of a deal that it pays
	Paid      money.Cents // in the last 24 hours
	Withdrawn money.Cents // in the last 24 hours
}

// Limits are the limits of each level; nil limits nothing.
type Limits map[Level]Limit

// LimitsOf returns the limits set in the configuration.
func LimitsOf(c config.TrustLimits) Limits {
	if c == (config.TrustLimits{}) {
		return nil
	}
	return Limits{
		New: Limit(c.New), Basic: Limit(c.Basic), Established: Limit(c.Established), Trusted: Limit(c.Trusted),
	}
}

// Service checks requested payments and withdrawals; settling does not check again. A request
// counts from the moment it is admitted, first as a pending operation, then as a paid deal or a
// withdrawal, so what was admitted cannot exceed a limit later.
type Service struct {
	DB     postgres.Querier
	Clock  clock.Clock
	Limits Limits
}

// Unlimited returns a Service that limits nothing.
func Unlimited() *Service { return &Service{DB: nil, Clock: nil, Limits: nil} }

// CheckPrice checks the price of a deal that a buyer creates. Code Conflict.
func (s *Service) CheckPrice(ctx context.Context, q postgres.Querier, buyer uuid.UUID, price money.Cents) error {
	if s.Limits == nil {
		return nil
	}
	r, err := readRecord.One(ctx, q, recordArgs(buyer))
	if err != nil {
		return err
	}
	return s.limit(r).checkPrice(price)
}

// QueuePayment queues the reading of the buyer's level. When that has run, check returns whether
// they may pay a deal; code Conflict. For a buyer with a limit, it takes a lock that makes their
// other payments and withdrawals wait until the transaction ends, and reads what they have used.
// Lock order: after the operation.
func (s *Service) QueuePayment(
	tx *postgres.Tx, buyer uuid.UUID,
) (check func(ctx context.Context, deal uuid.UUID, price money.Cents) error) {
	if s.Limits == nil {
		return func(context.Context, uuid.UUID, money.Cents) error { return nil }
	}
	var r record
	readRecord.Queue(tx, recordArgs(buyer), func(found record) { r = found })
	return func(ctx context.Context, deal uuid.UUID, price money.Cents) error {
		limit := s.limit(r)
		if err := limit.checkPrice(price); err != nil || limit.Paid == 0 {
			return err
		}
		used, err := lockAndRead(ctx, tx, buyer, operations.Deal(deal), s.since())
		if err == nil && price > limit.Paid-used.Paid {
			err = fault.Newf(fault.Conflict, "limit_paid", "You can pay up to ${left} more today.",
				fault.Params{"left": max(limit.Paid-used.Paid, 0)})
		}
		return err
	}
}

// CheckWithdrawal checks a withdrawal that is being requested, with the same lock as QueuePayment.
// Code Conflict.
func (s *Service) CheckWithdrawal(ctx context.Context, tx *postgres.Tx, userID, withdrawal uuid.UUID, amount money.Cents) error {
	if s.Limits == nil {
		return nil
	}
	r, err := readRecord.One(ctx, tx, recordArgs(userID))
	if err != nil {
		return err
	}
	limit := s.limit(r)
	if limit.Withdrawn == 0 {
		return nil
	}
	used, err := lockAndRead(ctx, tx, userID, operations.Withdrawal(withdrawal), s.since())
	if err == nil && amount > limit.Withdrawn-used.Withdrawn {
		err = fault.Newf(fault.Conflict, "limit_withdrawn", "You can withdraw up to ${left} more today.",
			fault.Params{"left": max(limit.Withdrawn-used.Withdrawn, 0)})
	}
	return err
}

func (l Limit) checkPrice(price money.Cents) error {
	if l.Deal == 0 || price <= l.Deal {
		return nil
	}
	return fault.Newf(fault.Conflict, "limit_per_deal", "Deals up to ${limit} are possible with your account now.",
		fault.Params{"limit": l.Deal})
}

func (s *Service) since() time.Time { return s.Clock.Now().Add(-window) }

func (s *Service) limit(r record) Limit {
	level, _ := r.standing(s.Clock.Now())
	return s.Limits[level]
}

// Use is what a user paid and withdrew in the last 24 hours, requests that have not settled
// included.
type Use struct {
	Paid, Withdrawn money.Cents
}

// Overview is what a user sees of their limits.
type Overview struct {
	Level Level
	Limit Limit
	Used  Use
	Next  *Next // nil at the highest level, and if nothing is limited
}

// Next is the next level of a user and what they lack for it.
type Next struct {
	Level Level
	Limit Limit
	Needs []Need
}

// Overview returns a user's level, limits and what they have used of them. The caller has checked
// that the reader is that user.
func (s *Service) Overview(ctx context.Context, userID uuid.UUID) (Overview, error) {
	r, err := readRecord.One(ctx, s.DB, recordArgs(userID))
	if err != nil {
		return Overview{}, err
	}
	used, err := readUse.One(ctx, s.DB, useArgs(userID, "", s.since()))
	if err != nil {
		return Overview{}, err
	}
	return s.overview(r, used), nil
}

// Newcomer returns what somebody who signs up now could do.
func (s *Service) Newcomer() Overview {
	return s.overview(record{CreatedAt: s.Clock.Now(), SecondFactor: false, Completed: 0, Partners: 0}, Use{})
}

func (s *Service) overview(r record, used Use) Overview {
	level, next := r.standing(s.Clock.Now())
	seen := Overview{Level: level, Limit: s.Limits[level], Used: used}
	if next != nil && s.Limits != nil {
		next.Limit = s.Limits[next.Level]
		seen.Next = next
	}
	return seen
}

const day = 24 * time.Hour

// record is what determines the level of an account.
type record struct {
	CreatedAt    time.Time
	SecondFactor bool
	Completed    int // deals, as buyer or seller; counted up to maxCompleted
	Partners     int // different users of them; counted up to maxPartners at least
}

// NeedKind is a requirement of a level.
type NeedKind string

// Requirements.
const (
	AccountAge     NeedKind = "account_age" // in whole days
	CompletedDeals NeedKind = "completed_deals"
	Partners       NeedKind = "partners"
	SecondFactor   NeedKind = "second_factor"
)

// Need is an unmet requirement. Those that are met or not count as 0 of 1.
type Need struct {
	Kind       NeedKind
	Have, Need int
}

// requirement is what a level requires beyond the one before.
type requirement struct {
	level    Level
	age      time.Duration
	deals    int
	partners int
	factor   bool
}

// The counts of the highest level: no more need be counted.
const (
	maxCompleted = 10
	maxPartners  = 5
)

func requirements() []requirement {
	return []requirement{
		{level: Basic, age: day},
		{level: Established, age: 30 * day, deals: 3, partners: 2},
		{level: Trusted, age: 90 * day, deals: maxCompleted, partners: maxPartners, factor: true},
	}
}

// standing returns the level of the account and the next one with what the account lacks, nil at
// the highest.
func (r record) standing(now time.Time) (Level, *Next) {
	level := New
	for _, higher := range requirements() {
		if needs := higher.unmet(r, now); len(needs) > 0 {
			return level, &Next{Level: higher.level, Needs: needs}
		}
		level = higher.level
	}
	return level, nil
}

func (q requirement) unmet(r record, now time.Time) []Need {
	var needs []Need
	add := func(kind NeedKind, have, need int) {
		if have < need {
			needs = append(needs, Need{kind, have, need})
		}
	}
	add(AccountAge, int(now.Sub(r.CreatedAt)/day), int(q.age/day))
	add(CompletedDeals, r.Completed, q.deals)
	add(Partners, r.Partners, q.partners)
	add(SecondFactor, count(r.SecondFactor), count(q.factor))
	return needs
}

func count(met bool) int {
	if met {
		return 1
	}
	return 0
}
