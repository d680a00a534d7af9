package catalog

// Messages about a suspended account, and about a repeated request for support.
var suspensions = map[Kind]text{
	DealSellerDisabled: {
		en: "{username} cancelled the deal: the account of the seller is suspended. ${refund} went back to the buyer.",
		bn: "{username} ডিলটি বাতিল করেছেন: বিক্রেতার অ্যাকাউন্ট স্থগিত। ${refund} ক্রেতার কাছে ফেরত গেছে।",
	},
	DealSuspended: {
		en: "The account of {username} is suspended. The deal of ${amount} is on hold, and Amanat will decide.",
		bn: "{username}-এর অ্যাকাউন্ট স্থগিত। ${amount}-এর ডিলটি থেমে আছে, আমানত সিদ্ধান্ত দেবে।",
	},
	DealResumed: {
		en: "The account of {username} is open again, so the deal of ${amount} is no longer on hold because of it.",
		bn: "{username}-এর অ্যাকাউন্ট আবার চালু হয়েছে, তাই এ কারণে ${amount}-এর ডিলটি আর থেমে নেই।",
	},
	DealSupportAgain: {
		en: "{username} asked our support again for help with the deal of ${amount}. Its clock goes on.",
		bn: "{username} ${amount}-এর ডিলটি নিয়ে আবার আমাদের সহায়তা চেয়েছেন। ডিলের সময় চলছে।",
	},
	AdminSuspended: {
		en: "The account of {username} is disabled. Its open deals wait for your decision.",
		bn: "{username}-এর অ্যাকাউন্ট বন্ধ করা হয়েছে। তাঁর চলমান ডিলগুলো আপনার সিদ্ধান্তের অপেক্ষায়।",
	},
	LineSellerDisabled: {
		en: "{username} cancelled because the account of the seller is suspended, and received ${refund}",
		bn: "বিক্রেতার অ্যাকাউন্ট স্থগিত বলে {username} বাতিল করে ${refund} পেয়েছেন",
	},
	LineSuspended: {
		en: "The account of {username} is suspended; the clock stands still and Amanat will decide",
		bn: "{username}-এর অ্যাকাউন্ট স্থগিত; সময় থেমে আছে, আমানত সিদ্ধান্ত দেবে",
	},
	LineResumed: {
		en: "The account of {username} is open again",
		bn: "{username}-এর অ্যাকাউন্ট আবার চালু হয়েছে",
	},
	LineSupportAgain: {
		en: "{username} asked for support again; the clock goes on",
		bn: "{username} আবার সহায়তা চেয়েছেন; সময় চলছে",
	},
}
