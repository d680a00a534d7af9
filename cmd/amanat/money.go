package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

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
	"amanat/internal/money"
	"amanat/internal/money/chain"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// correctionLine is a correction of a balance.
type correctionLine struct {
	ID         uuid.UUID               `json:"id"`
	ProposedAt time.Time               `json:"proposedAt" text:"proposed"`
	User       string                  `json:"user"`
	Amount     money.Cents             `json:"amount"`
	Status     wallet.CorrectionStatus `json:"status"`
	ProposedBy string                  `json:"proposedBy" text:"by"`
	DecidedAt  *time.Time              `json:"decidedAt" text:"decided"`
	DecidedBy  *string                 `json:"decidedBy"`
	ExpiresAt  time.Time               `json:"expiresAt" text:"-"`
	Balance    money.Cents             `json:"balance" text:"-"`
	Reason     string                  `json:"reason"`
	Note       string                  `json:"note" text:"-"`
}

func newCorrectionLine(c wallet.Correction) correctionLine {
	name := func(ref *user.Ref) *string {
		if ref == nil {
			return nil
		}
		return &ref.Username
	}
	line := correctionLine{
		c.ID, c.ProposedAt, c.User.Username, c.Amount, c.Status, "operator", c.DecidedAt, name(c.DecidedBy), c.ExpiresAt, c.Balance, c.Reason,
		c.Note,
	}
	if c.ProposedBy != nil {
		line.ProposedBy = c.ProposedBy.Username
	}
	return line
}

// proposal is a correction that has just been proposed.
type proposal struct{ correctionLine }

func (p proposal) text(out io.Writer) error {
	_, err := fmt.Fprintf(out, "Proposed %s: %s USD for %s, who has %s USD. An admin has to confirm it by %s.\n", p.ID, signed(p.Amount),
		p.User, p.Balance, stamp(p.ExpiresAt))
	return err
}

func proposeCorrection() *cobra.Command {
	var remark string
	cmd := printing(&cobra.Command{
		Use: "propose [flags] USERNAME AMOUNT REASON", Args: exactly(3), Short: "Propose a correction, which an admin confirms",
		Long: "Propose a correction of a user's balance, such as 5 or -12.50 dollars, with a reason that the user reads. An admin\n" +
			"confirms it. Flags come first. It takes the login of the api, the worker or the owner.",
		Example: `  amanat corrections propose rahim -15.00 "A deposit was credited twice on 3 November."`,
		RunE: func(cmd *cobra.Command, args []string) error {
			units, err := money.Parse(strings.TrimPrefix(args[1], "+"))
			if err != nil {
				return fmt.Errorf("%w: %q is no amount: %w", errUsage, args[1], err)
			}
			return withCorrections(cmd.Context(), func(service *wallet.Service) error {
				id, err := service.AccountNamed(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				c, err := service.ProposeCorrection(cmd.Context(), actor.Operator(), wallet.CorrectionProposal{
					UserID: id, Amount: money.Cents(units), Reason: args[2], Note: remark,
				}, nil)
				if err != nil {
					return err
				}
				return show(cmd, proposal{newCorrectionLine(c)})
			})
		},
	})
	cmd.Flags().StringVar(&remark, "note", "", "a `text` for admins")
	cmd.Flags().SetInterspersed(false) // -15.00 is no flag
	return cmd
}

func listCorrections() *cobra.Command {
	var open bool
	var limit int
	cmd := printing(&cobra.Command{
		Use: "list", Args: exactly(0), Short: "List the corrections of balances, newest first",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var query wallet.CorrectionQuery
			if open {
				query.Status = wallet.CorrectionOpen
			}
			return withCorrections(cmd.Context(), func(service *wallet.Service) error {
				list, total, err := service.CorrectionWorklist(cmd.Context(), query, postgres.Page{Limit: limit})
				if err != nil {
					return err
				}
				lines := make([]correctionLine, len(list))
				for i, c := range list {
					lines[i] = newCorrectionLine(c)
				}
				if err := showList(cmd, lines, "There are no corrections."); err != nil {
					return err
				}
				if total > len(list) {
					note(cmd, "%d of %d; --limit shows more.", len(list), total)
				}
				return nil
			})
		},
	})
	cmd.Flags().BoolVar(&open, "open", false, "only those that wait for an admin, oldest first")
	limitFlag(cmd, &limit, 50, 1000)
	return cmd
}

