package catalog

import "strings"

// Kinds of the texts of statements and receipts.
const (
	StatementTitle       Kind = "statement_title"
	StatementPeriod      Kind = "statement_period"
	StatementUntil       Kind = "statement_until"
	StatementSpan        Kind = "statement_span"
	StatementOpening     Kind = "statement_opening"
	StatementClosing     Kind = "statement_closing"
	StatementIn          Kind = "statement_in"
	StatementOut         Kind = "statement_out"
	StatementDate        Kind = "statement_date"
	StatementTransaction Kind = "statement_transaction"
	StatementDeal        Kind = "statement_deal"
	StatementWith        Kind = "statement_with"
	StatementMethod      Kind = "statement_method"
	StatementReference   Kind = "statement_reference"
	StatementAmount      Kind = "statement_amount"
	StatementBalance     Kind = "statement_balance"
	StatementID          Kind = "statement_id"
	StatementAbout       Kind = "statement_about"
	StatementPage        Kind = "statement_page"
	StatementDollars     Kind = "statement_dollars"
	StatementTaka        Kind = "statement_taka"
	StatementMoment      Kind = "statement_moment"
	StatementMade        Kind = "statement_made"
	StatementUnknown     Kind = "statement_unknown"

	ReceiptTitle      Kind = "receipt_title"
	ReceiptNumber     Kind = "receipt_number"
	ReceiptBuyer      Kind = "receipt_buyer"
	ReceiptSeller     Kind = "receipt_seller"
	ReceiptPaid       Kind = "receipt_paid"
	ReceiptPrice      Kind = "receipt_price"
	ReceiptFee        Kind = "receipt_fee"
	ReceiptPayout     Kind = "receipt_payout"
	ReceiptRefund     Kind = "receipt_refund"
	ReceiptKept       Kind = "receipt_kept"
	ReceiptClosed     Kind = "receipt_closed"
	ReceiptStatus     Kind = "receipt_status"
	ReceiptCompleted  Kind = "receipt_completed"
	ReceiptCancelled  Kind = "receipt_cancelled"
	ReceiptUser       Kind = "receipt_user"
	ReceiptSent       Kind = "receipt_sent"
	ReceiptCredited   Kind = "receipt_credited"
	ReceiptReported   Kind = "receipt_reported"
	ReceiptCreditedAt Kind = "receipt_credited_at"
)

// movementPrefix begins the kinds that name movements of a wallet.
const movementPrefix = "movement_"

// MovementName returns what a movement of a wallet is called, by the kind of its money operation.
func MovementName(lang, kind string) string {
	if words := find(Kind(movementPrefix + kind)).in(lang); words != "" {
		return words
	}
	return Render(lang, StatementUnknown, nil)
}

// MethodName returns the brand of a payment method.
func MethodName(lang, method string) string { return methods[method].in(lang) }

// Dollars formats an amount such as "-1234.50" with its sign and unit.
func Dollars(lang, amount string) string {
	digits, negative := strings.CutPrefix(amount, "-")
	text := Render(lang, StatementDollars, Params{"amount": digits})
	if negative {
		return "−" + text
	}
	return text
}

