package wallet

import (
	"regexp"
	"strings"
	"time"

	"amanat/internal/lib/clock"
	"amanat/internal/money"
)

// statement is what an SMS of a payment provider states about one movement of money.
type statement struct {
	Outgoing      bool
	Amount        money.Poisha
	Fee           money.Poisha
	Balance       money.Poisha // after the movement
	TransactionID string
	Party         string // the other side's number or name; "": not stated
	Reference     string // as the payer wrote it; "": none
	At            time.Time
}

// before returns the balance that the account had before the movement.
func (s statement) before() money.Poisha {
	if s.Outgoing {
		return s.Balance + s.Amount + s.Fee
	}
	return s.Balance - s.Amount + s.Fee
}

// senders are the names and short codes that the providers send from, in lower case, with the
// payment methods.
var senders = map[string]string{"bkash": Bkash, "16247": Bkash, "nagad": Nagad, "16167": Nagad}

// Parts of the patterns below. A reference is text that the payer chooses, so what comes after it
// is matched up to the end of the message: nothing in the reference can take its place.
const (
	reAmount = `Tk\.? ?(?P<amount>[\d,]+(?:\.\d{1,2})?)`
	reRef    = `(?:\.? Ref:? ?(?P<ref>.*?))?`
	reEnd    = `\.? Fee:? Tk\.? ?(?P<fee>[\d,]+(?:\.\d{1,2})?)\. Balance:? Tk\.? ?(?P<balance>[\d,]+(?:\.\d{1,2})?)\.` +
		` TrxID:? ?(?P<id>[0-9A-Za-z]{8,12}) at (?P<time>\d{2}/\d{2}/\d{4} \d{2}:\d{2})\.?$`
	reNagadEnd = ` TxnID: ?(?P<id>[0-9A-Za-z]{8,12})(?: (?:Fee|Charge): Tk\.? ?(?P<fee>[\d,]+(?:\.\d{1,2})?))?` +
		` Balance: Tk\.? ?(?P<balance>[\d,]+(?:\.\d{1,2})?) (?P<time>\d{2}/\d{2}/\d{4} \d{2}:\d{2})$`
)

// form is the wording of one kind of SMS, with line breaks read as blanks.
type form struct {
	method   string
	outgoing bool
	pattern  *regexp.Regexp
}

// forms are the wordings of movements. An SMS in another wording is not understood, and the next
// one that is then does not continue the chain of balances.
var forms = []form{
	{Bkash, false, regexp.MustCompile(`^You have received (?:payment |deposit )?(?:of )?` + reAmount +
		` from (?P<party>[^.]{1,60}?)` + reRef + reEnd)},
	{Bkash, false, regexp.MustCompile(`^Cash In ` + reAmount + ` from (?P<party>[^.]{1,60}?)(?: successful)?` + reRef + reEnd)},
	{Bkash, true, regexp.MustCompile(`^(?:Send Money|Cash Out|Payment|Mobile Recharge)(?: of)? ` + reAmount +
		` to (?P<party>[^.]{1,60}?)(?: (?:is )?successful)?` + reRef + reEnd)},
	{Nagad, false, regexp.MustCompile(`^(?:Money Received|Cash In Received|Payment Received)\. Amount: ` + reAmount +
		` (?:Sender|Uddokta|Customer): ?(?P<party>[^ ]{1,40})(?: Ref: ?(?P<ref>.*?))?` + reNagadEnd)},
	{Nagad, true, regexp.MustCompile(`^(?:Money Sent|Send Money|Cash Out|Payment)(?: Successful)?\. Amount: ` + reAmount +
		` (?:Receiver|Uddokta|Merchant|Customer): ?(?P<party>[^ ]{1,40})(?: Ref: ?(?P<ref>.*?))?` + reNagadEnd)},
}

// stampLayout is how both providers write a time, in Dhaka.
const stampLayout = "02/01/2006 15:04"

// readSMS returns what an SMS of a payment method states, and whether it is understood.
func readSMS(method, text string) (statement, bool) {
	line := strings.Join(strings.Fields(latinDigits.Replace(text)), " ")
	for _, f := range forms {
		if f.method != method {
			continue
		}
		if found := f.pattern.FindStringSubmatch(line); found != nil {
			return f.statement(found)
		}
	}
	return statement{}, false
}

// latinDigits replaces Bangla digits, and nothing that people write between digits.
var latinDigits = strings.NewReplacer(
	"০", "0", "১", "1", "২", "2", "৩", "3", "৪", "4", "৫", "5", "৬", "6", "৭", "7", "৮", "8", "৯", "9", "৳", "Tk ")

func (f form) statement(found []string) (statement, bool) {
	part := func(name string) string {
		if i := f.pattern.SubexpIndex(name); i >= 0 {
			return found[i]
		}
		return ""
	}
	s := statement{Outgoing: f.outgoing, TransactionID: strings.ToUpper(part("id")), Party: part("party"), Reference: part("ref")}
	if s.Reference == "N/A" {
		s.Reference = ""
	}
	var ok [3]bool
	s.Amount, ok[0] = parseTaka(part("amount"))
	s.Balance, ok[1] = parseTaka(part("balance"))
	s.Fee, ok[2] = 0, true
	if fee := part("fee"); fee != "" {
		s.Fee, ok[2] = parseTaka(fee)
	}
	at, err := time.ParseInLocation(stampLayout, part("time"), clock.Dhaka)
	s.At = at
	return s, err == nil && ok == [3]bool{true, true, true} && s.Amount > 0
}

// maxTaka bounds the sums of an SMS far above what a mobile account may hold.
const maxTaka money.Poisha = 100_000_000_00

func parseTaka(text string) (money.Poisha, bool) {
	units, err := money.Parse(strings.ReplaceAll(text, ",", ""))
	return money.Poisha(units), err == nil && units >= 0 && money.Poisha(units) <= maxTaka
}
