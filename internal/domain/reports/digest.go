package reports

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// The rules that read every entry, transfer or operation join, group and sort tables of the size of
// the ledger. A whole check first computes digests of these tables, in passes that sum a hash of
// each row, and leaves out the rules that the digests show to hold. Digests of different rows are
// equal with a chance of one in 2⁴⁶ at most, and every check draws another seed. Where digests
// differ, the rule itself decides, and says which rows are wrong. Decision 31 explains why that is
// enough.

// digests are what the passes over the tables found. Sums exceed a bigint, so they are texts.
type digests struct {
	entries    entriesDigest
	accounts   string // of the stored accounts: first and last position of their entries
	transfers  transfersDigest
	operations string                  // of the operations that are done: key, kind and actor
	posted     map[string]postedDigest // by the subject of the transfer
	expected   map[string]string       // of the entries that the rows of a subject call for
}

// entriesDigest is of all entries.
type entriesDigest struct {
	Entries int64
	Odd     int64  // too large, or a stored account's without version or balance
	Path    string // what the entries leave, less what they find: position and balance
	Shares  string // of the transfers, each as often as it has entries
	Zero    bool   // random combinations of the transfers' sums are zero
}

// transfersDigest is of all transfers.
type transfersDigest struct {
	Shares   string // of the transfers, each as often as it says it has entries
	Postings string // key, kind and actor
	Unknown  int64  // keys that are of no subject
}

// postedDigest is of the entries whose transfer and account exist, by the transfer's subject.
type postedDigest struct {
	Subject string
	Entries int64
	Sum     string // key, kind, account and amount
}

// screen tells from the digests that a rule holds; otherwise it may be broken.
type screen func(d digests) bool

// connected holds if the entries of each stored account lead from nothing to its balance.
func connected(d digests) bool { return d.entries.Odd == 0 && d.entries.Path == d.accounts }

// balanced holds if each transfer has its number of entries and sums to zero in each currency.
func balanced(d digests) bool {
	return d.entries.Odd == 0 && d.entries.Shares == d.transfers.Shares && d.entries.Zero
}

// attached holds if each entry has a transfer and an account of its currency.
func attached(d digests) bool {
	var found int64
	for _, p := range d.posted {
		found += p.Entries
	}
	return found == d.entries.Entries
}

// requested holds if the transfers are those of the operations that are done.
func requested(d digests) bool {
	return d.transfers.Unknown == 0 && d.transfers.Postings == d.operations
}

// agrees holds if the entries of the subject's transfers are those that its rows call for.
func (s subject) agrees(d digests) bool {
	posted, found := d.posted[s.prefix()]
	if !found {
		posted.Sum = "0"
	}
	return attached(d) && posted.Sum == d.expected[s.prefix()]
}

// digest computes the digests. observe is as in CheckOptions.
func digest(ctx context.Context, q postgres.Querier, observe func(string, time.Duration)) (d digests, err error) {
	args := pgx.NamedArgs{"seed": rand.Int64()}
	timed := func(name string, pass func() error) {
		if err != nil {
			return
		}
		start := clock.System{}.Now()
		if err = pass(); err != nil {
			err = fmt.Errorf("digest of %s: %w", name, err)
		} else if observe != nil {
			observe("digest of "+name, clock.System{}.Now().Sub(start))
		}
	}
	timed("entries", func() (err error) {
		d.entries, err = postgres.One[entriesDigest](ctx, q, "reports.digest_entries", sqlDigestEntries, args)
		return err
	})
	timed("accounts", func() (err error) {
		d.accounts, err = postgres.Value[string](ctx, q, "reports.digest_accounts", sqlDigestAccounts, args)
		return err
	})
	timed("transfers", func() (err error) {
		d.transfers, err = postgres.One[transfersDigest](ctx, q, "reports.digest_transfers", sqlDigestTransfers, args)
		return err
	})
	timed("operations", func() (err error) {
		d.operations, err = postgres.Value[string](ctx, q, "reports.digest_operations", sqlDigestOperations, args)
		return err
	})
	timed("entries with their transfers", func() error {
		list, err := postgres.Many[postedDigest](ctx, q, "reports.digest_posted", sqlDigestPosted, args)
		d.posted = map[string]postedDigest{}
		for _, p := range list {
			d.posted[p.Subject] = p
		}
		return err
	})
	d.expected = map[string]string{}
	for _, s := range subjects {
		timed(s.table, func() (err error) {
			d.expected[s.prefix()], err = postgres.Value[string](ctx, q, "reports.digest_expected", s.sqlDigest(), args)
			return err
		})
	}
	return d, err
}

