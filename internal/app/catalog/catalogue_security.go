package catalog

// security has the notifications about the security of an account. Emails say the same in their
// subject.
var security = map[Kind]text{
	EmailChanged: {
		en: "Your email address was changed to {email}.",
		bn: "আপনার ইমেইল ঠিকানা বদলে {email} করা হয়েছে।",
	},
	FactorOn: {
		en: "Two-step login was turned on.",
		bn: "দুই ধাপের লগ ইন চালু করা হয়েছে।",
	},
	FactorOff: {
		en: "Two-step login was turned off.",
		bn: "দুই ধাপের লগ ইন বন্ধ করা হয়েছে।",
	},
	FactorReset: {
		en: "Support has reset two-step login. Withdrawals are held for 24 hours.",
		bn: "সহায়তা দল দুই ধাপের লগ ইন রিসেট করেছে। ২৪ ঘণ্টা উত্তোলন আটকে রাখা হবে।",
	},
	TOTPAdded: {
		en: "An authenticator app was added to your account.",
		bn: "আপনার অ্যাকাউন্টে একটি অথেনটিকেটর অ্যাপ যোগ করা হয়েছে।",
	},
	TOTPRemoved: {
		en: "The authenticator app was removed from your account.",
		bn: "আপনার অ্যাকাউন্ট থেকে অথেনটিকেটর অ্যাপ সরানো হয়েছে।",
	},
	PasskeyAdded: {
		en: "A passkey was added to your account.",
		bn: "আপনার অ্যাকাউন্টে একটি পাসকি যোগ করা হয়েছে।",
	},
	PasskeyRemoved: {
		en: "A passkey was removed from your account.",
		bn: "আপনার অ্যাকাউন্ট থেকে একটি পাসকি সরানো হয়েছে।",
	},
	BackupCodesNew: {
		en: "New backup codes were made. The former ones no longer work.",
		bn: "নতুন ব্যাকআপ কোড তৈরি হয়েছে। আগেরগুলো আর কাজ করবে না।",
	},
	BackupCodeUsed: {
		en: "A backup code was used to log in or to confirm something. Codes left: {count}.",
		bn: "একটি ব্যাকআপ কোড ব্যবহার করা হয়েছে। বাকি আছে: {count}টি।",
	},
}
