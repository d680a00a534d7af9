package catalog

// Messages about a suspended account, and about a repeated request for support.
var suspensions = map[Kind]text{
	DealSellerDisabled: {
		en: "{username} cancelled the deal “{title}”: the account of the seller is suspended. ${refund} was refunded to the buyer.",
		bn: "{username} ডিল “{title}” বাতিল করেছেন: বিক্রেতার অ্যাকাউন্ট স্থগিত। ${refund} ক্রেতা ফেরত পেয়েছেন।",
	},
	DealSuspended: {
		en: "The account of {username} is suspended. The deal “{title}” of ${amount} is on hold, and Amanat will decide.",
		bn: "{username}-এর অ্যাকাউন্ট স্থগিত। ${amount}-এর ডিল “{title}” স্থগিত আছে, আমানত সিদ্ধান্ত দেবে।",
	},
	DealResumed: {
		en: "The account of {username} is active again, so the deal “{title}” of ${amount} is no longer on hold because of it.",
		bn: "{username}-এর অ্যাকাউন্ট আবার চালু হয়েছে, তাই এ কারণে ${amount}-এর ডিল “{title}” আর স্থগিত নেই।",
	},
	DealSupportAgain: {
		en: "{username} contacted support again about the deal “{title}” of ${amount}. Deadlines are not paused.",
		bn: "{username} ${amount}-এর ডিল “{title}” নিয়ে আবার আমাদের সহায়তা চেয়েছেন। ডিলের সময় চলছে।",
	},
	AdminSuspended: {
		en: "The account of {username} is disabled. Its open deals are waiting for your decision.",
		bn: "{username}-এর অ্যাকাউন্ট বন্ধ করা হয়েছে। তাঁর চলমান ডিলগুলো আপনার সিদ্ধান্তের অপেক্ষায়।",
	},
	LineSellerDisabled: {
		en: "{username} cancelled because the account of the seller is suspended, and received ${refund}",
		bn: "বিক্রেতার অ্যাকাউন্ট স্থগিত বলে {username} বাতিল করে ${refund} পেয়েছেন",
	},
	LineSuspended: {
		en: "The account of {username} is suspended; deadlines are paused and Amanat will decide",
		bn: "{username}-এর অ্যাকাউন্ট স্থগিত; সময় থেমে আছে, আমানত সিদ্ধান্ত দেবে",
	},
	LineResumed: {
		en: "The account of {username} is active again",
		bn: "{username}-এর অ্যাকাউন্ট আবার চালু হয়েছে",
	},
	LineSupportAgain: {
		en: "{username} asked for support again; deadlines are not paused",
		bn: "{username} আবার সহায়তা চেয়েছেন; সময় চলছে",
	},
}
