package catalog

// The lines of a deal's timeline, and greetings that open a conversation.
var timeline = map[Kind]text{
	LineCreated: {
		en: "{username} offered the deal",
		bn: "{username} ডিলটি প্রস্তাব করেছেন",
	},
	LineAccepted: {
		en: "{username} accepted the deal",
		bn: "{username} ডিলে রাজি হয়েছেন",
	},
	LineJoined: {
		en: "{username} joined the deal by its link",
		bn: "{username} লিংক থেকে ডিলে যোগ দিয়েছেন",
	},
	LineProofOn: {
		en: "{username} switched on the public proof",
		bn: "{username} সবার জন্য প্রমাণের পেজ চালু করেছেন",
	},
	LineProofOff: {
		en: "{username} switched off the public proof",
		bn: "{username} সবার জন্য প্রমাণের পেজ বন্ধ করেছেন",
	},
	LineDeclined: {
		en: "{username} declined the deal; the buyer received ${refund}",
		bn: "{username} ডিলটি নাকচ করেছেন; ক্রেতা ${refund} পেয়েছেন",
	},
	LinePaid: {
		en: "{username} paid ${amount} into escrow",
		bn: "{username} আমানতে ${amount} জমা দিয়েছেন",
	},
	LineDelivered: {
		en: "{username} delivered",
		bn: "{username} ডেলিভারি দিয়েছেন",
	},
	LineShipped: {
		en: "{username} sent it by courier {shipment}",
		bn: "{username} কুরিয়ারে পাঠিয়েছেন {shipment}",
	},
	LineArrived: {
		en: "{username} says that it arrived",
		bn: "{username} জানিয়েছেন, জিনিস পৌঁছেছে",
	},
	LineCompleted: {
		en: "{username} completed the deal; the seller received ${payout}",
		bn: "{username} ডিলটি সম্পন্ন করেছেন; বিক্রেতা ${payout} পেয়েছেন",
	},
	LineLate: {
		en: "The deal is late",
		bn: "ডিলে দেরি হয়ে গেছে",
	},
	LineCancelAsked: {
		en: "{username} asked to cancel",
		bn: "{username} বাতিলের অনুরোধ করেছেন",
	},
	LineCancelAccepted: {
		en: "{username} accepted the cancellation; the buyer received ${refund}",
		bn: "{username} বাতিলে রাজি হয়েছেন; ক্রেতা ${refund} পেয়েছেন",
	},
	LineCancelDeclined: {
		en: "{username} declined the cancellation",
		bn: "{username} বাতিলের অনুরোধ নাকচ করেছেন",
	},
	LineReset: {
		en: "{username} requested changes",
		bn: "{username} সংশোধন চেয়েছেন",
	},
	LineUnanswered: {
		en: "No response to the cancellation request; the buyer received ${refund}",
		bn: "বাতিলের অনুরোধের উত্তর আসেনি; ক্রেতা ${refund} পেয়েছেন",
	},
	LineSellerCancelled: {
		en: "{username} cancelled; the buyer received ${refund}",
		bn: "{username} বাতিল করেছেন; ক্রেতা ${refund} পেয়েছেন",
	},
	LineBuyerLeft: {
		en: "{username} cancelled the late deal and received ${refund}",
		bn: "দেরি হওয়ায় {username} ডিল বাতিল করে ${refund} ফেরত পেয়েছেন",
	},
	LineOverdue: {
		en: "Never delivered; the buyer received ${refund}",
		bn: "ডেলিভারি হয়নি; ক্রেতা ${refund} পেয়েছেন",
	},
	LineAdminCancelled: {
		en: "Amanat cancelled; the buyer received ${refund}",
		bn: "আমানত বাতিল করেছে; ক্রেতা ${refund} পেয়েছেন",
	},
	LineAdminCompleted: {
		en: "Amanat completed the deal; the seller received ${payout}",
		bn: "আমানত ডিলটি সম্পন্ন করেছে; বিক্রেতা ${payout} পেয়েছেন",
	},
	LineClockCompleted: {
		en: "The inspection period ended; the seller received ${payout}",
		bn: "যাচাইয়ের সময় শেষ; বিক্রেতা ${payout} পেয়েছেন",
	},
	LineEscalated: {
		en: "An admin will decide",
		bn: "একজন অ্যাডমিন সিদ্ধান্ত দেবেন",
	},
	LineSupport: {
		en: "{username} asked for support; deadlines are paused",
		bn: "{username} সহায়তা চেয়েছেন; সময় থেমে আছে",
	},
	LineSupportClosed: {
		en: "Support closed the request; deadlines resume",
		bn: "সহায়তার অনুরোধ বন্ধ হয়েছে; সময় আবার চলছে",
	},
	LineSupportAsked: {
		en: "{username} asked for support",
		bn: "{username} সহায়তা চেয়েছেন",
	},
	LineSupportDone: {
		en: "Support closed the request of {username}",
		bn: "{username}-এর সহায়তার অনুরোধ বন্ধ হয়েছে",
	},
	GreetingPost: {
		en: "Hi {username}! I am interested in “{title}”.",
		bn: "হ্যালো {username}! আমি “{title}” নিয়ে আগ্রহী।",
	},
	GreetingDeal: {
		en: "Hi {username}! I am writing about our deal of ${amount}.",
		bn: "হ্যালো {username}! আমাদের ${amount}-এর ডিলটি নিয়ে লিখছি।",
	},
}

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
	movementPrefix + "deposit_approve":   {en: "Deposit", bn: "টাকা যোগ"},
	movementPrefix + "withdrawal_hold":   {en: "Withdrawal", bn: "উত্তোলন"},
	movementPrefix + "withdrawal_reject": {en: "Withdrawal returned", bn: "উত্তোলন বাতিল, টাকা ফেরত"},
	movementPrefix + "withdrawal_cancel": {en: "Withdrawal cancelled", bn: "উত্তোলন বাতিল"},
	movementPrefix + "balance_adjust":    {en: "Correction", bn: "ব্যালেন্স সংশোধন"},
}

