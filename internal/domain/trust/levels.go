package trust

import "time"

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
