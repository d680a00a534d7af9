package catalog

var notices = map[Kind]text{
	DealOffered: {
		en: "{username} offers you a deal of ${amount}.",
		bn: "{username} আপনাকে ${amount}-এর একটি ডিল প্রস্তাব করেছেন।",
	},
	DealOfferedToSeller: {
		en: "{username} offers you a deal of ${amount}. You can accept or decline it.",
		bn: "{username} আপনাকে ${amount}-এর একটি ডিল প্রস্তাব করেছেন। আপনি এটি গ্রহণ বা নাকচ করতে পারেন।",
	},
	DealAccepted: {
		en: "{username} accepted your deal of ${amount}.",
		bn: "{username} আপনার ${amount}-এর ডিলটি গ্রহণ করেছেন।",
	},
	DealDeclinedPaid: {
		en: "{username} declined the deal; you got everything back. ${refund} is in your balance.",
		bn: "{username} ডিলটি নাকচ করেছেন; আপনি পুরো টাকা ফেরত পেয়েছেন। ${refund} আপনার ব্যালেন্সে এসেছে।",
	},
	DealPaidUnaccepted: {
		en: "{username} paid ${amount} into escrow. Accept the deal, or decline it and the money goes back.",
		bn: "{username} আমানতে ${amount} জমা দিয়েছেন। ডিলটি গ্রহণ করুন, অথবা নাকচ করুন: টাকা ফেরত যাবে।",
	},
	DealPaid: {
		en: "{username} paid ${amount} into escrow. You can deliver now.",
		bn: "{username} আমানতে ${amount} জমা দিয়েছেন। এখন আপনি ডেলিভারি দিতে পারেন।",
	},
	DealDelivered: {
		en: "{username} has delivered. Check it, then complete the deal.",
		bn: "{username} ডেলিভারি দিয়েছেন। দেখে নিন, তারপর টাকা ছাড়ুন।",
	},
	DealCompleted: {
		en: "{username} completed the deal. You received ${payout}.",
		bn: "{username} ডিলটি সম্পন্ন করেছেন। আপনি ${payout} পেয়েছেন।",
	},
	DealDeclined: {
		en: "{username} declined your deal of ${amount}.",
		bn: "{username} আপনার ${amount}-এর ডিলটি নাকচ করেছেন।",
	},
	DealWithdrawn: {
		en: "{username} withdrew the deal of ${amount}.",
		bn: "{username} ${amount}-এর ডিলের প্রস্তাব তুলে নিয়েছেন।",
	},
	DepositApproved: {
		en: "Your deposit of ${amount} is in your balance.",
		bn: "আপনার জমা দেওয়া ${amount} ব্যালেন্সে যোগ হয়েছে।",
	},
	DepositChanged: {
		en: "${amount} is in your balance; you reported ${claimed}. Reason: {reason}",
		bn: "আপনার ব্যালেন্সে ${amount} যোগ হয়েছে; আপনি জানিয়েছিলেন ${claimed}। কারণ: {reason}",
	},
	DepositRejected: {
		en: "Your deposit of ${amount} with transaction ID {transactionId} was rejected. {reason}",
		bn: "ট্রানজেকশন আইডি {transactionId}-এর ${amount} জমা নাকচ হয়েছে। {reason}",
	},
	DepositRecounted: {
		en: "${amount} is in your balance; you reported ${claimed}. It was counted at today's rate, because the report is more than a day old.",
		bn: "আপনার ব্যালেন্সে ${amount} যোগ হয়েছে; আপনি জানিয়েছিলেন ${claimed}। জানানোর পর এক দিনের বেশি হয়ে গেছে, তাই আজকের দরে হিসাব হয়েছে।",
	},
	DepositExpired: {
		en: "Nobody could check your deposit of ${amount} with transaction ID {transactionId} in time, so it has expired. If you sent the money, report it again with the same ID.",
		bn: "ট্রানজেকশন আইডি {transactionId}-এর ${amount} জমা সময়মতো যাচাই করা যায়নি, তাই এর মেয়াদ শেষ হয়েছে। টাকা পাঠিয়ে থাকলে একই আইডি দিয়ে আবার জানান।",
	},
	WithdrawalSent: {
		en: "Your withdrawal of ${amount} was sent to {phone}: ৳{taka}.",
		bn: "আপনার তোলা ${amount} {phone} নম্বরে পাঠানো হয়েছে: ৳{taka}।",
	},
	WithdrawalRejected: {
		en: "Your withdrawal of ${amount} was rejected. The money is back in your balance. {reason}",
		bn: "আপনার ${amount} তোলার অনুরোধ নাকচ হয়েছে। টাকা আপনার ব্যালেন্সে ফেরত এসেছে। {reason}",
	},
	WithdrawalRequested: {
		en: "You asked to withdraw ${amount} to {method} {phone}. If it was not you, cancel it and change your password.",
		bn: "আপনি {method} {phone} নম্বরে ${amount} তুলতে চেয়েছেন। কাজটি আপনার না হলে এটি বাতিল করে পাসওয়ার্ড বদলান।",
	},
	WithdrawalHeld: {
		en: "Your withdrawal of ${amount} to {method} {phone} is held until {until}. With the link in your mail you confirm it at once. " +
			"If it was not you, cancel it and change your password.",
		bn: "{method} {phone} নম্বরে আপনার ${amount} তোলার অনুরোধ {until} পর্যন্ত আটকে রাখা হয়েছে। ইমেইলের লিংক দিয়ে এখনই নিশ্চিত করতে পারেন। " +
			"কাজটি আপনার না হলে এটি বাতিল করে পাসওয়ার্ড বদলান।",
	},
	WithdrawalVerify: {
		en: "Your withdrawal of ${amount} to {method} {phone} is held until {until}. Verify your email address, and we mail you a link that confirms it. " +
			"If it was not you, cancel it and change your password.",
		bn: "{method} {phone} নম্বরে আপনার ${amount} তোলার অনুরোধ {until} পর্যন্ত আটকে রাখা হয়েছে। ইমেইল যাচাই করুন, তাহলে নিশ্চিত করার লিংক পাঠাব। " +
			"কাজটি আপনার না হলে এটি বাতিল করে পাসওয়ার্ড বদলান।",
	},
	WithdrawalConfirmed: {
		en: "You confirmed your withdrawal of ${amount} to {method} {phone}. It can be sent now.",
		bn: "আপনি {method} {phone} নম্বরে ${amount} তোলার অনুরোধ নিশ্চিত করেছেন। এখন টাকা পাঠানো যাবে।",
	},
	WithdrawalCancelled: {
		en: "Your withdrawal of ${amount} to {method} {phone} is cancelled. The money is back in your balance.",
		bn: "{method} {phone} নম্বরে আপনার ${amount} তোলার অনুরোধ বাতিল হয়েছে। টাকা আপনার ব্যালেন্সে ফেরত এসেছে।",
	},
	AdminDeposit: {
		en: "{username} reports a deposit of ${amount} with {method}, transaction ID {transactionId}.",
		bn: "{username} {method}-এ ${amount} জমা দেওয়ার কথা জানিয়েছেন, ট্রানজেকশন আইডি {transactionId}।",
	},
	AdminDepositDisputed: {
		en: "{username} reports a deposit of ${amount} with {method}, transaction ID {transactionId}, which somebody else has reported, too.",
		bn: "{username} {method}-এ ${amount} জমা দেওয়ার কথা জানিয়েছেন, ট্রানজেকশন আইডি {transactionId}। এই আইডি আরেকজনও জানিয়েছেন।",
	},
	AdminCredit: {
		en: "{admin} wants to credit {username} with ${amount}. A second admin has to confirm it.",
		bn: "{admin} {username}-এর ব্যালেন্সে ${amount} জমা করতে চান। আরেকজন অ্যাডমিনকে নিশ্চিত করতে হবে।",
	},
	AdminWithdrawal: {
		en: "{username} asks to withdraw ${amount} to {method} {phone}.",
		bn: "{username} {method} {phone} নম্বরে ${amount} তুলতে চান।",
	},
	DealLate: {
		en: "Your deal of ${amount} is late.",
		bn: "আপনার ${amount}-এর ডিলে দেরি হয়ে গেছে।",
	},
	DealCancelAsked: {
		en: "{username} asks to cancel the deal of ${amount}. Please answer within 72 hours.",
		bn: "{username} ${amount}-এর ডিলটি বাতিল করতে চান। ৭২ ঘণ্টার মধ্যে উত্তর দিন।",
	},
	DealCancelAccepted: {
		en: "{username} accepted your cancellation request. ${refund} is back in your balance.",
		bn: "{username} আপনার বাতিলের অনুরোধ মেনে নিয়েছেন। ${refund} আপনার ব্যালেন্সে ফেরত এসেছে।",
	},
	DealCancelDeclined: {
		en: "Seller declined your cancellation request.",
		bn: "বিক্রেতা আপনার বাতিলের অনুরোধ মানেননি।",
	},
	DealReset: {
		en: "{username} asks for changes. Please deliver again.",
		bn: "{username} পরিবর্তন চেয়েছেন। আবার ডেলিভারি দিন।",
	},
	DealUnanswered: {
		en: "The cancellation request was not answered. ${refund} went back to the buyer.",
		bn: "বাতিলের অনুরোধের উত্তর আসেনি। ${refund} ক্রেতার কাছে ফেরত গেছে।",
	},
	DealSellerCancelled: {
		en: "{username} cancelled the deal. ${refund} is back in your balance.",
		bn: "{username} ডিলটি বাতিল করেছেন। ${refund} আপনার ব্যালেন্সে ফেরত এসেছে।",
	},
	DealBuyerLeft: {
		en: "{username} left the late deal of ${amount}. The money went back.",
		bn: "{username} দেরি হওয়া ${amount}-এর ডিল থেকে সরে গেছেন। টাকা ফেরত গেছে।",
	},
	DealOverdue: {
		en: "The deal was never delivered. ${refund} went back to the buyer.",
		bn: "ডিলটির ডেলিভারি হয়নি। ${refund} ক্রেতার কাছে ফেরত গেছে।",
	},
	DealAdminCancelled: {
		en: "Amanat cancelled the deal. ${refund} went back to the buyer.",
		bn: "আমানত ডিলটি বাতিল করেছে। ${refund} ক্রেতার কাছে ফেরত গেছে।",
	},
	DealAdminCompleted: {
		en: "Amanat completed the deal. ${payout} went to the seller.",
		bn: "আমানত ডিলটি সম্পন্ন করেছে। ${payout} বিক্রেতার কাছে গেছে।",
	},
	DealClockCompleted: {
		en: "The time to check is over and the deal is completed. ${payout} went to the seller.",
		bn: "দেখে নেওয়ার সময় শেষ, ডিলটি সম্পন্ন হয়েছে। ${payout} বিক্রেতার কাছে গেছে।",
	},
	DealExpired: {
		en: "The deal of ${amount} was not paid in time and is removed.",
		bn: "${amount}-এর ডিলের টাকা সময়মতো আসেনি, তাই ডিলটি বাদ গেছে।",
	},
	DealEscalated: {
		en: "An admin will look at your deal of ${amount} and decide.",
		bn: "একজন অ্যাডমিন আপনার ${amount}-এর ডিলটি দেখে সিদ্ধান্ত দেবেন।",
	},
	DealSupport: {
		en: "{username} asked our support for help with the deal of ${amount}. Its clock stands still.",
		bn: "{username} ${amount}-এর ডিলটি নিয়ে আমাদের সহায়তা চেয়েছেন। ডিলের সময় থেমে আছে।",
	},
	DealSupportAsked: {
		en: "{username} asked our support for help with the deal of ${amount}.",
		bn: "{username} ${amount}-এর ডিলটি নিয়ে আমাদের সহায়তা চেয়েছেন।",
	},
	DealSupportDone: {
		en: "The support request of {username} about the deal of ${amount} is closed. {note}",
		bn: "${amount}-এর ডিলটি নিয়ে {username}-এর সহায়তার অনুরোধ বন্ধ হয়েছে। {note}",
	},
	DealSupportClosed: {
		en: "The support request is closed and the deal of ${amount} goes on. {note}",
		bn: "সহায়তার অনুরোধ বন্ধ হয়েছে, ${amount}-এর ডিলটি চলবে। {note}",
	},
	DealExpiresSoon: {
		en: "The deal of ${amount} is removed within a day if it is not paid.",
		bn: "টাকা না এলে ${amount}-এর ডিলটি এক দিনের মধ্যে বাদ যাবে।",
	},
	DealCompletesSoon: {
		en: "The deal completes by itself within a day: ${payout} goes to the seller.",
		bn: "ডিলটি এক দিনের মধ্যে নিজে থেকেই সম্পন্ন হবে: ${payout} বিক্রেতার কাছে যাবে।",
	},
	DealRefundsSoon: {
		en: "The deal was not delivered. Within a day ${amount} goes back to the buyer.",
		bn: "ডিলটির ডেলিভারি হয়নি। এক দিনের মধ্যে ${amount} ক্রেতার কাছে ফেরত যাবে।",
	},
	DealUnansweredSoon: {
		en: "The cancellation request for ${amount} counts as accepted within a day.",
		bn: "${amount}-এর বাতিলের অনুরোধ এক দিনের মধ্যে মেনে নেওয়া হয়েছে বলে ধরা হবে।",
	},
	DealEscalatesSoon: {
		en: "Within a day the deal of ${amount} goes to an admin.",
		bn: "এক দিনের মধ্যে ${amount}-এর ডিলটি অ্যাডমিনের কাছে যাবে।",
	},
	ReferralCredited: {
		en: "You earned ${amount}: a friend you brought completed a deal.",
		bn: "আপনি ${amount} আয় করেছেন: আপনার আনা বন্ধু একটি ডিল সম্পন্ন করেছেন।",
	},
	FriendJoined: {
		en: "{username} joined with your link. You earn 1% of the price of every deal your friend completes.",
		bn: "{username} আপনার লিংক থেকে যোগ দিয়েছেন। এই বন্ধুর প্রতিটি সম্পন্ন ডিলের দামের ১% আপনি পাবেন।",
	},
	ReviewReceived: {
		en: "{username} reviewed you: {rating} of 5 stars.",
		bn: "{username} আপনাকে রিভিউ দিয়েছেন: ৫ তারার মধ্যে {rating}।",
	},
	AdminSupport: {
		en: "{username} asks for support with a deal of ${amount}.",
		bn: "{username} ${amount}-এর একটি ডিলে সহায়তা চেয়েছেন।",
	},
	AdminEscalated: {
		en: "A deal of ${amount} waits for your decision.",
		bn: "${amount}-এর একটি ডিল আপনার সিদ্ধান্তের অপেক্ষায়।",
	},
	AdminBugReport: {
		en: "{username} reports a problem: {subject}",
		bn: "{username} একটি সমস্যা জানিয়েছেন: {subject}",
	},
	AdminContact: {
		en: "{username} wrote through the contact form.",
		bn: "{username} যোগাযোগ ফর্মে লিখেছেন।",
	},
	AdminGranted: {
		en: "{username} is an admin now.",
		bn: "{username} এখন একজন অ্যাডমিন।",
	},
	AdminRevoked: {
		en: "{username} is no longer an admin.",
		bn: "{username} আর অ্যাডমিন নন।",
	},
	AdminVisitorBugReport: {
		en: "A visitor reports a problem: {subject}",
		bn: "একজন দর্শক একটি সমস্যা জানিয়েছেন: {subject}",
	},
	AdminVisitorContact: {
		en: "A visitor wrote through the contact form.",
		bn: "একজন দর্শক যোগাযোগ ফর্মে লিখেছেন।",
	},
}