// Kinds of the texts that other sites show beside a link: titles, descriptions and pictures.
const (
	ShareBrand       Kind = "share_brand"
	ShareTitle       Kind = "share_title"
	SharePromise     Kind = "share_promise"
	SharePost        Kind = "share_post"
	SharePostRated   Kind = "share_post_rated"
	ShareProfile     Kind = "share_profile"
	ShareProfileDone Kind = "share_profile_done"
	ShareInviteSells Kind = "share_invite_sells"
	ShareInviteBuys  Kind = "share_invite_buys"
	ShareProof       Kind = "share_proof"
	ShareProofNote   Kind = "share_proof_note"
	SharePaper       Kind = "share_paper"
	SharePaperNote   Kind = "share_paper_note"
)

// sharing has the texts that other sites show beside a link.
var sharing = map[Kind]text{
	ShareBrand: {en: "Amanat", bn: "আমানত"},
	ShareTitle: {en: "{title} | Amanat", bn: "{title} | আমানত"},
	SharePromise: {
		en: "The buyer pays Amanat. The seller is paid when the buyer confirms.",
		bn: "ক্রেতা টাকা দেন আমানতকে। ক্রেতা নিশ্চিত করলে বিক্রেতা টাকা পান।",
	},
	SharePost: {
		en: "From ${amount} (৳{taka}), by {username}. Pay through Amanat: we hold the money until you confirm.",
		bn: "${amount} (৳{taka}) থেকে, বিক্রেতা {username}। আমানতে টাকা দিন: আপনি নিশ্চিত না করা পর্যন্ত টাকা আমাদের কাছে থাকে।",
	},
	SharePostRated: {
		en: "From ${amount} (৳{taka}), by {username}, rated {rating} of 5. Pay through Amanat: we hold the money until you confirm.",
		bn: "${amount} (৳{taka}) থেকে, বিক্রেতা {username}, রেটিং ৫-এ {rating}। আমানতে টাকা দিন: আপনি নিশ্চিত না করা পর্যন্ত টাকা আমাদের কাছে থাকে।",
	},
	ShareProfile: {
		en: "Posts and reviews of {username} on Amanat, where your money is held until you confirm.",
		bn: "আমানতে {username}-এর পোস্ট ও রিভিউ। এখানে আপনি নিশ্চিত না করা পর্যন্ত আপনার টাকা আমানতে জমা থাকে।",
	},
	ShareProfileDone: {
		en: "{username} has completed {completed} of {finished} deals on Amanat, where your money is held until you confirm.",
		bn: "আমানতে {username} {finished}টি ডিলের {completed}টি সম্পন্ন করেছেন। এখানে আপনি নিশ্চিত না করা পর্যন্ত আপনার টাকা আমানতে জমা থাকে।",
	},
	ShareInviteSells: {
		en: "{username} offers you this deal for ${amount}. You pay Amanat, and we pay {username} when you confirm.",
		bn: "{username} আপনাকে ${amount}-এ এই ডিলের প্রস্তাব দিয়েছেন। আপনি টাকা দেবেন আমানতকে, আপনি নিশ্চিত করলে আমরা {username}-কে দেব।",
	},
	ShareInviteBuys: {
		en: "{username} wants to pay you ${amount} for this. Amanat holds the money before you deliver.",
		bn: "{username} এর জন্য আপনাকে ${amount} দিতে চান। আপনার ডেলিভারির আগেই টাকা আমানতে জমা থাকবে।",
	},
	ShareProof: {en: "Is the money held?", bn: "টাকা কি আমানতে জমা আছে?"},
	ShareProofNote: {
		en: "Open the page: it says live whether Amanat holds the money. Pictures of it prove nothing.",
		bn: "পেজটি খুলুন: আমানতে টাকা জমা আছে কি না, এই মুহূর্তের কথাই সেখানে থাকে। ছবি কোনো প্রমাণ নয়।",
	},
	SharePaper: {en: "Is the paper genuine?", bn: "কাগজটি কি আসল?"},
	SharePaperNote: {
		en: "Open the page and compare: it shows what the receipt or statement from Amanat says.",
		bn: "পেজটি খুলে মিলিয়ে দেখুন: আমানতের রসিদ বা বিবরণীতে যা লেখা আছে, সেখানে তা-ই থাকে।",
	},
}