// hashOf returns SQL for a hash of a bigint with a seed. hashint8extended folds both halves of the
// value into one, so the upper half goes into the seed, too.
func hashOf(value, seed string) string {
	return fmt.Sprintf("hashint8extended(%s, (%s >> 32) # %s)", value, value, seed)
}

// sqlPosition returns SQL for a hash of an account's balance after its entry with this version.
func sqlPosition(account, version, balance string) string {
	return hashOf(balance, "hashint8extended("+account+", @seed::bigint # ("+version+"))")
}

// sqlHashOfTransfer and sqlHashOfAccount return SQL for the parts of an entry's hash. Either
// posting of a withdrawal that was given back is right, so both have one hash.
func sqlHashOfTransfer(key, kind string) string {
	if !strings.HasPrefix(kind, "'") {
		kind = fmt.Sprintf("case %s when 'withdrawal_cancel' then 'withdrawal_reject' else %[1]s end", kind)
	}
	return fmt.Sprintf("hashtextextended(%s, hashtextextended(%s, @seed::bigint))", key, kind)
}

func sqlHashOfAccount(kind, owner, currency string) string {
	return fmt.Sprintf("uuid_hash_extended(coalesce(%s, %s), hashtextextended(%s, hashtextextended(%s, @seed::bigint)))",
		owner, platform, kind, currency)
}

// sqlHashOfPosting returns SQL for a hash of a transfer without its entries.
func sqlHashOfPosting(kind, actor, key string) string {
	seed := "coalesce(uuid_hash_extended(" + actor + ", @seed::bigint), @seed::bigint)"
	return fmt.Sprintf("hashtextextended(coalesce(%s, ''), hashtextextended(%s, %s))", key, kind, seed)
}

// sqlFits is true of entries whose amounts can be multiplied by 20 bits, which is 88 billion
// dollars or taka. With a larger one, the rules about entries run.
const sqlFits = `(amount between -(1::bigint << 43) and (1::bigint << 43)
        and (balance_after is null or balance_after between -(1::bigint << 53) and (1::bigint << 53)))`

