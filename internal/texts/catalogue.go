package texts

// Notifications. Those to admins begin with Admin.
const (
	DealOffered        Kind = "deal_offered"
	DealPaid           Kind = "deal_paid"
	DealDelivered      Kind = "deal_delivered"
	DealCompleted      Kind = "deal_completed"
	DealDeclined       Kind = "deal_declined"
	DealWithdrawn      Kind = "deal_withdrawn"
	DepositApproved    Kind = "deposit_approved"
	DepositChanged     Kind = "deposit_changed"
	DepositRejected    Kind = "deposit_rejected"
	WithdrawalSent     Kind = "withdrawal_sent"
	WithdrawalRejected Kind = "withdrawal_rejected"
	AdminDeposit       Kind = "admin_deposit"
	AdminWithdrawal    Kind = "admin_withdrawal"
)

// Lines of a deal's timeline.
const (
	LineCreated   Kind = "line_created"
	LinePaid      Kind = "line_paid"
	LineDelivered Kind = "line_delivered"
	LineCompleted Kind = "line_completed"
)

// Parts of e-mails.
const (
	MailOpen   Kind = "mail_open"
	MailFooter Kind = "mail_footer"
)

var catalogue = map[Kind]text{
	DealOffered: {
		en: "{username} offers you a deal of ${amount}.",
		bn: "{username} আপনাকে ${amount} এর একটি ডিল প্রস্তাব করেছেন।",
	},
	DealPaid: {
		en: "{username} paid ${amount} into escrow. You can deliver now.",
		bn: "{username} এসক্রোতে ${amount} জমা দিয়েছেন। এখন আপনি ডেলিভারি দিতে পারেন।",
	},
	DealDelivered: {
		en: "{username} has delivered. Check it, then complete the deal.",
		bn: "{username} ডেলিভারি দিয়েছেন। দেখে নিন, তারপর ডিলটি সম্পন্ন করুন।",
	},
	DealCompleted: {
		en: "{username} completed the deal. You received ${payout}.",
		bn: "{username} ডিলটি সম্পন্ন করেছেন। আপনি ${payout} পেয়েছেন।",
	},
	DealDeclined: {
		en: "{username} declined your deal of ${amount}.",
		bn: "{username} আপনার ${amount} এর ডিলটি প্রত্যাখ্যান করেছেন।",
	},
	DealWithdrawn: {
		en: "{username} withdrew the deal of ${amount}.",
		bn: "{username} ${amount} এর ডিলটি প্রত্যাহার করেছেন।",
	},
	DepositApproved: {
		en: "Your deposit of ${amount} is in your balance.",
		bn: "আপনার ${amount} ডিপোজিট ব্যালেন্সে যোগ হয়েছে।",
	},
	DepositChanged: {
		en: "${amount} is in your balance; you reported ${claimed}. Reason: {reason}",
		bn: "আপনার ব্যালেন্সে ${amount} যোগ হয়েছে; আপনি জানিয়েছিলেন ${claimed}। কারণ: {reason}",
	},
	DepositRejected: {
		en: "Your deposit of ${amount} with transaction ID {transactionId} was rejected. {reason}",
		bn: "ট্রানজ্যাকশন আইডি {transactionId} এর ${amount} ডিপোজিট বাতিল হয়েছে। {reason}",
	},
	WithdrawalSent: {
		en: "Your withdrawal of ${amount} was sent to {phone}: ৳{taka}.",
		bn: "আপনার ${amount} উত্তোলন {phone} নম্বরে পাঠানো হয়েছে: ৳{taka}।",
	},
	WithdrawalRejected: {
		en: "Your withdrawal of ${amount} was rejected. The money is back in your balance. {reason}",
		bn: "আপনার ${amount} উত্তোলন বাতিল হয়েছে। টাকা আপনার ব্যালেন্সে ফেরত এসেছে। {reason}",
	},
	AdminDeposit: {
		en: "{username} reports a deposit of ${amount} with {method}, transaction ID {transactionId}.",
		bn: "{username} {method} এ ${amount} ডিপোজিট জানিয়েছেন, ট্রানজ্যাকশন আইডি {transactionId}।",
	},
	AdminWithdrawal: {
		en: "{username} asks to withdraw ${amount} to {method} {phone}.",
		bn: "{username} {method} {phone} নম্বরে ${amount} উত্তোলন করতে চান।",
	},
	LineCreated: {
		en: "{username} offered the deal",
		bn: "{username} ডিলটি প্রস্তাব করেছেন",
	},
	LinePaid: {
		en: "{username} paid ${amount} into escrow",
		bn: "{username} এসক্রোতে ${amount} জমা দিয়েছেন",
	},
	LineDelivered: {
		en: "{username} delivered",
		bn: "{username} ডেলিভারি দিয়েছেন",
	},
	LineCompleted: {
		en: "{username} completed the deal; the seller received ${payout}",
		bn: "{username} ডিলটি সম্পন্ন করেছেন; বিক্রেতা ${payout} পেয়েছেন",
	},
	MailOpen: {
		en: "Open Amanat",
		bn: "আমানত খুলুন",
	},
	MailFooter: {
		en: "Amanat holds the money until both sides are done. We never ask for your password or PIN.",
		bn: "দুই পক্ষের কাজ শেষ না হওয়া পর্যন্ত টাকা আমানতের কাছে থাকে। আমরা কখনও আপনার পাসওয়ার্ড বা পিন চাই না।",
	},
}
