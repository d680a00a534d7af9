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
