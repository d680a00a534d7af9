package wallet

import (
	"regexp"
	"strings"

	"amanat/internal/money"
)

// DepositSort is the order of a list of deposits.
type DepositSort string

// Orders of deposits. Without one, pending deposits come oldest first, as a queue is worked, and
// others newest first.
const (
	OldestFirst  DepositSort = "oldest"
	NewestFirst  DepositSort = "newest"
	LargestFirst DepositSort = "largest"
)

// Payer selects deposits by what is known of their users.
type Payer string

// Whether a deposit of the user was ever credited, and whether their email address is verified.
const (
	Credited      Payer = "credited"
	NeverCredited Payer = "never_credited"
	Verified      Payer = "verified"
	Unverified    Payer = "unverified"
)

// DepositQuery is what an admin looks for among the deposits. Empty fields select all.
type DepositQuery struct {
	Status DepositStatus
	Method string
	Payer  Payer
	Search string // the beginning of a transaction ID or username, or an amount
	Sort   DepositSort
}

// Totals are the number of rows on all pages of a list, and the sum of their amounts.
type Totals struct {
	Count  int
	Amount money.Cents
}

// A beginning of one character is not searched for: it is that of too many.
var (
	transactionBeginning = regexp.MustCompile(`^[0-9A-Z]{2,12}$`)
	usernameBeginning    = regexp.MustCompile(`^[0-9a-z_-]{2,40}$`)
)

// depositSearch is a search in the terms of the columns. Fields that the text cannot mean are zero.
type depositSearch struct {
	transaction string // the beginning, in upper case
	username    string // the beginning, in lower case
	dollars     money.Cents
	taka        money.Poisha
}

func (q DepositQuery) filter() depositFilter {
	f := depositFilter{status: q.Status, method: q.Method, payer: q.Payer, sort: q.Sort}
	if f.sort == "" {
		f.sort = NewestFirst
		if q.Status == DepositPending {
			f.sort = OldestFirst
		}
	}
	if text := strings.TrimSpace(q.Search); text != "" {
		search := parseSearch(text)
		f.search = &search
	}
	return f
}

// asciiDigits replaces Bangla digits, and removes what people write between digits.
var asciiDigits = strings.NewReplacer(
	"০", "0", "১", "1", "২", "2", "৩", "3", "৪", "4", "৫", "5", "৬", "6", "৭", "7", "৮", "8", "৯", "9", ",", "", " ", "", "\u00a0", "")

// parseSearch returns all that a text may mean. A currency sign makes it an amount only.
func parseSearch(text string) depositSearch {
	number := asciiDigits.Replace(text)
	amount, inDollars := strings.CutPrefix(number, "$")
	amount, inTaka := strings.CutPrefix(amount, "৳")
	var s depositSearch
	if units, err := money.Parse(amount); err == nil && units > 0 {
		if !inTaka {
			s.dollars = money.Cents(units)
		}
		if !inDollars {
			s.taka = money.Poisha(units)
		}
	}
	if upper := strings.ToUpper(text); transactionBeginning.MatchString(upper) {
		s.transaction = upper
	}
	if lower := strings.ToLower(text); usernameBeginning.MatchString(lower) {
		s.username = lower
	}
	return s
}