// statements has the texts of statements and receipts.
var statements = map[Kind]text{
	StatementTitle:       {en: "Statement", bn: "লেনদেনের বিবরণী"},
	StatementPeriod:      {en: "{from} to {to}", bn: "{from} থেকে {to}"},
	StatementUntil:       {en: "Until {to}", bn: "{to} পর্যন্ত"},
	StatementSpan:        {en: "Period", bn: "সময়কাল"},
	StatementOpening:     {en: "Opening balance", bn: "শুরুর ব্যালেন্স"},
	StatementClosing:     {en: "Closing balance", bn: "শেষ ব্যালেন্স"},
	StatementIn:          {en: "Money in", bn: "জমা হয়েছে"},
	StatementOut:         {en: "Money out", bn: "খরচ হয়েছে"},
	StatementDate:        {en: "Date", bn: "তারিখ"},
	StatementTransaction: {en: "Transaction", bn: "লেনদেন"},
	StatementDeal:        {en: "Deal", bn: "ডিল"},
	StatementWith:        {en: "With", bn: "কার সঙ্গে"},
	StatementMethod:      {en: "Method", bn: "মাধ্যম"},
	StatementReference:   {en: "Reference", bn: "রেফারেন্স"},
	StatementAmount:      {en: "Amount (USD)", bn: "পরিমাণ (USD)"},
	StatementBalance:     {en: "Balance (USD)", bn: "ব্যালেন্স (USD)"},
	StatementID:          {en: "ID", bn: "আইডি"},
	StatementAbout:       {en: "{name}, with {username}", bn: "{name}, {username}-এর সঙ্গে"},
	StatementPage:        {en: "Page {page}", bn: "পৃষ্ঠা {page}"},
	StatementDollars:     {en: "${amount}", bn: "${amount}"},
	StatementTaka:        {en: "৳{taka}", bn: "৳{taka}"},
	StatementMoment:      {en: "{at}", bn: "{at}"},
	StatementMade:        {en: "Made on {at}, Dhaka time", bn: "তৈরি হয়েছে {at}, ঢাকার সময়"},
	StatementUnknown:     {en: "Transaction", bn: "লেনদেন"},

	movementPrefix + "deal_pay":          {en: "Deal payment", bn: "ডিলের পেমেন্ট"},
	movementPrefix + "deal_complete":     {en: "Deal completed", bn: "ডিল সম্পন্ন"},
	movementPrefix + "deal_refund":       {en: "Deal refund", bn: "ডিলের টাকা ফেরত"},
	movementPrefix + "deal_settle":       {en: "Dispute settled", bn: "বিরোধ নিষ্পত্তি"},
	movementPrefix + "referral_credit":   {en: "Referral reward", bn: "রেফারেলের আয়"},
	movementPrefix + "deposit_approve":   {en: "Deposit", bn: "টাকা জমা"},
	movementPrefix + "withdrawal_hold":   {en: "Withdrawal", bn: "উত্তোলন"},
	movementPrefix + "withdrawal_reject": {en: "Withdrawal returned", bn: "উত্তোলন বাতিল, টাকা ফেরত"},
	movementPrefix + "withdrawal_cancel": {en: "Withdrawal cancelled", bn: "উত্তোলন বাতিল"},
	movementPrefix + "balance_adjust":    {en: "Correction", bn: "ব্যালেন্স সংশোধন"},

	ReceiptTitle:      {en: "Receipt", bn: "রসিদ"},
	ReceiptNumber:     {en: "Receipt number", bn: "রসিদ নম্বর"},
	ReceiptBuyer:      {en: "Buyer", bn: "ক্রেতা"},
	ReceiptSeller:     {en: "Seller", bn: "বিক্রেতা"},
	ReceiptPaid:       {en: "Paid on", bn: "টাকা দেওয়া হয়েছে"},
	ReceiptPrice:      {en: "Price", bn: "দাম"},
	ReceiptFee:        {en: "Service fee", bn: "সার্ভিস ফি"},
	ReceiptPayout:     {en: "Paid to the seller", bn: "বিক্রেতা পেয়েছেন"},
	ReceiptRefund:     {en: "Refunded to the buyer", bn: "ক্রেতা ফেরত পেয়েছেন"},
	ReceiptKept:       {en: "Fee on the refund", bn: "ফেরতের ওপর ফি"},
	ReceiptClosed:     {en: "Closed on", bn: "শেষ হয়েছে"},
	ReceiptStatus:     {en: "Status", bn: "অবস্থা"},
	ReceiptCompleted:  {en: "Completed", bn: "সম্পন্ন"},
	ReceiptCancelled:  {en: "Cancelled", bn: "বাতিল"},
	ReceiptUser:       {en: "User", bn: "ব্যবহারকারী"},
	ReceiptSent:       {en: "Sent", bn: "পাঠানো হয়েছে"},
	ReceiptCredited:   {en: "Credited", bn: "ব্যালেন্সে জমা"},
	ReceiptReported:   {en: "Reported on", bn: "জানানো হয়েছে"},
	ReceiptCreditedAt: {en: "Credited on", bn: "ব্যালেন্সে জমা হয়েছে"},
}
