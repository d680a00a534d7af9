package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/sanitize"
	"amanat/internal/lib/tracing"
)

// uuidLength is that of a UUID as Amanat prints it. uuid.Parse takes other forms, too.
const uuidLength = 36

// parseDeal returns the ID of a deal, written as 3f2a… or as the subject deal:3f2a…, and whether
// the text is one.
func parseDeal(text string) (uuid.UUID, bool) {
	text = strings.TrimPrefix(text, "deal:")
	id, err := uuid.Parse(text)
	return id, err == nil && len(text) == uuidLength
}

func dealStatement(ctx context.Context, db *pgxpool.Pool, out io.Writer, id uuid.UUID) error {
	d, err := (&deals.Service{DB: db, Clock: clock.System{}}).Statement(ctx, id)
	if err != nil {
		return err
	}
	lines, err := (&reports.Service{DB: db, Clock: clock.System{}}).DealStatement(ctx, id)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, dealHead(d))
	if len(lines) == 0 {
		fmt.Fprintln(out, "No money has moved.")
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TIME\tKIND\tFROM\tTO\tAMOUNT\tESCROW\tBY\tOPERATION\tCALL")
	for _, line := range lines {
		escrow, operation := "-", "-"
		if line.EscrowAfter != nil {
			escrow = line.EscrowAfter.String()
		}
		if line.Operation != nil {
			operation = line.Operation.String()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", stamp(line.At), line.Kind, accountText(line.From, line.FromUser),
			accountText(line.To, line.ToUser), line.Amount, escrow, actorText(line.Actor), operation, callText(line.RequestID))
	}
	return table.Flush()
}

// dealHead names a deal on one line.
func dealHead(d deals.Deal) string {
	title := `"` + sanitize.Line(catalog.DealTitle(d.Description)) + `"`
	if d.DescriptionErased {
		title = "(description erased)"
	}
	status := string(d.Status)
	if d.RemovedAt != nil {
		status += ", removed " + stamp(*d.RemovedAt)
	}
	return fmt.Sprintf("Deal %s %s: buyer %s, seller %s, price %s, %s", d.ID, title, d.Buyer.Username, d.Seller.Username, d.Price, status)
}

// accountNames are the accounts of the provider that a deal's money goes to. See accountText.
var accountNames = map[string]string{"referral_payable": "rewards owed"}

// accountText names an account by its kind and, if it is a wallet, its user.
func accountText(kind string, user *string) string {
	if user != nil {
		return kind + " of " + *user
	}
	return cmp.Or(accountNames[kind], kind)
}

// actorText names who has requested a transfer: a user or the system. No command requests one.
func actorText(user *string) string {
	if user == nil {
		return "system"
	}
	return *user
}

// callText returns the reference of the call with a request id.
func callText(requestID *string) string {
	if requestID == nil {
		return "-"
	}
	return tracing.Reference(*requestID)
}
