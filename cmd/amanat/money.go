package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/actor"
	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/reports"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/sanitize"
	"amanat/internal/lib/tracing"
	"amanat/internal/money"
	"amanat/internal/money/chain"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// adjust proposes a correction of a user's balance, which an admin confirms in the UI. It uses
// DATABASE_URL (the api's or the worker's login).
func adjust(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("adjust", flag.ContinueOnError)
	note := flags.String("note", "", "for admins")
	if err := parse(flags, args, 3); err != nil {
		return err
	}
	units, err := money.Parse(strings.TrimPrefix(flags.Arg(1), "+"))
	if err != nil {
		return fmt.Errorf("%w: %q is no amount: %w", errUsage, flags.Arg(1), err)
	}
	return withCorrections(ctx, func(service *wallet.Service) error {
		id, err := service.AccountNamed(ctx, flags.Arg(0))
		if err != nil {
			return err
		}
		a, err := service.ProposeCorrection(ctx, actor.Operator(), wallet.CorrectionProposal{
			UserID: id, Amount: money.Cents(units), Reason: flags.Arg(2), Note: *note,
		}, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Proposed %s: %s USD for %s, who has %s USD. An admin has to confirm it by %s.\n", a.ID, signed(a.Amount),
			a.User.Username, a.Balance, stamp(a.ExpiresAt))
		return nil
	})
}

// listCorrections lists the corrections, newest first. It uses DATABASE_URL (any login).
func listCorrections(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("corrections", flag.ContinueOnError)
	open := flags.Bool("open", false, "only those that wait for an admin, oldest first")
	limit := flags.Int("limit", 50, "how many at most")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	if *limit < 1 || *limit > 1000 {
		return fmt.Errorf("%w: --limit must be 1 to 1000", errUsage)
	}
	var query wallet.CorrectionQuery
	if *open {
		query.Status = wallet.CorrectionOpen
	}
	return withCorrections(ctx, func(service *wallet.Service) error {
		list, total, err := service.CorrectionWorklist(ctx, query, postgres.Page{Limit: *limit})
		if err != nil {
			return err
		}
		if total == 0 {
			fmt.Fprintln(out, "There are no corrections.")
			return nil
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tPROPOSED\tUSER\tAMOUNT\tSTATUS\tBY\tDECIDED\tDECIDED BY\tREASON")
		for _, a := range list {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.ID, stamp(a.ProposedAt), a.User.Username, signed(a.Amount),
				a.Status, nameOr(a.ProposedBy, "operator"), stampOr(a.DecidedAt), nameOr(a.DecidedBy, "-"), a.Reason)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		if total > len(list) {
			fmt.Fprintf(out, "%d of %d; --limit shows more.\n", len(list), total)
		}
		return nil
	})
}

// signed formats an amount with its sign.
func signed(amount money.Cents) string {
	if amount > 0 {
		return "+" + amount.String()
	}
	return amount.String()
}

func nameOr(ref *user.Ref, other string) string {
	if ref == nil {
		return other
	}
	return ref.Username
}

// withCorrections runs f on DATABASE_URL.
func withCorrections(ctx context.Context, f func(*wallet.Service) error) error {
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		inserter, err := jobs.NewInserter(db, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		return f(&wallet.Service{
			DB: db, Clock: clock.System{}, Jobs: inserter, Events: &realtime.Log{Clock: clock.System{}, Publish: silence{}},
		})
	})
}

// setRate sets the exchange rate. It uses DATABASE_URL (the api's login is enough).
func setRate(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("set-rate", flag.ContinueOnError)
	confirmed := flags.Bool("confirm", false, "")
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	units, err := money.Parse(flags.Arg(0))
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	service := &wallet.Service{DB: db, Clock: clock.System{}}
	err = service.SetRate(ctx, actor.Operator(), money.Rate(units), *confirmed)
	if refusal := fault.As(err); refusal != nil && refusal.Fields["confirm"] != "" {
		return fmt.Errorf("%w (with --confirm before the rate)", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "1 USD = %s BDT from now on.\n", money.Rate(units))
	return nil
}

// statement prints a user's statement as the ledger has it, that of a disabled user, too, or what
// moved the money of a deal. It uses DATABASE_URL (any login).
func statement(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("statement", flag.ContinueOnError)
	days := flags.Int("days", 0, "only of the last so many days; 0: of all time")
	isUser := flags.Bool("user", false, "a username, although it has the form of an ID")
	if err := parse(flags, flagsFirst(args), 1); err != nil {
		return err
	}
	if *days < 0 {
		return fmt.Errorf("%w: --days must not be below 0", errUsage)
	}
	deal, isDeal := parseDeal(flags.Arg(0))
	isDeal = isDeal && !*isUser
	if isDeal && *days > 0 {
		return fmt.Errorf("%w: --days is for statements of users", errUsage)
	}
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		if isDeal {
			return dealStatement(ctx, db, out, deal)
		}
		user, err := accounts.New(accounts.Options{DB: db, Clock: clock.System{}}).Statement(ctx, flags.Arg(0))
		if err != nil {
			return err
		}
		var filter reports.StatementFilter
		if *days > 0 {
			from := clock.System{}.Now().AddDate(0, 0, -*days)
			filter.Period.From = &from
		}
		return printStatement(ctx, out, &reports.Service{DB: db, Clock: clock.System{}}, user, filter)
	})
}

