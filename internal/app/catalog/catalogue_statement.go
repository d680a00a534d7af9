package catalog

// Kinds of the texts of a statement's file.
const (
	StatementOpening     Kind = "statement_opening"
	StatementClosing     Kind = "statement_closing"
	StatementDate        Kind = "statement_date"
	StatementTransaction Kind = "statement_transaction"
	StatementDeal        Kind = "statement_deal"
	StatementWith        Kind = "statement_with"
	StatementMethod      Kind = "statement_method"
	StatementReference   Kind = "statement_reference"
	StatementAmount      Kind = "statement_amount"
	StatementBalance     Kind = "statement_balance"
	StatementID          Kind = "statement_id"
	StatementUnknown     Kind = "statement_unknown"
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

// statements has the texts of a statement's file.
var statements = map[Kind]text{
	StatementOpening:     {en: "Opening balance", bn: "শুরুর ব্যালেন্স"},
	StatementClosing:     {en: "Closing balance", bn: "শেষ ব্যালেন্স"},
	StatementDate:        {en: "Date", bn: "তারিখ"},
	StatementTransaction: {en: "Transaction", bn: "লেনদেন"},
	StatementDeal:        {en: "Deal", bn: "ডিল"},
	StatementWith:        {en: "With", bn: "কার সঙ্গে"},
	StatementMethod:      {en: "Method", bn: "মাধ্যম"},
	StatementReference:   {en: "Reference", bn: "রেফারেন্স"},
	StatementAmount:      {en: "Amount (USD)", bn: "পরিমাণ (USD)"},
	StatementBalance:     {en: "Balance (USD)", bn: "ব্যালেন্স (USD)"},
	StatementID:          {en: "ID", bn: "আইডি"},
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
}
