package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"amanat/internal/devtools/bench/listener"
	"amanat/internal/lib/postgres"
)

const (
	booksEvery   = 100 * time.Millisecond
	entriesEvery = 100 // readings of the books
	readTimeout  = 10 * time.Second
	catchUp      = 30 * time.Second        // for sockets to receive what they missed
	publicOrigin = "http://localhost:8080" // the default of PUBLIC_URL
	mostShown    = 20
)

// auditor reads the books all the time.
type auditor struct {
	reads, failed int // failed: while there was no database
	violations    []string
}

// watch reads the books in snapshots until ctx ends.
func (a *auditor) watch(ctx context.Context, db postgres.Beginner) {
	ticker := time.NewTicker(booksEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			a.look(ctx, db, a.reads%entriesEvery == 0)
		}
	}
}

func (a *auditor) look(ctx context.Context, db postgres.Beginner, whole bool) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	var balances, entries books
	err := postgres.Snapshot(ctx, db, func(tx *postgres.Tx) (err error) {
		if balances, err = readBooks(ctx, tx); err != nil || !whole {
			return err
		}
		entries, err = readEntries(ctx, tx)
		return err
	})
	if err != nil {
		a.failed++
		return
	}
	a.reads++
	if len(a.violations) < mostShown {
		a.violations = append(a.violations, append(balances.violations("balances"), entries.violations("entries")...)...)
	}
}

// violations says what is wrong with the books.
func (b books) violations(of string) (list []string) {
	for _, rule := range []struct {
		is   int64
		text string
	}{
		{b.USD, "the USD do not add up to zero, but to %d cents"},
		{b.BDT, "the BDT do not add up to zero, but to %d poisha"},
		{b.Negative, "%d accounts are below zero"},
		{b.Wrong, "%d accounts have another balance than their entries say"},
	} {
		if rule.is != 0 {
			list = append(list, of+": "+fmt.Sprintf(rule.text, rule.is))
		}
	}
	return list
}

// audience is a socket for each user.
type audience map[uuid.UUID]*listener.Listener

func openAudience(ctx context.Context, people []person, sites []string) audience {
	sockets := audience{}
	for _, who := range people {
		sockets[who.id] = listener.Open(ctx, listener.Options{
			Site: func() string { return sites[rand.IntN(len(sites))] }, Origin: publicOrigin, Session: who.session,
		})
	}
	return sockets
}

// close waits until all sockets have received the last event of their user, and returns what they
// missed.
func (a audience) close(ctx context.Context, q postgres.Querier) (connects int, violations []string, err error) {
	last, err := listPositions(ctx, q)
	if err != nil {
		return 0, nil, err
	}
	for deadline := time.Now().Add(catchUp); !a.heard(last) && time.Now().Before(deadline); {
		if !pause(ctx, booksEvery) {
			break
		}
	}
	violations = a.behind(last)
	var mu sync.Mutex
	var group sync.WaitGroup
	for user, socket := range a {
		group.Go(func() {
			report := socket.Close()
			mu.Lock()
			defer mu.Unlock()
			connects += report.Connects
			violations = append(violations, socketViolations(user, report)...)
		})
	}
	group.Wait()
	return connects, violations, nil
}

func (a audience) heard(last []position) bool { return len(a.behind(last)) == 0 }

// behind says which sockets have not received the last event of their user.
func (a audience) behind(last []position) (violations []string) {
	for _, p := range last {
		if socket := a[p.UserID]; socket != nil && socket.Position() != p.Seq {
			violations = append(violations, fmt.Sprintf("events of %s: the socket is at %d of %d", p.UserID, socket.Position(), p.Seq))
		}
	}
	return violations
}

// socketViolations says what a socket has lost or heard twice.
func socketViolations(user uuid.UUID, r listener.Report) (violations []string) {
	for what, n := range map[string]int{"lost": r.Gaps, "repeated": r.Doubles, "given up": r.Unrecovered} {
		if n > 0 {
			violations = append(violations, fmt.Sprintf("events of %s: %d %s", user, n, what))
		}
	}
	return violations
}