var (
	// sqlZero tells whether three combinations of the sums of all transfers and currencies with
	// random weights of 20 bits are zero.
	sqlZero = func() string {
		const weights = "hashint8extended(transfer_id, case currency when 'USD' then @seed::bigint when 'BDT' then ~@seed::bigint end)"
		sums := make([]string, 3)
		for i := range sums {
			sums[i] = fmt.Sprintf("coalesce(sum(amount * ((%s >> %d) & 1048575)) filter (where %s), 0) = 0", weights, 20*i, sqlFits)
		}
		return strings.Join(sums, " and ")
	}()

	sqlDigestEntries = `
select count(*) as entries,
       count(*) filter (where not ` + sqlFits + ` or (version is null or balance_after is null)
                          and account_id <> all(array(select id from ledger.accounts where not stored))) as odd,
       (coalesce(sum(` + sqlPosition("account_id", "version", "balance_after") + `), 0)
      - coalesce(sum(` + sqlPosition("account_id", "version - 1", "(balance_after - amount)") + `)
                        filter (where ` + sqlFits + `), 0))::text as path,
       coalesce(sum(` + sqlShare("transfer_id") + `), 0)::text as shares, ` + sqlZero + ` as zero
  from ledger.entries`

	sqlDigestAccounts = `
select (coalesce(sum(` + sqlPosition("id", "version", "balance") + `), 0)
      - coalesce(sum(` + sqlPosition("id", "0", "0::bigint") + `), 0))::text
  from ledger.accounts where stored`

	sqlDigestTransfers = `
select coalesce(sum(` + sqlShare("id") + ` * entry_count), 0)::text as shares,
       coalesce(sum(` + sqlHashOfPosting("kind", "actor_id", "key") + `), 0)::text as postings,
       count(*) filter (where not (` + sqlKnown() + `)) as unknown
  from ledger.transfers t`

	sqlDigestOperations = `
select coalesce(sum(` + sqlHashOfPosting("o.kind", "o.actor_id", sqlKey) + `), 0)::text from operations o where o.status = 'done'`

	sqlDigestPosted = `
select t.subject, count(*) as entries, sum(` + hashOf("e.amount", "a.hash # t.hash") + `)::text as sum
  from ledger.entries e
  join (select id, currency, ` + sqlHashOfAccount("kind", "owner_id", "currency") + ` as hash from ledger.accounts offset '0') a
    on a.id = e.account_id and a.currency = e.currency
  join (select id, ` + sqlSubject() + ` as subject, ` + sqlHashOfTransfer("key", "kind") + ` as hash from ledger.transfers t offset '0') t
    on t.id = e.transfer_id
 group by t.subject`
)

// sqlDigest returns a query for the digest of the entries that the subject's rows call for. It does
// not expand rows into entries, which would take most of its time.
func (s subject) sqlDigest() string {
	parts := make([]string, len(s.postings))
	for i, p := range s.postings {
		columns, sums := make([]string, len(p.legs)), make([]string, len(p.legs))
		for j, l := range p.legs {
			columns[j] = fmt.Sprintf("%s as owner%d, (%s)::bigint as amount%d, %s as account%[2]d", l.owner, j, l.amount, j, l.account)
			amount := fmt.Sprintf("amount%d", j)
			account := sqlHashOfAccount(fmt.Sprintf("account%d", j), fmt.Sprintf("owner%d", j), l.currency)
			sums[j] = fmt.Sprintf("coalesce(sum(%s) filter (where %s <> 0), 0)", hashOf(amount, account+" # hash"), amount)
		}
		// Unlike 0, '0' is a constant to the planner when it decides whether parallel workers may
		// compute the columns.
		parts[i] = fmt.Sprintf("(select %s from (select %s, %s as hash from %s %s%s where %s offset '0') s)",
			strings.Join(sums, " + "), strings.Join(columns, ", "), sqlHashOfTransfer(p.key.SQL(s.alias+".id"), p.kinds[0]),
			s.table, s.alias, p.joins, p.where)
	}
	return "select (" + strings.Join(parts, " + ") + ")::text"
}

// sqlShare has 47 bits, so that it can be multiplied by a number of entries.
func sqlShare(transfer string) string {
	return "(hashint8extended(" + transfer + ", @seed::bigint) >> 17)"
}

// sqlKnown is true of the keys that match sqlKeyPattern, and cheaper.
func sqlKnown() string {
	known := make([]string, len(subjects))
	for i, s := range subjects {
		known[i] = "starts_with(t.key, '" + s.prefix() + ":')"
	}
	return strings.Join(known, " or ")
}

// sqlSubject returns SQL for the subject of a transfer, empty for none.
func sqlSubject() string {
	cases := make([]string, len(subjects))
	for i, s := range subjects {
		cases[i] = "when starts_with(t.key, '" + s.prefix() + ":') then '" + s.prefix() + "'"
	}
	return "case " + strings.Join(cases, " ") + " else '' end"
}
