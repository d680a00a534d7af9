package torture

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Report says what happened in a run.
type Report struct {
	Seed     uint64
	Duration time.Duration
	Elapsed  time.Duration // until all calls were answered
	Clients  int
	Wallets  int
	Cores    int
	Server   string // PostgreSQL's version and whether it writes to disk

	Calls      map[Outcome]int // by what became of them at last
	Money      int             // calls among them that move money, or prepare it
	Unanswered int             // attempts whose outcome was unknown, and which were repeated
	Retried    int             // calls with such attempts
	Slowest    time.Duration   // from the first attempt of a call that moves money to its final answer
	SlowestOf  Kind

	Faults map[string]int
	Kills  int
	Skewed int64 // processes started with a wrong clock

	Books    Reads
	Connects int // of sockets
	Deals    int // whose histories were checked
	Wallet   int // the same
	Indexes  int64

	Violations []string
}

// Reads counts readings of the books.
type Reads struct{ Done, Failed int }

func (r *Report) violate(violations ...string) { r.Violations = append(r.Violations, violations...) }

func (r *Report) describe(ctx context.Context, run *run) {
	o := run.options
	r.Seed, r.Duration, r.Clients, r.Wallets, r.Cores = o.Seed, o.Duration, o.Clients, o.Wallets, runtime.NumCPU()
	r.Server, _ = serverVersion(ctx, run.owner) // it is only shown
}

func (r *Report) faults(d *done) {
	r.Faults, r.Kills = d.count, d.kills
	for _, problem := range d.problems {
		r.violate("not repaired: " + problem)
	}
}

// check checks the history of the calls and counts them.
func (r *Report) check(calls []Call) {
	r.count(calls)
	r.violate(checkSettled(calls)...)
	deals, wrongDeals := checkDeals(calls)
	wallets, wrongWallets := checkWallets(calls)
	r.Deals, r.Wallet = deals, wallets
	r.violate(append(wrongDeals, wrongWallets...)...)
}

func (r *Report) count(calls []Call) {
	r.Calls = map[Outcome]int{}
	for _, c := range calls {
		if c.Attempts == 0 { // a read at the end, which no client made
			continue
		}
		r.Calls[c.Outcome]++
		r.Unanswered += c.Unanswered
		if c.Unanswered > 0 {
			r.Retried++
		}
		if c.Kind.reads() {
			continue
		}
		r.Money++
		if took := c.Returned - c.Invoked; c.Outcome == OK && took > r.Slowest {
			r.Slowest, r.SlowestOf = took, c.Kind
		}
	}
}

func (r *Report) total() (n int) {
	for _, count := range r.Calls {
		n += count
	}
	return n
}

// row is a line of the table.
type row struct{ what, figure string }

func (r *Report) rows() []row {
	rows := []row{
		{"seed", fmt.Sprint(r.Seed)},
		{"load and faults", fmt.Sprintf("%s, %d clients, %d wallets, %d cores", r.Duration, r.Clients, r.Wallets, r.Cores)},
		{"PostgreSQL", r.Server},
		{"operations", fmt.Sprintf("%d, %d of them on money; %.0f a second", r.total(), r.Money, float64(r.total())/r.Elapsed.Seconds())},
		{"ok / refused / unknown at the end", fmt.Sprintf("%d / %d / %d", r.Calls[OK], r.Calls[Refused], r.Calls[Unknown])},
		{"attempts with an unknown outcome", fmt.Sprintf("%d, of %d operations", r.Unanswered, r.Retried)},
		{"slowest operation on money", fmt.Sprintf("%s (%s)", r.Slowest.Round(time.Millisecond), r.SlowestOf)},
		{"kills (SIGKILL)", fmt.Sprint(r.Kills)},
		{"processes started with a wrong clock", fmt.Sprint(r.Skewed)},
	}
	for _, name := range slices.Sorted(maps.Keys(r.Faults)) {
		rows = append(rows, row{name, fmt.Sprint(r.Faults[name])})
	}
	return append(rows,
		row{"histories checked", fmt.Sprintf("%d deals, %d wallets", r.Deals, r.Wallet)},
		row{"readings of the books", fmt.Sprintf("%d, and %d while there was no database", r.Books.Done, r.Books.Failed)},
		row{"connections of the sockets", fmt.Sprint(r.Connects)},
		row{"B-trees checked by amcheck", fmt.Sprint(r.Indexes)},
		row{"violations", fmt.Sprint(len(r.Violations))},
	)
}

// Print prints the report as a table in Markdown, and the violations.
func (r *Report) Print(w io.Writer) error {
	var text strings.Builder
	text.WriteString("| what | figure |\n|---|---|\n")
	for _, line := range r.rows() {
		_, _ = fmt.Fprintf(&text, "| %s | %s |\n", line.what, line.figure)
	}
	for i, violation := range r.Violations {
		if i == mostShown {
			_, _ = fmt.Fprintf(&text, "\nand %d more\n", len(r.Violations)-i)
			break
		}
		_, _ = fmt.Fprintf(&text, "\nVIOLATION %s\n", violation)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
