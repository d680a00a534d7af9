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
		en: "{username} accepted your deal “{title}” of ${amount}.",
		bn: "{username} আপনার ${amount}-এর “{title}” ডিলে রাজি হয়েছেন।",
	},
	DealJoined: {
		en: "{username} joined your deal of ${amount} by its link.",
		bn: "{username} লিংক থেকে আপনার ${amount}-এর ডিলে যোগ দিয়েছেন।",
	},
	DealDeclinedPaid: {
		en: "{username} declined the deal “{title}”. ${refund} was refunded to your balance.",
		bn: "{username} ডিল “{title}” নাকচ করেছেন। ${refund} আপনার ব্যালেন্সে ফেরত এসেছে।",
	},
	DealPaidUnaccepted: {
		en: "{username} paid ${amount} into escrow. Accept the deal, or decline it and the money is refunded.",
		bn: "{username} আমানতে ${amount} জমা দিয়েছেন। ডিলে রাজি হোন, অথবা নাকচ করুন: টাকা ফেরত যাবে।",
	},
	DealPaid: {
		en: "{username} paid ${amount} into escrow for the deal “{title}”. You can deliver now.",
		bn: "{username} “{title}” ডিলের জন্য আমানতে ${amount} জমা দিয়েছেন। এখন ডেলিভারি দিতে পারেন।",
	},
	DealDelivered: {
		en: "{username} delivered “{title}”. Check it, then release the money.",
		bn: "{username} “{title}” ডেলিভারি দিয়েছেন। দেখে নিন, তারপর টাকা রিলিজ করুন।",
	},
	DealShipped: {
		en: "{username} sent “{title}” by courier. Tell us when it arrives.",
		bn: "{username} “{title}” কুরিয়ারে পাঠিয়েছেন। পৌঁছালে জানান।",
	},
	DealArrived: {
		en: "{username} says that “{title}” arrived. Inspection has begun.",
		bn: "{username} জানিয়েছেন, “{title}” পৌঁছেছে। যাচাইয়ের সময় শুরু হয়েছে।",
	},
	DealCompleted: {
		en: "{username} completed the deal “{title}”. You received ${payout}.",
		bn: "{username} ডিল “{title}” সম্পন্ন করেছেন। আপনি ${payout} পেয়েছেন।",
	},
	PaymentMade: {
		en: "You paid ${amount} into escrow for the deal “{title}”.",
		bn: "আপনি “{title}” ডিলের জন্য আমানতে ${amount} জমা দিয়েছেন।",
	},
	ReleaseMade: {
		en: "You released ${amount} for the deal “{title}”.",
		bn: "আপনি “{title}” ডিলের জন্য ${amount} রিলিজ করেছেন।",
	},
	DealDeclined: {
		en: "{username} declined your deal “{title}” of ${amount}.",
		bn: "{username} আপনার ${amount}-এর ডিল “{title}” নাকচ করেছেন।",
	},
	DealWithdrawn: {
		en: "{username} withdrew the deal of ${amount}.",
		bn: "{username} ${amount}-এর ডিলের প্রস্তাব তুলে নিয়েছেন।",
	},
	DepositApproved: {
		en: "Your deposit of ${amount} is in your balance.",
		bn: "আপনার যোগ করা ${amount} ব্যালেন্সে এসেছে।",
	},
	DepositApprovedForDeal: {
		en: "Your ${amount} is here. Pay for the deal “{title}”.",
		bn: "আপনার ${amount} ব্যালেন্সে এসেছে। এখন “{title}” ডিলের পেমেন্ট করুন।",
	},
	DepositChanged: {
		en: "${amount} is in your balance; you reported ${claimed}. Reason: {reason}",
		bn: "আপনার ব্যালেন্সে ${amount} যোগ হয়েছে; আপনি জানিয়েছিলেন ${claimed}। কারণ: {reason}",
	},
	DepositRejected: {
		en: "Your deposit of ${amount} with transaction ID {transactionId} was rejected. {reason}",
		bn: "ট্রানজেকশন আইডি {transactionId}-এর ${amount} টাকা যোগ নাকচ হয়েছে। {reason}",
	},
	DepositRecounted: {
		en: "${amount} is in your balance; you reported ${claimed}. It was counted at today's rate, because the report is more than a day old.",
		bn: "আপনার ব্যালেন্সে ${amount} যোগ হয়েছে; আপনি জানিয়েছিলেন ${claimed}। জানানোর পর এক দিনের বেশি হয়ে গেছে, তাই আজকের দরে হিসাব হয়েছে।",
	},
	DepositPaidOther: {
		en: "${amount} is in your balance; you reported ${claimed}. {taka} taka arrived.",
		bn: "আপনার ব্যালেন্সে ${amount} যোগ হয়েছে; আপনি জানিয়েছিলেন ${claimed}। এসেছে {taka} টাকা।",
	},
	DepositDealShort: {
		en: "The deal “{title}” is not paid yet: ${missing} is missing. Your ${amount} is in your balance.",
		bn: "“{title}” ডিলের পেমেন্ট এখনো হয়নি: আরও ${missing} লাগবে। আপনার ${amount} ব্যালেন্সে আছে।",
	},
	DepositDealTerms: {
		en: "The deal “{title}” is not paid: its terms have changed. Read them before you pay. Your ${amount} is in your balance.",
		bn: "“{title}” ডিলের পেমেন্ট হয়নি: শর্ত বদলেছে। পেমেন্টের আগে শর্তগুলো পড়ে নিন। আপনার ${amount} ব্যালেন্সে আছে।",
	},
	DepositDealLimit: {
		en: "The deal “{title}” is not paid: it is above your limits for now. Your ${amount} is in your balance.",
		bn: "“{title}” ডিলের পেমেন্ট হয়নি: এটি আপনার এখনকার সীমার বেশি। আপনার ${amount} ব্যালেন্সে আছে।",
	},
	DepositDealUnpaid: {
		en: "The deal “{title}” cannot be paid now. Your ${amount} is in your balance.",
		bn: "“{title}” ডিলের পেমেন্ট এখন করা যাচ্ছে না। আপনার ${amount} ব্যালেন্সে আছে।",
	},
	DepositExpired: {
		en: "Nobody could check your deposit of ${amount} with transaction ID {transactionId} in time, so it has expired. If you sent the money, report it again with the same ID.",
		bn: "ট্রানজেকশন আইডি {transactionId}-এর ${amount} সময়মতো যাচাই করা যায়নি, তাই এর মেয়াদ শেষ হয়েছে। টাকা পাঠিয়ে থাকলে একই আইডি দিয়ে আবার জানান।",
	},
	DepositNotFound: {
		en: "We could not find a payment with transaction ID {transactionId}, so your deposit of ${amount} was not credited. Check the ID in your app or SMS and report it again. {reason}",
		bn: "ট্রানজেকশন আইডি {transactionId} দিয়ে কোনো পেমেন্ট পাওয়া যায়নি, তাই আপনার ${amount} যোগ হয়নি। অ্যাপ বা এসএমএসে আইডিটি মিলিয়ে দেখে আবার জানান। {reason}",
	},
	DepositOtherAmount: {
		en: "The payment with transaction ID {transactionId} is not of the amount that you reported, so your deposit of ${amount} was not credited. Report it again with the amount that you sent. {reason}",
		bn: "ট্রানজেকশন আইডি {transactionId}-এর পেমেন্টের পরিমাণ আপনার জানানো পরিমাণের সঙ্গে মেলেনি, তাই আপনার ${amount} যোগ হয়নি। যত টাকা পাঠিয়েছেন, ঠিক সেই পরিমাণ দিয়ে আবার জানান। {reason}",
	},
	DepositUsedBefore: {
		en: "The payment with transaction ID {transactionId} was credited before, so your deposit of ${amount} was not credited again. If you sent another payment, report it with its own ID. {reason}",
		bn: "ট্রানজেকশন আইডি {transactionId}-এর পেমেন্ট আগেই ব্যালেন্সে যোগ হয়েছে, তাই আপনার ${amount} আবার যোগ হয়নি। অন্য কোনো পেমেন্ট করে থাকলে সেটির আইডি দিয়ে জানান। {reason}",
	},
	DepositOtherNumber: {
		en: "The payment with transaction ID {transactionId} did not come to our number, so your deposit of ${amount} was not credited. Check the number that you sent it to, and contact support if it is ours. {reason}",
		bn: "ট্রানজেকশন আইডি {transactionId}-এর পেমেন্ট আমাদের নম্বরে আসেনি, তাই আপনার ${amount} যোগ হয়নি। কোন নম্বরে পাঠিয়েছেন মিলিয়ে দেখুন; নম্বরটি আমাদের হলে সহায়তার জন্য যোগাযোগ করুন। {reason}",
	},
	WithdrawalSent: {
		en: "Your withdrawal of ${amount} was sent to {phone}: ৳{taka}.",
		bn: "আপনার ${amount} উত্তোলন {phone} নম্বরে পাঠানো হয়েছে: ৳{taka}।",
	},
	WithdrawalSentBefore: {
		en: "Your withdrawal of ${amount} had been sent to {phone} when you told us that it was not you: ৳{taka}. Please contact support.",
		bn: "আপনি কাজটি আপনার নয় জানানোর আগেই ${amount} উত্তোলনের ৳{taka} {phone} নম্বরে পাঠানো হয়ে গেছে। সহায়তার জন্য যোগাযোগ করুন।",
	},
	WithdrawalRejected: {
		en: "Your withdrawal of ${amount} was rejected. The money is back in your balance. {reason}",
		bn: "আপনার ${amount} উত্তোলন নাকচ হয়েছে। টাকা আপনার ব্যালেন্সে ফেরত এসেছে। {reason}",
	},
	WithdrawalRequested: {
		en: "You asked to withdraw ${amount} to {method} {phone}. If it was not you, cancel it and change your password.",
		bn: "আপনি {method} {phone} নম্বরে ${amount} উত্তোলন করতে চেয়েছেন। কাজটি আপনার না হলে এটি বাতিল করে পাসওয়ার্ড বদলান।",
	},
	WithdrawalHeld: {
		en: "Your withdrawal of ${amount} to {method} {phone} is held until {until}. You can confirm it right away with the link in your email. " +
			"If it was not you, cancel it and change your password.",
		bn: "{method} {phone} নম্বরে আপনার ${amount} উত্তোলন {until} পর্যন্ত আটকে রাখা হয়েছে। ইমেইলের লিংক দিয়ে এখনই নিশ্চিত করতে পারেন। " +
			"কাজটি আপনার না হলে এটি বাতিল করে পাসওয়ার্ড বদলান।",
	},
	WithdrawalVerify: {
		en: "Your withdrawal of ${amount} to {method} {phone} is held until {until}. Verify your email address, and we email you a link that confirms it. " +
			"If it was not you, cancel it and change your password.",
		bn: "{method} {phone} নম্বরে আপনার ${amount} উত্তোলন {until} পর্যন্ত আটকে রাখা হয়েছে। ইমেইল যাচাই করুন, তাহলে নিশ্চিত করার লিংক পাঠাব। " +
			"কাজটি আপনার না হলে এটি বাতিল করে পাসওয়ার্ড বদলান।",
	},
	WithdrawalConfirmed: {
		en: "You confirmed your withdrawal of ${amount} to {method} {phone}. It can be sent now.",
		bn: "আপনি {method} {phone} নম্বরে ${amount} উত্তোলন নিশ্চিত করেছেন। এখন টাকা পাঠানো যাবে।",
	},
	WithdrawalCancelled: {
		en: "Your withdrawal of ${amount} to {method} {phone} is cancelled. The money is back in your balance.",
		bn: "{method} {phone} নম্বরে আপনার ${amount} উত্তোলন বাতিল হয়েছে। টাকা আপনার ব্যালেন্সে ফেরত এসেছে।",
	},
	BalanceCredited: {
		en: "Your balance was corrected: ${amount} was added. {reason}",
		bn: "আপনার ব্যালেন্স সংশোধন করা হয়েছে: ${amount} যোগ হয়েছে। {reason}",
	},
	BalanceDebited: {
		en: "Your balance was corrected: ${amount} was taken off. {reason}",
		bn: "আপনার ব্যালেন্স সংশোধন করা হয়েছে: ${amount} কমানো হয়েছে। {reason}",
	},
	AdminCorrection: {
		en: "{admin} proposes to correct the balance of {username} by ${amount}. Another admin has to confirm it.",
		bn: "{admin} {username}-এর ব্যালেন্স ${amount} সংশোধনের প্রস্তাব দিয়েছেন। আরেকজন অ্যাডমিনকে নিশ্চিত করতে হবে।",
	},
	AdminCorrectionOperator: {
		en: "The operator proposes to correct the balance of {username} by ${amount}. An admin has to confirm it.",
		bn: "অপারেটর {username}-এর ব্যালেন্স ${amount} সংশোধনের প্রস্তাব দিয়েছেন। একজন অ্যাডমিনকে নিশ্চিত করতে হবে।",
	},
	AdminDeposit: {
		en: "{username} reports a deposit of ${amount} with {method}, transaction ID {transactionId}.",
		bn: "{username} {method}-এ ${amount} যোগ করার অনুরোধ পাঠিয়েছেন, ট্রানজেকশন আইডি {transactionId}।",
	},
	AdminDepositDisputed: {
		en: "{username} reports a deposit of ${amount} with {method}, transaction ID {transactionId}, which someone else has reported, too.",
		bn: "{username} {method}-এ ${amount} যোগ করার অনুরোধ পাঠিয়েছেন, ট্রানজেকশন আইডি {transactionId}। এই আইডি আরেকজনও জানিয়েছেন।",
	},
	AdminReceiverBroken: {
		en: "The SMS of {method} on the phone {phone} do not add up. Payments to it are not credited until you enter its balance.",
		bn: "{phone} ফোনে {method}-এর এসএমএসের হিসাব মিলছে না। ব্যালেন্স না লেখা পর্যন্ত এতে আসা টাকা নিজে থেকে যোগ হবে না।",
	},
	AdminMoneyLeft: {
		en: "৳{taka} left {method} for {phone}, and no withdrawal explains it. Find out who sent it.",
		bn: "{method} থেকে {phone} নম্বরে ৳{taka} গেছে, কিন্তু এর কোনো উত্তোলন নেই। কে পাঠিয়েছেন দেখুন।",
	},
	AdminCredit: {
		en: "{admin} wants to credit {username} with ${amount}. A second admin has to confirm it.",
		bn: "{admin} {username}-এর ব্যালেন্সে ${amount} যোগ করতে চান। আরেকজন অ্যাডমিনকে নিশ্চিত করতে হবে।",
	},
	AdminWithdrawal: {
		en: "{username} asks to withdraw ${amount} to {method} {phone}.",
		bn: "{username} {method} {phone} নম্বরে ${amount} উত্তোলন করতে চান।",
	},
	DealLate: {
		en: "Your deal “{title}” of ${amount} is late.",
		bn: "আপনার ${amount}-এর ডিল “{title}” দেরি হয়ে গেছে।",
	},
	DealCancelAsked: {
		en: "{username} asked to cancel the deal “{title}” of ${amount}. Please respond within 72 hours.",
		bn: "{username} ${amount}-এর ডিল “{title}” বাতিল করতে চান। ৭২ ঘণ্টার মধ্যে উত্তর দিন।",
	},
	DealCancelAccepted: {
		en: "{username} accepted your request to cancel the deal “{title}”. ${refund} was refunded to your balance.",
		bn: "{username} ডিল “{title}” বাতিলে রাজি হয়েছেন। ${refund} আপনার ব্যালেন্সে ফেরত এসেছে।",
	},
	DealCancelDeclined: {
		en: "Seller declined your cancellation request.",
		bn: "বিক্রেতা আপনার বাতিলের অনুরোধ নাকচ করেছেন।",
	},
	DealReset: {
		en: "{username} requested changes to the deal “{title}”. Please deliver again.",
		bn: "{username} “{title}” ডিলে সংশোধন চেয়েছেন। আবার ডেলিভারি দিন।",
	},
	DealUnanswered: {
		en: "The request to cancel the deal “{title}” got no response. ${refund} was refunded to the buyer.",
		bn: "ডিল “{title}” বাতিলের অনুরোধের উত্তর আসেনি। ${refund} ক্রেতা ফেরত পেয়েছেন।",
	},
	DealSellerCancelled: {
		en: "{username} cancelled the deal “{title}”. ${refund} was refunded to your balance.",
		bn: "{username} ডিল “{title}” বাতিল করেছেন। ${refund} আপনার ব্যালেন্সে ফেরত এসেছে।",
	},
	DealBuyerLeft: {
		en: "{username} cancelled the late deal “{title}” of ${amount}. The buyer was refunded.",
		bn: "দেরি হওয়ায় {username} ${amount}-এর ডিল “{title}” বাতিল করেছেন। ক্রেতা টাকা ফেরত পেয়েছেন।",
	},
	DealOverdue: {
		en: "The deal “{title}” was never delivered. ${refund} was refunded to the buyer.",
		bn: "ডিল “{title}” ডেলিভারি হয়নি। ${refund} ক্রেতা ফেরত পেয়েছেন।",
	},
	DealAdminCancelled: {
		en: "Amanat cancelled the deal “{title}”. ${refund} was refunded to the buyer.",
		bn: "আমানত ডিল “{title}” বাতিল করেছে। ${refund} ক্রেতা ফেরত পেয়েছেন।",
	},
	DealAdminCompleted: {
		en: "Amanat completed the deal “{title}”. ${payout} went to the seller.",
		bn: "আমানত ডিল “{title}” সম্পন্ন করেছে। ${payout} বিক্রেতা পেয়েছেন।",
	},
	DealClockCompleted: {
		en: "The inspection period is over and the deal “{title}” is completed. ${payout} went to the seller.",
		bn: "যাচাইয়ের সময় শেষ, ডিল “{title}” সম্পন্ন হয়েছে। ${payout} বিক্রেতা পেয়েছেন।",
	},
	DealExpired: {
		en: "The deal “{title}” of ${amount} was not paid in time and has expired.",
		bn: "${amount}-এর “{title}” ডিলের পেমেন্ট সময়মতো হয়নি, তাই ডিলটি মুছে গেছে।",
	},
	DealEscalated: {
		en: "An admin will review your deal “{title}” of ${amount} and decide.",
		bn: "একজন অ্যাডমিন আপনার ${amount}-এর ডিল “{title}” দেখে সিদ্ধান্ত দেবেন।",
	},
	DealSupport: {
		en: "{username} contacted support about the deal “{title}” of ${amount}. Deadlines are paused.",
		bn: "{username} ${amount}-এর ডিল “{title}” নিয়ে আমাদের সহায়তা চেয়েছেন। ডিলের সময় থেমে আছে।",
	},
	DealSupportAsked: {
		en: "{username} contacted support about the deal “{title}” of ${amount}.",
		bn: "{username} ${amount}-এর ডিল “{title}” নিয়ে আমাদের সহায়তা চেয়েছেন।",
	},
	DealSupportDone: {
		en: "The support request of {username} about the deal “{title}” of ${amount} is closed. {note}",
		bn: "${amount}-এর ডিল “{title}” নিয়ে {username}-এর সহায়তার অনুরোধ বন্ধ হয়েছে। {note}",
	},
	DealSupportClosed: {
		en: "The support request is closed and the deal “{title}” of ${amount} goes on. {note}",
		bn: "সহায়তার অনুরোধ বন্ধ হয়েছে, ${amount}-এর ডিল “{title}” চলবে। {note}",
	},
	DealExpiresSoon: {
		en: "The deal “{title}” of ${amount} expires within a day if it is not paid.",
		bn: "পেমেন্ট না হলে ${amount}-এর ডিল “{title}” এক দিনের মধ্যে মুছে যাবে।",
	},
	DealCompletesSoon: {
		en: "The deal “{title}” completes automatically within a day: ${payout} goes to the seller.",
		bn: "ডিল “{title}” এক দিনের মধ্যে অটোমেটিক সম্পন্ন হবে: ${payout} বিক্রেতা পাবেন।",
	},
	DealRefundsSoon: {
		en: "The deal “{title}” was not delivered. Within a day ${amount} is refunded to the buyer.",
		bn: "ডিল “{title}” ডেলিভারি হয়নি। এক দিনের মধ্যে ${amount} ক্রেতা ফেরত পাবেন।",
	},
	DealUnansweredSoon: {
		en: "The request to cancel the deal “{title}” of ${amount} will be accepted automatically within a day.",
		bn: "${amount}-এর ডিল “{title}” বাতিলের অনুরোধ এক দিনের মধ্যে অটোমেটিক গৃহীত হবে।",
	},
	DealEscalatesSoon: {
		en: "Within a day an admin decides about the deal “{title}” of ${amount}.",
		bn: "এক দিনের মধ্যে ${amount}-এর ডিল “{title}” নিয়ে একজন অ্যাডমিন সিদ্ধান্ত দেবেন।",
	},
	DealExpiresNext: {
		en: "The deal “{title}” of ${amount} expires within three hours if it is not paid.",
		bn: "পেমেন্ট না হলে ${amount}-এর ডিল “{title}” তিন ঘণ্টার মধ্যে মুছে যাবে।",
	},
	DealCompletesNext: {
		en: "The deal “{title}” completes automatically within three hours: ${payout} goes to the seller.",
		bn: "ডিল “{title}” তিন ঘণ্টার মধ্যে অটোমেটিক সম্পন্ন হবে: ${payout} বিক্রেতা পাবেন।",
	},
	DealRefundsNext: {
		en: "The deal “{title}” was not delivered. Within three hours ${amount} is refunded to the buyer.",
		bn: "ডিল “{title}” ডেলিভারি হয়নি। তিন ঘণ্টার মধ্যে ${amount} ক্রেতা ফেরত পাবেন।",
	},
	DealUnansweredNext: {
		en: "The request to cancel the deal “{title}” of ${amount} will be accepted automatically within three hours.",
		bn: "${amount}-এর ডিল “{title}” বাতিলের অনুরোধ তিন ঘণ্টার মধ্যে অটোমেটিক গৃহীত হবে।",
	},
	DealEscalatesNext: {
		en: "Within three hours an admin decides about the deal “{title}” of ${amount}.",
		bn: "তিন ঘণ্টার মধ্যে ${amount}-এর ডিল “{title}” নিয়ে একজন অ্যাডমিন সিদ্ধান্ত দেবেন।",
	},
	MessagesUnread: {
		en: "{username} wrote to you, and you have not read it yet.",
		bn: "{username} আপনাকে মেসেজ পাঠিয়েছেন, যা আপনি এখনও পড়েননি।",
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
	SavedPostCheaper: {
		en: "A post that you saved now costs ${amount} instead of ${was}.",
		bn: "আপনার পছন্দের একটি পোস্টের দাম ${was} থেকে কমে ${amount} হয়েছে।",
	},
	SavedPostGone: {
		en: "A post that you saved for ${amount} is no longer there.",
		bn: "আপনার পছন্দের ${amount}-এর একটি পোস্ট এখন আর নেই।",
	},
	SavedSearchFound: {
		en: "New posts match a search that you saved.",
		bn: "আপনার রাখা সার্চে নতুন পোস্ট এসেছে।",
	},
	AdminSupport: {
		en: "{username} asks for support with a deal of ${amount}.",
		bn: "{username} ${amount}-এর একটি ডিলে সহায়তা চেয়েছেন।",
	},
	AdminEscalated: {
		en: "A deal of ${amount} is waiting for your decision.",
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

// counteroffers has the messages about counter-offers.
var counteroffers = map[Kind]text{
	DealCounteroffer: {
		en: "{username} proposes other terms for your deal: ${amount}, days to deliver: {days}, days to inspect: {inspectionDays}.",
		bn: "{username} ডিলের শর্ত বদলানোর প্রস্তাব দিয়েছেন: ${amount}, ডেলিভারির সময় {days} দিন, যাচাইয়ের সময় {inspectionDays} দিন।",
	},
	DealCounterofferAccepted: {
		en: "{username} accepted your terms. The deal is now ${amount}.",
		bn: "{username} আপনার শর্তে রাজি হয়েছেন। ডিলটি এখন ${amount}-এর।",
	},
	DealCounterofferDeclined: {
		en: "{username} declined your counter-offer of ${amount}. The deal keeps its terms.",
		bn: "{username} আপনার ${amount}-এর পাল্টা প্রস্তাব নাকচ করেছেন। ডিলের শর্ত আগের মতোই আছে।",
	},
	DealCounterofferWithdrawn: {
		en: "{username} withdrew the counter-offer of ${amount}. The deal keeps its terms.",
		bn: "{username} ${amount}-এর পাল্টা প্রস্তাব তুলে নিয়েছেন। ডিলের শর্ত আগের মতোই আছে।",
	},
	LineCounteroffer: {
		en: "{username} proposed other terms: ${amount}, days to deliver: {days}, days to inspect: {inspectionDays}",
		bn: "{username} অন্য শর্ত প্রস্তাব করেছেন: ${amount}, ডেলিভারির সময় {days} দিন, যাচাইয়ের সময় {inspectionDays} দিন",
	},
	LineCounterofferAccepted: {
		en: "{username} accepted the counter-offer: ${amount}, days to deliver: {days}, days to inspect: {inspectionDays}",
		bn: "{username} পাল্টা প্রস্তাবে রাজি হয়েছেন: ${amount}, ডেলিভারির সময় {days} দিন, যাচাইয়ের সময় {inspectionDays} দিন",
	},
	LineCounterofferDeclined: {
		en: "{username} declined the counter-offer of ${amount}",
		bn: "{username} ${amount}-এর পাল্টা প্রস্তাব নাকচ করেছেন",
	},
	LineCounterofferWithdrawn: {
		en: "{username} withdrew the counter-offer of ${amount}",
		bn: "{username} ${amount}-এর পাল্টা প্রস্তাব তুলে নিয়েছেন",
	},
}

// invites has the texts of emails with the link to a deal, to people who may never have heard of
// Amanat.
var invites = map[Kind]text{
	MailInviteSells: {
		en: "{username} offers you a deal of ${amount} on Amanat",
		bn: "{username} আমানতে আপনাকে ${amount}-এর একটি ডিল প্রস্তাব করেছেন",
	},
	MailInviteBuys: {
		en: "{username} wants to pay you ${amount} through Amanat",
		bn: "{username} আমানতের মাধ্যমে আপনাকে ${amount} দিতে চান",
	},
	MailInviteHow: {
		en: "Read the offer first. The link works for one person, within seven days. If you do not know {username}, do nothing.",
		bn: "আগে প্রস্তাবটি পড়ুন। লিংকটি সাত দিনের মধ্যে একজনের জন্য কাজ করবে। {username}-কে না চিনলে কিছু করতে হবে না।",
	},
	MailInviteLink: {
		en: "View the offer",
		bn: "প্রস্তাবটি দেখুন",
	},
	MailInviteFooter: {
		en: "Amanat, a neutral third party between buyer and seller. You get this once, because {username} gave us your address.",
		bn: "আমানত, ক্রেতা ও বিক্রেতার মাঝে নিরপেক্ষ তৃতীয় পক্ষ। {username} আপনার ঠিকানা দিয়েছেন বলে এটি একবার পেয়েছেন।",
	},
}

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
