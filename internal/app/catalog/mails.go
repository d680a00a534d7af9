package catalog

var mails = map[Kind]text{
	MailOpen: {
		en: "Open Amanat",
		bn: "আমানত খুলুন",
	},
	MailOpenDeal: {
		en: "View deal",
		bn: "ডিলটি দেখুন",
	},
	MailDeal: {
		en: "Deal: {title}",
		bn: "ডিল: {title}",
	},
	MailAssurance: {
		en: "We never ask for your password or a bKash or Nagad PIN, by email or by phone.",
		bn: "আমরা কখনও ইমেইলে বা ফোনে আপনার পাসওয়ার্ড বা বিকাশ-নগদের পিন চাই না।",
	},
	MailFooter: {
		en: "Amanat, a neutral third party between buyer and seller. You get this because an account has your address.",
		bn: "আমানত, ক্রেতা ও বিক্রেতার মাঝে নিরপেক্ষ তৃতীয় পক্ষ। একটি অ্যাকাউন্টে আপনার ঠিকানা দেওয়া আছে বলে এটি পেয়েছেন।",
	},
	MailNoticeFooter: {
		en: "Amanat, a neutral third party between buyer and seller. You get this because it concerns your money.",
		bn: "আমানত, ক্রেতা ও বিক্রেতার মাঝে নিরপেক্ষ তৃতীয় পক্ষ। এটি আপনার টাকা নিয়ে বলে পেয়েছেন।",
	},
	MailSearchFooter: {
		en: "Amanat, a neutral third party between buyer and seller. You get this because you saved a search.",
		bn: "আমানত, ক্রেতা ও বিক্রেতার মাঝে নিরপেক্ষ তৃতীয় পক্ষ। আপনি একটি সার্চ রেখেছেন বলে এটি পেয়েছেন।",
	},
	MailOpenSearch: {
		en: "See all of them",
		bn: "সবগুলো দেখুন",
	},
	MailUnsubscribe: {
		en: "Unsubscribe from these emails",
		bn: "এমন ইমেইল আর চাই না",
	},
	MailVerify: {
		en: "Please verify your email.",
		bn: "আপনার ইমেইল যাচাই করুন।",
	},
	MailVerifyBody: {
		en: "Welcome to Amanat, {username}. Confirm that this address is yours. The link works once, within 24 hours.",
		bn: "আমানতে স্বাগতম, {username}। ঠিকানাটি যে আপনার, তা নিশ্চিত করুন। লিংকটি ২৪ ঘণ্টার মধ্যে একবার কাজ করবে।",
	},
	MailVerifyLink: {
		en: "Verify email",
		bn: "ইমেইল যাচাই করুন",
	},
	MailReset: {
		en: "Choose a new password",
		bn: "নতুন পাসওয়ার্ড দিন",
	},
	MailResetBody: {
		en: "Someone asked for a new password for {username}. The link works once, within 30 minutes. " +
			"If it was not you, do nothing: your password stays as it is.",
		bn: "কেউ {username} অ্যাকাউন্টের নতুন পাসওয়ার্ড চেয়েছেন। লিংকটি ৩০ মিনিটের মধ্যে একবার কাজ করবে। " +
			"আপনি না চেয়ে থাকলে কিছু করতে হবে না: পাসওয়ার্ড আগের মতোই থাকবে।",
	},
	MailResetLink: {
		en: "Choose a new password",
		bn: "নতুন পাসওয়ার্ড দিন",
	},
	MailPassword: {
		en: "Your password was changed",
		bn: "আপনার পাসওয়ার্ড বদলানো হয়েছে",
	},
	MailPasswordBody: {
		en: "The password of {username} was changed, and all other sessions were ended. If it was not you, choose a new one right away.",
		bn: "{username} অ্যাকাউন্টের পাসওয়ার্ড বদলানো হয়েছে এবং অন্য সব জায়গা থেকে লগ আউট করা হয়েছে। কাজটি আপনার না হলে এখনই নতুন পাসওয়ার্ড দিন।",
	},
	MailPasswordLink: {
		en: "It was not me",
		bn: "কাজটি আমার নয়",
	},
	MailFactorBody: {
		en: "This concerns the account {username}. If it was not you, choose a new password right away and check the login settings.",
		bn: "{username} অ্যাকাউন্টে এটি হয়েছে। কাজটি আপনার না হলে এখনই নতুন পাসওয়ার্ড দিন এবং লগ ইনের সেটিংস দেখে নিন।",
	},
	MailFactorOnBody: {
		en: "This concerns the account {username}. If it was not you, use this link: we turn two-step login off, log out every browser, and " +
			"send no money from the account until you have chosen a new password. The link works once, within 7 days.",
		bn: "{username} অ্যাকাউন্টে এটি হয়েছে। কাজটি আপনার না হলে এই লিংক ব্যবহার করুন: আমরা দুই ধাপের লগ ইন বন্ধ করব, " +
			"সব জায়গা থেকে লগ আউট করব, আর আপনি নতুন পাসওয়ার্ড না দেওয়া পর্যন্ত অ্যাকাউন্ট থেকে কোনো টাকা পাঠাব না। " +
			"লিংকটি ৭ দিনের মধ্যে একবার কাজ করবে।",
	},
	MailCode: {
		en: "Your code: {code}",
		bn: "আপনার কোড: {code}",
	},
	MailCodeBody: {
		en: "Enter the code {code} to confirm that it is you, {username}. It works once, within 15 minutes. Never tell it to anyone: we do not " +
			"ask for it. If you have not asked for it, someone knows your password: choose a new one right away.",
		bn: "{username}, কাজটি যে আপনার তা নিশ্চিত করতে {code} কোডটি লিখুন। কোডটি ১৫ মিনিটের মধ্যে একবার কাজ করবে। কাউকে বলবেন না: " +
			"আমরা কখনো এটি জানতে চাই না। আপনি কোডটি না চেয়ে থাকলে কেউ আপনার পাসওয়ার্ড জানে: এখনই নতুন পাসওয়ার্ড দিন।",
	},
	MailNotYou: {
		en: "Was this not you? Choose a new password right away with “Forgot password”, and write to our support.",
		bn: "কাজটি আপনার নয়? এখনই “পাসওয়ার্ড ভুলে গেছেন?” থেকে নতুন পাসওয়ার্ড দিন এবং আমাদের সহায়তা দলকে জানান।",
	},
	MailTimeToCheck: {
		en: "Inspection period: {days} days. If you do not respond by then, ${payout} goes to {username} automatically.",
		bn: "যাচাইয়ের সময়: {days} দিন। এর মধ্যে উত্তর না দিলে ${payout} অটোমেটিক {username}-এর কাছে চলে যাবে।",
	},
	MailTimeToArrive: {
		en: "Courier: {shipment}. Inspection period: {days} days from its arrival, which is 5 days after the delivery if you do not report it. " +
			"If you do not respond by then, ${payout} goes to {username} automatically.",
		bn: "কুরিয়ার: {shipment}। যাচাইয়ের সময়: পৌঁছানোর পর {days} দিন। পৌঁছানোর কথা না জানালে ডেলিভারির ৫ দিন পর থেকে গোনা হবে। " +
			"এর মধ্যে উত্তর না দিলে ${payout} অটোমেটিক {username}-এর কাছে চলে যাবে।",
	},
	MailRequested: {
		en: "A withdrawal of ${amount} from your account",
		bn: "আপনার অ্যাকাউন্ট থেকে ${amount} উত্তোলন",
	},
	MailRequestedBody: {
		en: "On {at}, {username} asked us to send ${amount} (৳{taka}) to {method} {phone}. If that was you, there is nothing to do.",
		bn: "{at}: {username} অ্যাকাউন্ট থেকে {method} {phone} নম্বরে ${amount} (৳{taka}) পাঠাতে বলা হয়েছে। কাজটি আপনার হলে কিছু করতে হবে না।",
	},
	MailRequestedStop: {
		en: "If it was not you, use this link. We stop the withdrawal, log out every browser, and send no money from the account " +
			"until you have chosen a new password. The link works once, within 7 days.",
		bn: "কাজটি আপনার না হলে এই লিংক ব্যবহার করুন। আমরা টাকা পাঠানো থামাব, সব জায়গা থেকে লগ আউট করব, " +
			"আর আপনি নতুন পাসওয়ার্ড না দেওয়া পর্যন্ত অ্যাকাউন্ট থেকে কোনো টাকা পাঠাব না। লিংকটি ৭ দিনের মধ্যে একবার কাজ করবে।",
	},
	MailRequestedLink: {
		en: "This was not me",
		bn: "কাজটি আমার নয়",
	},
	MailConfirm: {
		en: "Please confirm your withdrawal of ${amount}",
		bn: "আপনার ${amount} উত্তোলন নিশ্চিত করুন",
	},
	MailConfirmBody: {
		en: "On {at}, {username} asked us to send ${amount} (৳{taka}) to {method} {phone}. We hold the money until {until}, because:",
		bn: "{at}: {username} অ্যাকাউন্ট থেকে {method} {phone} নম্বরে ${amount} (৳{taka}) পাঠাতে বলা হয়েছে। " +
			"{until} পর্যন্ত টাকা আটকে রাখছি, কারণ:",
	},
	MailConfirmHow: {
		en: "If it was you, confirm it, and we can send it right away; otherwise we send it after {until}. The link works once, within 24 hours.",
		bn: "কাজটি আপনার হলে নিশ্চিত করুন, তাহলে এখনই পাঠানো যাবে; না করলে পাঠানো হবে {until}-এর পর। লিংকটি ২৪ ঘণ্টার মধ্যে একবার কাজ করবে।",
	},
	MailConfirmLink: {
		en: "Confirm the withdrawal",
		bn: "নিশ্চিত করুন",
	},
	HeldNewNumber: {
		en: "We have never sent you money to this number.",
		bn: "এই নম্বরে আপনাকে আগে কখনো টাকা পাঠানো হয়নি।",
	},
	HeldPasswordReset: {
		en: "The password was reset in the last 24 hours.",
		bn: "গত ২৪ ঘণ্টায় পাসওয়ার্ড নতুন করে দেওয়া হয়েছে।",
	},
	HeldNewBrowser: {
		en: "The browser is new: it has been logged in for less than 24 hours.",
		bn: "ব্রাউজারটি নতুন: এতে লগ ইন করার ২৪ ঘণ্টা হয়নি।",
	},
	HeldFactorReset: {
		en: "Two-step login was reset in the last 24 hours.",
		bn: "গত ২৪ ঘণ্টায় দুই ধাপের লগ ইন রিসেট করা হয়েছে।",
	},
	HeldEmailChanged: {
		en: "The email address was changed in the last 24 hours.",
		bn: "গত ২৪ ঘণ্টায় ইমেইল ঠিকানা বদলানো হয়েছে।",
	},
	HeldFactorAdded: {
		en: "Two-step login was set up or changed in the last 24 hours.",
		bn: "গত ২৪ ঘণ্টায় দুই ধাপের লগ ইন চালু করা বা বদলানো হয়েছে।",
	},
	MailEmailConfirm: {
		en: "Confirm your new email address",
		bn: "আপনার নতুন ইমেইল ঠিকানা নিশ্চিত করুন",
	},
	MailEmailConfirmBody: {
		en: "{username} asked us to use this address for their Amanat account. Confirm that it is yours. " +
			"The link works once, within 24 hours. If you do not know of this, do nothing.",
		bn: "{username} তাঁর আমানত অ্যাকাউন্টে এই ঠিকানা দিতে চান। ঠিকানাটি যে আপনার, তা নিশ্চিত করুন। " +
			"লিংকটি ২৪ ঘণ্টার মধ্যে একবার কাজ করবে। বিষয়টি আপনার জানা না থাকলে কিছু করতে হবে না।",
	},
	MailEmailConfirmLink: {
		en: "Confirm the address",
		bn: "ঠিকানা নিশ্চিত করুন",
	},
	MailEmailUndo: {
		en: "Your email address is about to change",
		bn: "আপনার ইমেইল ঠিকানা বদলানো হচ্ছে",
	},
	MailEmailUndoBody: {
		en: "Someone asked to change the address of the account {username} to {email}. If that was you, there is nothing to do.",
		bn: "{username} অ্যাকাউন্টের ঠিকানা বদলে {email} করতে বলা হয়েছে। কাজটি আপনার হলে কিছু করতে হবে না।",
	},
	MailEmailUndoHow: {
		en: "If it was not you, use this link. The account keeps this address, every browser is logged out, and no money leaves the account " +
			"until you have chosen a new password. The link works once, until 7 days after the change.",
		bn: "কাজটি আপনার না হলে এই লিংক ব্যবহার করুন। অ্যাকাউন্টে এই ঠিকানাই থাকবে, সব জায়গা থেকে লগ আউট হবে, " +
			"আর আপনি নতুন পাসওয়ার্ড না দেওয়া পর্যন্ত অ্যাকাউন্ট থেকে কোনো টাকা যাবে না। বদলের ৭ দিন পর্যন্ত লিংকটি একবার কাজ করবে।",
	},
	MailEmailUndoLink: {
		en: "This was not me",
		bn: "কাজটি আমার নয়",
	},
	MailBugReport: {
		en: "Bug report: {subject}",
		bn: "ত্রুটির রিপোর্ট: {subject}",
	},
	MailContact: {
		en: "Message from {name}",
		bn: "{name}-এর মেসেজ",
	},
	MailHeads: {
		en: "Ledger and audit log verified",
		bn: "লেজার ও অডিট লগ যাচাই হয়েছে",
	},
	MailHeadsBroken: {
		en: "The chain of the ledger or the audit log is broken",
		bn: "লেজার বা অডিট লগের চেইন ভেঙে গেছে",
	},
	MailHeadsHow: {
		en: "Keep this email: amanat verify-chain --head HASH shows later whether anything up to that seal was rewritten.",
		bn: "এই ইমেইল রেখে দিন: সেই সিল পর্যন্ত কিছু পাল্টানো হয়েছে কি না, amanat verify-chain --head HASH পরে তা দেখায়।",
	},
	MailSender: {
		en: "From: {name} <{email}>, account: {username}",
		bn: "প্রেরক: {name} <{email}>, অ্যাকাউন্ট: {username}",
	},
	MailSenderUnknown: {
		en: "From: {name} <{email}>, not logged in",
		bn: "প্রেরক: {name} <{email}>, লগ ইন করা ছিল না",
	},
	HoldAmount: {
		en: "${amount}",
		bn: "${amount}",
	},
	HoldBuyer: {
		en: "Buyer",
		bn: "ক্রেতা",
	},
	HoldTrust: {
		en: "Held by",
		bn: "জমা আছে",
	},
	HoldAmanat: {
		en: "Amanat",
		bn: "আমানত",
	},
	HoldSeller: {
		en: "Seller",
		bn: "বিক্রেতা",
	},
	HoldPaid: {
		en: "Paid",
		bn: "পেমেন্ট করেছেন",
	},
	HoldHeld: {
		en: "Held until released",
		bn: "রিলিজ না হওয়া পর্যন্ত জমা",
	},
	HoldOnCompletion: {
		en: "On completion",
		bn: "সম্পন্ন হলে",
	},
	HoldReleased: {
		en: "No longer held",
		bn: "আর জমা নেই",
	},
	HoldReceived: {
		en: "Received",
		bn: "পেয়েছেন",
	},
	HoldRefunded: {
		en: "Refunded",
		bn: "ফেরত পেয়েছেন",
	},
	HoldNothing: {
		en: "Not paid",
		bn: "পাননি",
	},
}
