package catalog

// disputes has the messages about disputes.
var disputes = map[Kind]text{
	DealDisputed: {
		en: "{username} opened a dispute about the deal “{title}” of ${amount}. Please answer within 48 hours. Deadlines are paused.",
		bn: "{username} ${amount}-এর ডিল “{title}” নিয়ে বিরোধ জানিয়েছেন। ৪৮ ঘণ্টার মধ্যে আপনার কথা জানান। ডিলের সময় থেমে আছে।",
	},
	DealDisputedAgain: {
		en: "{username} opened another dispute about the deal “{title}” of ${amount}. Please answer within 48 hours. Deadlines are not paused.",
		bn: "{username} ${amount}-এর ডিল “{title}” নিয়ে আবার বিরোধ জানিয়েছেন। ৪৮ ঘণ্টার মধ্যে আপনার কথা জানান। ডিলের সময় চলছে।",
	},
	DealDisputeReminder: {
		en: "You have one day left to answer the dispute about the deal “{title}” of ${amount}.",
		bn: "${amount}-এর “{title}” ডিলের বিরোধে আপনার কথা জানানোর আর এক দিন বাকি।",
	},
	DealDisputeAnswered: {
		en: "{username} answered the dispute about the deal “{title}” of ${amount}.",
		bn: "${amount}-এর “{title}” ডিলের বিরোধে {username} উত্তর দিয়েছেন।",
	},
	DealDisputeMessage: {
		en: "{username} wrote in the dispute about the deal “{title}” of ${amount}.",
		bn: "${amount}-এর “{title}” ডিলের বিরোধে {username} লিখেছেন।",
	},
	DealDisputeAsked: {
		en: "Amanat wrote in the dispute about the deal “{title}” of ${amount}. Please read it.",
		bn: "${amount}-এর “{title}” ডিলের বিরোধে আমানত লিখেছে। অনুগ্রহ করে পড়ুন।",
	},
	DealDisputeOffer: {
		en: "{username} offers to settle the dispute about the deal “{title}”: ${refund} for the buyer and ${payout} for the seller.",
		bn: "{username} “{title}” ডিলের বিরোধ মেটাতে প্রস্তাব দিয়েছেন: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}।",
	},
	DealDisputeDecided: {
		en: "Amanat decided the dispute about the deal “{title}”: ${refund} for the buyer and ${payout} for the seller. " +
			"Accept it, or appeal within 72 hours. {note}",
		bn: "আমানত “{title}” ডিলের বিরোধে সিদ্ধান্ত দিয়েছে: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}। " +
			"রাজি থাকলে জানান, অথবা ৭২ ঘণ্টার মধ্যে আপিল করুন। {note}",
	},
	DealDecisionAccepted: {
		en: "{username} accepted the decision about the deal “{title}” of ${amount}.",
		bn: "${amount}-এর ডিল “{title}” নিয়ে দেওয়া সিদ্ধান্তে {username} রাজি হয়েছেন।",
	},
	DealDecisionPutOff: {
		en: "Amanat was not available, so the decision about the deal “{title}” of ${amount} waits for one more day. Until then you can appeal.",
		bn: "আমানত কিছু সময় বন্ধ ছিল, তাই ${amount}-এর ডিল “{title}” নিয়ে দেওয়া সিদ্ধান্ত আরও এক দিন অপেক্ষা করবে। তার আগে আপিল করতে পারবেন।",
	},
	DealDisputeAppealed: {
		en: "{username} appealed against the decision about the deal “{title}” of ${amount}. Another admin will decide.",
		bn: "${amount}-এর ডিল “{title}” নিয়ে দেওয়া সিদ্ধান্তের বিরুদ্ধে {username} আপিল করেছেন। অন্য একজন অ্যাডমিন সিদ্ধান্ত দেবেন।",
	},
	DealDisputeFinal: {
		en: "Amanat decided the appeal about the deal “{title}”: ${refund} for the buyer and ${payout} for the seller. This is final. {note}",
		bn: "আমানত “{title}” ডিলের আপিলে সিদ্ধান্ত দিয়েছে: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}। এটিই চূড়ান্ত। {note}",
	},
	DealDisputeSettled: {
		en: "The dispute about the deal “{title}” is settled: ${refund} went to the buyer and ${payout} to the seller.",
		bn: "আপনাদের “{title}” ডিলের বিরোধ নিষ্পত্তি হয়েছে: ক্রেতা ${refund} এবং বিক্রেতা ${payout} পেয়েছেন।",
	},
	DealDisputeClosed: {
		en: "{username} closed the dispute. The deal “{title}” of ${amount} goes on.",
		bn: "{username} বিরোধ তুলে নিয়েছেন। ${amount}-এর ডিল “{title}” চলবে।",
	},
	DealDisputeDone: {
		en: "{username} closed the dispute about the deal “{title}” of ${amount}.",
		bn: "{username} ${amount}-এর ডিল “{title}” নিয়ে বিরোধ তুলে নিয়েছেন।",
	},
	AdminDispute: {
		en: "{username} opened a dispute about a deal of ${amount}.",
		bn: "{username} ${amount}-এর একটি ডিল নিয়ে বিরোধ জানিয়েছেন।",
	},
	AdminDisputeAppeal: {
		en: "{username} appealed against the decision about a deal of ${amount}.",
		bn: "{username} ${amount}-এর একটি ডিলের সিদ্ধান্তের বিরুদ্ধে আপিল করেছেন।",
	},
	LineDisputed: {
		en: "{username} opened a dispute; deadlines are paused",
		bn: "{username} বিরোধ জানিয়েছেন; সময় থেমে আছে",
	},
	LineDisputedAgain: {
		en: "{username} opened another dispute; deadlines are not paused",
		bn: "{username} আবার বিরোধ জানিয়েছেন; সময় চলছে",
	},
	LineDisputeAnswered: {
		en: "{username} answered the dispute",
		bn: "{username} বিরোধে উত্তর দিয়েছেন",
	},
	LineDisputeDecided: {
		en: "Amanat decided the dispute: ${refund} for the buyer, ${payout} for the seller",
		bn: "আমানত বিরোধে সিদ্ধান্ত দিয়েছে: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}",
	},
	LineDisputeAppealed: {
		en: "{username} appealed against the decision",
		bn: "{username} সিদ্ধান্তের বিরুদ্ধে আপিল করেছেন",
	},
	LineDisputeFinal: {
		en: "Amanat decided the appeal: ${refund} for the buyer, ${payout} for the seller",
		bn: "আমানত আপিলে সিদ্ধান্ত দিয়েছে: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}",
	},
	LineDisputeSettled: {
		en: "The dispute was settled; the buyer received ${refund}, the seller ${payout}",
		bn: "বিরোধ নিষ্পত্তি হয়েছে; ক্রেতা ${refund}, বিক্রেতা ${payout} পেয়েছেন",
	},
	LineDisputeClosed: {
		en: "{username} closed the dispute; deadlines resume",
		bn: "{username} বিরোধ তুলে নিয়েছেন; সময় আবার চলছে",
	},
	LineDisputeDone: {
		en: "{username} closed the dispute",
		bn: "{username} বিরোধ তুলে নিয়েছেন",
	},
}