// signed formats an amount with its sign.
func signed(amount money.Cents) string {
	if amount > 0 {
		return "+" + amount.String()
	}
	return amount.String()
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

func setRate() *cobra.Command {
	var confirmed bool
	cmd := &cobra.Command{
		Use: "set-rate BDT", Args: exactly(1), Short: "Set the price of a dollar in taka, such as 122.40",
		Long: "Set the price of a dollar in taka, such as 122.40. A change of more than 10% has to be confirmed.",
		RunE: func(cmd *cobra.Command, args []string) error {
			units, err := money.Parse(args[0])
			if err != nil {
				return fmt.Errorf("%w: %w", errUsage, err)
			}
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				service := &wallet.Service{DB: db, Clock: clock.System{}}
				err := service.SetRate(cmd.Context(), actor.Operator(), money.Rate(units), confirmed)
				if refusal := fault.As(err); refusal != nil && refusal.Fields["confirm"] != "" {
					return fmt.Errorf("%w (with --confirm)", err)
				}
				if err == nil {
					note(cmd, "1 USD = %s BDT from now on.", money.Rate(units))
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&confirmed, "confirm", false, "a change of more than 10% is meant")
	return cmd
}

func statement() *cobra.Command {
	var since *time.Time
	var isUser bool
	cmd := printing(&cobra.Command{
		Use: "statement USERNAME|DEAL", Args: exactly(1), Short: "Print what moved a user's balance or a deal's money, oldest first",
		Long: "Print what moved a user's balance, also a disabled user's, or a deal's money (by the ID of the deal), oldest first, with\n" +
			"the references of the calls. The audit log has that it was read.",
		RunE: func(cmd *cobra.Command, args []string) error {
			deal, isDeal := parseDeal(args[0])
			isDeal = isDeal && !isUser
			if isDeal && since != nil {
				return fmt.Errorf("%w: --since is for statements of users", errUsage)
			}
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				if isDeal {
					return dealStatement(cmd, db, deal)
				}
				return userStatement(cmd, db, args[0], since)
			})
		},
	})
	sinceFlag(cmd, &since)
	cmd.Flags().BoolVar(&isUser, "user", false, "a username, although it has the form of an ID")
	return cmd
}

type userMoney struct {
	Opening money.Cents `json:"opening"`
	Closing money.Cents `json:"closing"`
	Lines   []moneyLine `json:"lines"`
}

type moneyLine struct {
	At        *time.Time   `json:"at" text:"time"`
	Kind      string       `json:"kind"`
	Subject   string       `json:"subject"`
	With      *string      `json:"with"`
	Reference *string      `json:"reference"` // of the payment
	Amount    *money.Cents `json:"amount"`
	Balance   money.Cents  `json:"balance"`
	Call      *string      `json:"call"`
}

func (s userMoney) text(out io.Writer) error {
	lines := slices.Concat([]moneyLine{{Kind: "opening", Balance: s.Opening}}, s.Lines, []moneyLine{{Kind: "closing", Balance: s.Closing}})
	return printTable(out, lines)
}

func userStatement(cmd *cobra.Command, db *pgxpool.Pool, username string, since *time.Time) error {
	user, err := accounts.New(accounts.Options{DB: db, Clock: clock.System{}}).Statement(cmd.Context(), username)
	if err != nil {
		return err
	}
	read := userMoney{Lines: []moneyLine{}}
	first := true
	service, filter := &reports.Service{DB: db, Clock: clock.System{}}, reports.StatementFilter{}
	filter.Period.From = since
	err = service.TracedStatementParts(cmd.Context(), user.ID, filter, func(sums reports.Statement, lines []reports.TracedLine) error {
		if first {
			read.Opening, read.Closing, first = sums.Opening, sums.Closing, false
		}
		for _, l := range lines {
			read.Lines = append(read.Lines, moneyLine{
				&l.At, l.Kind, l.Subject, l.With, l.Reference, &l.Amount, l.BalanceAfter, reference(l.RequestID),
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return show(cmd, read)
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

type dealMoney struct {
	Deal        uuid.UUID   `json:"deal"`
	Description *string     `json:"description"` // its first line; nil if it was erased
	Buyer       string      `json:"buyer"`
	Seller      string      `json:"seller"`
	Price       money.Cents `json:"price"`
	Status      string      `json:"status"`
	RemovedAt   *time.Time  `json:"removedAt"`
	Lines       []dealLine  `json:"lines"`
}

type dealLine struct {
	At        time.Time    `json:"at" text:"time"`
	Kind      string       `json:"kind"`
	From      string       `json:"from"`
	To        string       `json:"to"`
	Amount    money.Cents  `json:"amount"`
	Escrow    *money.Cents `json:"escrow"`
	By        string       `json:"by"`
	Operation *uuid.UUID   `json:"operation"`
	Call      *string      `json:"call"`
}

func (d dealMoney) text(out io.Writer) error {
	title, status := "(description erased)", d.Status
	if d.Description != nil {
		title = `"` + *d.Description + `"`
	}
	if d.RemovedAt != nil {
		status += ", removed " + stamp(*d.RemovedAt)
	}
	fmt.Fprintf(out, "Deal %s %s: buyer %s, seller %s, price %s, %s\n", d.Deal, title, d.Buyer, d.Seller, d.Price, status)
	if len(d.Lines) == 0 {
		_, err := fmt.Fprintln(out, "No money has moved.")
		return err
	}
	return printTable(out, d.Lines)
}

func dealStatement(cmd *cobra.Command, db *pgxpool.Pool, id uuid.UUID) error {
	d, err := (&deals.Service{DB: db, Clock: clock.System{}}).Statement(cmd.Context(), id)
	if err != nil {
		return err
	}
	lines, err := (&reports.Service{DB: db, Clock: clock.System{}}).DealStatement(cmd.Context(), id)
	if err != nil {
		return err
	}
	read := dealMoney{
		Deal: d.ID, Buyer: d.Buyer.Username, Seller: d.Seller.Username, Price: d.Price, Status: string(d.Status), RemovedAt: d.RemovedAt,
		Lines: make([]dealLine, len(lines)),
	}
	if !d.DescriptionErased {
		title := sanitize.Line(catalog.DealTitle(d.Description))
		read.Description = &title
	}
	for i, l := range lines {
		read.Lines[i] = dealLine{
			l.At, l.Kind, accountText(l.From, l.FromUser), accountText(l.To, l.ToUser), l.Amount, l.EscrowAfter, "system", l.Operation,
			reference(l.RequestID),
		}
		if l.Actor != nil { // No command requests a transfer.
			read.Lines[i].By = *l.Actor
		}
	}
	return show(cmd, read)
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

// errBooks makes the exit code non-zero if the books do not balance.
var errBooks = errors.New("the books do not add up")

type booksCheck struct {
	OK    bool       `json:"ok"`
	Whole bool       `json:"whole"`
	Since *time.Time `json:"since"` // of the checkpoint at which a short check began
	Rules []verdict  `json:"rules"`

	askedShort bool
}

// verdict is what a check found of a rule or a chain.
type verdict struct {
	Name     string   `json:"name"`
	OK       bool     `json:"ok"`
	Findings []string `json:"findings"`
}

func (v verdict) print(out io.Writer, more string) {
	text := "ok    "
	if !v.OK {
		text = "BROKEN"
	}
	fmt.Fprintf(out, "%s  %s%s\n", text, v.Name, more)
	for _, finding := range v.Findings {
		fmt.Fprintf(out, "        %s\n", finding)
	}
}

func (b booksCheck) text(out io.Writer) error {
	var text strings.Builder
	switch {
	case b.Since != nil:
		fmt.Fprintf(&text, "checked what came since %s\n", clock.Moment(*b.Since))
	case b.askedShort:
		fmt.Fprintln(&text, "there is no checkpoint to begin at: everything was checked")
	}
	for _, rule := range b.Rules {
		rule.print(&text, "")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func reconcile() *cobra.Command {
	var short bool
	cmd := printing(&cobra.Command{
		Use: "reconcile", Args: exactly(0), Short: "Check every rule of the books; exit code 1 if one is broken",
		Long: "Check every rule of the books, on everything or on what came since the latest nightly check. The exit code is 1 if one\n" +
			"is broken. It takes the login of the worker or the owner.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				check, err := reports.CheckBooks(cmd.Context(), db, reports.CheckOptions{Short: short})
				if err != nil {
					return err
				}
				read := newBooksCheck(check)
				read.askedShort = short
				if err := show(cmd, read); err != nil {
					return err
				}
				if !read.OK {
					return errBooks
				}
				return nil
			})
		},
	})
	cmd.Flags().BoolVar(&short, "since-checkpoint", false, "only what came since the latest nightly check")
	return cmd
}

func newBooksCheck(check reports.Check) booksCheck {
	read := booksCheck{OK: len(check.Findings) == 0, Whole: check.Whole}
	if !check.Whole {
		read.Since = &check.Since
	}
	broken := map[string][]string{}
	for _, f := range check.Findings {
		broken[f.Rule] = append(broken[f.Rule], f.Detail)
	}
	for _, rule := range reports.Rules() {
		read.Rules = append(read.Rules, verdict{rule, len(broken[rule]) == 0, append([]string{}, broken[rule]...)})
	}
	return read
}

// errChain makes the exit code non-zero if a chain is broken.
var errChain = errors.New("the chain is broken")

type chainsCheck struct {
	OK     bool           `json:"ok"`
	Chains []chainVerdict `json:"chains"`
	Head   *headVerdict   `json:"head,omitempty"` // with --head
}

type chainVerdict struct {
	verdict
	Sealed  int64  `json:"sealed"`
	Waiting int64  `json:"waiting"` // rows that are not sealed yet
	Last    int64  `json:"last"`    // the number of the last seal; 0 for none
	Head    string `json:"head"`    // its hash
}

type headVerdict struct {
	Hash  string  `json:"hash"`
	Chain *string `json:"chain"` // that it is part of; nil: of none
}

func (c chainsCheck) text(out io.Writer) error {
	var text strings.Builder
	for _, r := range c.Chains {
		r.print(&text, fmt.Sprintf(": %d rows sealed, %d not yet", r.Sealed, r.Waiting))
		if r.Last > 0 {
			fmt.Fprintf(&text, "        head %d %s\n", r.Last, r.Head)
		}
	}
	switch {
	case c.Head == nil:
	case c.Head.Chain == nil:
		fmt.Fprintf(&text, "BROKEN  no seal has the hash %s\n", c.Head.Hash)
	default:
		fmt.Fprintf(&text, "ok      the head %s is part of %s\n", c.Head.Hash, *c.Head.Chain)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

const sha256Length = 32

func verifyChain() *cobra.Command {
	var text string
	cmd := printing(&cobra.Command{
		Use: "verify-chain", Args: exactly(0), Short: "Check the seals of the ledger and the audit log; exit code 1 if one is broken",
		Long: "Compute every seal of the ledger and the audit log again, and print the heads, to be stored elsewhere. The exit code is\n" +
			"1 when a row was changed, removed or inserted. It takes the login of the worker or the owner.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			head, err := parseHead(text)
			if err != nil {
				return err
			}
			return withDatabase(cmd.Context(), func(db *pgxpool.Pool) error {
				results, err := chain.Verify(cmd.Context(), db, chain.Options{Head: head})
				if err != nil {
					return err
				}
				read := newChainsCheck(results, text)
				if err := show(cmd, read); err != nil {
					return err
				}
				if !read.OK {
					return errChain
				}
				return nil
			})
		},
	})
	cmd.Flags().StringVar(&text, "head", "", "also look for this `hash`, which an earlier run has printed")
	return cmd
}

// parseHead returns the hash of a head, or nil for none.
func parseHead(text string) ([]byte, error) {
	head, err := hex.DecodeString(text)
	if err != nil || text != "" && len(head) != sha256Length {
		return nil, fmt.Errorf("%w: --head is the hash that verify-chain has printed, 64 hexadecimal digits", errUsage)
	}
	return head, nil
}

func newChainsCheck(results []chain.Result, head string) chainsCheck {
	read := chainsCheck{OK: true}
	if head != "" {
		read.Head = &headVerdict{Hash: head}
	}
	for _, r := range results {
		ok := len(r.Findings) == 0
		read.OK = read.OK && ok
		read.Chains = append(read.Chains, chainVerdict{
			verdict{r.Chain, ok, append([]string{}, r.Findings...)}, r.Checked, r.Waiting, r.Last, hex.EncodeToString(r.Head),
		})
		if r.HasHead && head != "" {
			read.Head.Chain = &r.Chain
		}
	}
	read.OK = read.OK && (read.Head == nil || read.Head.Chain != nil)
	return read
}