func printStatement(
	ctx context.Context, out io.Writer, service *reports.Service, user accounts.User, filter reports.StatementFilter,
) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var sums *reports.Statement
	err := service.TracedStatementParts(ctx, user.ID, filter, func(read reports.Statement, lines []reports.TracedLine) error {
		if sums == nil {
			sums = &read
			fmt.Fprintf(table, "TIME\tKIND\tSUBJECT\tWITH\tREFERENCE\tAMOUNT\tBALANCE\tCALL\n\t\t\t\topening\t\t%s\t\n", read.Opening)
		}
		for _, line := range lines {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", stamp(line.At), line.Kind, line.Subject, textOr(line.With),
				textOr(line.Reference), line.Amount, line.BalanceAfter, callText(line.RequestID))
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(table, "\t\t\t\tclosing\t\t%s\t\n", sums.Closing)
	return table.Flush()
}

func textOr(text *string) string {
	if text == nil {
		return "-"
	}
	return cmp.Or(*text, "-")
}

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

// errBooks makes the exit code non-zero if the books do not balance.
var errBooks = errors.New("the books do not add up")

// reconcile checks the books: whole, or with --since-checkpoint what came since the latest check
// without a finding. It uses DATABASE_URL (the worker's login is enough).
func reconcile(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("reconcile", flag.ContinueOnError)
	short := flags.Bool("since-checkpoint", false, "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	check, err := reports.CheckBooks(ctx, db, reports.CheckOptions{Short: *short})
	if err != nil {
		return err
	}
	switch {
	case !check.Whole:
		fmt.Fprintf(out, "checked what came since %s\n", clock.Moment(check.Since))
	case *short:
		fmt.Fprintln(out, "there is no checkpoint to begin at: everything was checked")
	}
	broken := map[string][]string{}
	for _, f := range check.Findings {
		broken[f.Rule] = append(broken[f.Rule], f.Detail)
	}
	for _, rule := range reports.Rules() {
		verdict := "ok    "
		if len(broken[rule]) > 0 {
			verdict = "BROKEN"
		}
		fmt.Fprintf(out, "%s  %s\n", verdict, rule)
		for _, detail := range broken[rule] {
			fmt.Fprintf(out, "        %s\n", detail)
		}
	}
	if len(check.Findings) > 0 {
		return errBooks
	}
	return nil
}

// errChain makes the exit code non-zero if a chain is broken.
var errChain = errors.New("the chain is broken")

// verifyChain verifies the chains of the ledger and the audit log. It uses DATABASE_URL (the
// worker's login is enough).
func verifyChain(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("verify-chain", flag.ContinueOnError)
	text := flags.String("head", "", "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	head, err := hex.DecodeString(*text)
	if err != nil || *text != "" && len(head) != sha256Length {
		return fmt.Errorf("%w: --head is the hash that an earlier run has printed, 64 hexadecimal digits", errUsage)
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	results, err := chain.Verify(ctx, db, chain.Options{Head: head})
	if err != nil {
		return err
	}
	return printChains(out, results, *text)
}

const sha256Length = 32

func printChains(out io.Writer, results []chain.Result, head string) error {
	broken := false
	for _, r := range results {
		verdict := "ok    "
		if len(r.Findings) > 0 {
			verdict, broken = "BROKEN", true
		}
		fmt.Fprintf(out, "%s  %s: %d rows sealed, %d not yet\n", verdict, r.Chain, r.Checked, r.Waiting)
		for _, finding := range r.Findings {
			fmt.Fprintf(out, "        %s\n", finding)
		}
		if r.Last > 0 {
			fmt.Fprintf(out, "        head %d %x\n", r.Last, r.Head)
		}
	}
	if head != "" {
		i := slices.IndexFunc(results, func(r chain.Result) bool { return r.HasHead })
		if i < 0 {
			fmt.Fprintf(out, "BROKEN  no seal has the hash %s\n", head)
			return errChain
		}
		fmt.Fprintf(out, "ok      the head %s is part of %s\n", head, results[i].Chain)
	}
	if broken {
		return errChain
	}
	return nil
}
