package catalog

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
