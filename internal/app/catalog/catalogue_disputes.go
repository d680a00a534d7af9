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
		bn: "${amount}-এর ডিল “{title}”-এর বিরোধে আপনার কথা জানানোর আর এক দিন বাকি।",
	},
	DealDisputeAnswered: {
		en: "{username} answered the dispute about the deal “{title}” of ${amount}.",
		bn: "${amount}-এর ডিল “{title}”-এর বিরোধে {username} উত্তর দিয়েছেন।",
	},
	DealDisputeMessage: {
		en: "{username} wrote in the dispute about the deal “{title}” of ${amount}.",
		bn: "${amount}-এর ডিল “{title}”-এর বিরোধে {username} লিখেছেন।",
	},
	DealDisputeAsked: {
		en: "Amanat wrote in the dispute about the deal “{title}” of ${amount}. Please read it.",
		bn: "${amount}-এর ডিল “{title}”-এর বিরোধে আমানত লিখেছে। অনুগ্রহ করে পড়ুন।",
	},
	DealDisputeOffer: {
		en: "{username} offers to settle the dispute about the deal “{title}”: ${refund} for the buyer and ${payout} for the seller.",
		bn: "ডিল “{title}”-এর বিরোধ মেটাতে {username} প্রস্তাব দিয়েছেন: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}।",
	},
	DealDisputeDecided: {
		en: "Amanat decided the dispute about the deal “{title}”: ${refund} for the buyer and ${payout} for the seller. " +
			"Accept it, or appeal within 72 hours. {note}",
		bn: "ডিল “{title}”-এর বিরোধে আমানত সিদ্ধান্ত দিয়েছে: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}। " +
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
		bn: "ডিল “{title}”-এর আপিলে আমানত সিদ্ধান্ত দিয়েছে: ক্রেতা পাবেন ${refund}, বিক্রেতা পাবেন ${payout}। এটিই চূড়ান্ত। {note}",
	},
	DealDisputeSettled: {
		en: "The dispute about the deal “{title}” is settled: ${refund} went to the buyer and ${payout} to the seller.",
		bn: "ডিল “{title}”-এর বিরোধ নিষ্পত্তি হয়েছে: ক্রেতা ${refund} এবং বিক্রেতা ${payout} পেয়েছেন।",
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