// decisions has the messages about reports, the decisions of admins about them, and appeals.
var decisions = map[Kind]text{
	ReportActionTaken: {
		en: "We looked at your report about “{name}” and took action. Thank you for telling us.",
		bn: "“{name}” নিয়ে আপনার রিপোর্ট দেখে আমরা ব্যবস্থা নিয়েছি। জানানোর জন্য ধন্যবাদ।",
	},
	ReportNoViolation: {
		en: "We looked at your report about “{name}” and found nothing against our rules. Thank you for telling us.",
		bn: "“{name}” নিয়ে আপনার রিপোর্ট আমরা দেখেছি, নিয়মের বাইরে কিছু পাইনি। জানানোর জন্য ধন্যবাদ।",
	},
	ModerationWarned: {
		en: "Amanat warns you: {reason}",
		bn: "আমানত আপনাকে সতর্ক করছে: {reason}",
	},
	ModerationHidden: {
		en: "We have hidden something that you published. Reason: {reason}",
		bn: "আপনার প্রকাশ করা একটি লেখা আমরা লুকিয়ে রেখেছি। কারণ: {reason}",
	},
	ModerationUpheld: {
		en: "We looked at your appeal, and the decision stays as it is. {reason}",
		bn: "আপনার আপিল আমরা দেখেছি, সিদ্ধান্ত আগেরটিই থাকছে। {reason}",
	},
	ModerationOverturned: {
		en: "We looked at your appeal and have withdrawn the decision. {reason}",
		bn: "আপনার আপিল দেখে আমরা সিদ্ধান্তটি তুলে নিয়েছি। {reason}",
	},
	ModerationSuspensionEnded: {
		en: "Your account is active again.",
		bn: "আপনার অ্যাকাউন্ট আবার চালু হয়েছে।",
	},
	AdminReport: {
		en: "There is a new report about {username}.",
		bn: "{username}-এর বিরুদ্ধে নতুন রিপোর্ট এসেছে।",
	},
	AdminAppeal: {
		en: "{username} appeals against a decision.",
		bn: "{username} একটি সিদ্ধান্তের বিরুদ্ধে আপিল করেছেন।",
	},
	MailWarned: {
		en: "Amanat has warned you",
		bn: "আমানত আপনাকে সতর্ক করেছে",
	},
	MailHidden: {
		en: "We have hidden something that you published",
		bn: "আপনার প্রকাশ করা একটি লেখা আমরা লুকিয়ে রেখেছি",
	},
	MailSuspended: {
		en: "Your account is suspended until {until}",
		bn: "{until} পর্যন্ত আপনার অ্যাকাউন্ট স্থগিত",
	},
	MailBanned: {
		en: "Your account is suspended",
		bn: "আপনার অ্যাকাউন্ট স্থগিত করা হয়েছে",
	},
	MailUpheld: {
		en: "Your appeal: the decision stays as it is",
		bn: "আপনার আপিল: সিদ্ধান্ত আগেরটিই থাকছে",
	},
	MailOverturned: {
		en: "Your appeal: we have withdrawn the decision",
		bn: "আপনার আপিল: আমরা সিদ্ধান্তটি তুলে নিয়েছি",
	},
	MailDecisionReason: {
		en: "This concerns the account {username}. The reason: {reason}",
		bn: "{username} অ্যাকাউন্ট নিয়ে এই সিদ্ধান্ত। কারণ: {reason}",
	},
	MailDecisionAnswer: {
		en: "This concerns the account {username}. Our answer: {reason}",
		bn: "{username} অ্যাকাউন্ট নিয়ে এই উত্তর। আমাদের উত্তর: {reason}",
	},
	MailAppealHow: {
		en: "If you think that the decision is wrong, tell us why with this link. It works for 14 days, until you have sent your appeal.",
		bn: "সিদ্ধান্তটি ভুল মনে হলে এই লিংকে গিয়ে কারণ জানান। লিংকটি ১৪ দিন, অথবা আপিল পাঠানো পর্যন্ত কাজ করবে।",
	},
	MailAppealLink: {
		en: "Appeal",
		bn: "আপিল করুন",
	},
	MailSuspensionEnded: {
		en: "Your account is active again",
		bn: "আপনার অ্যাকাউন্ট আবার চালু হয়েছে",
	},
	MailSuspensionEndedBody: {
		en: "The suspension of {username} has ended. You can log in again.",
		bn: "{username} অ্যাকাউন্টের স্থগিতাদেশ শেষ হয়েছে। আপনি আবার লগ ইন করতে পারেন।",
	},
}
