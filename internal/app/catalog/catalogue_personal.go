package catalog

import (
	"strings"
)

// personal has the texts about the export of a user's data and about closed accounts.
var personal = map[Kind]text{
	DataExportReady: {
		en: "Your data is ready to download.",
		bn: "আপনার তথ্য ডাউনলোডের জন্য তৈরি।",
	},
	DataExportFailed: {
		en: "We could not prepare your data. Please try again.",
		bn: "আপনার তথ্য তৈরি করা যায়নি। আবার চেষ্টা করুন।",
	},
	MailDataExportBody: {
		en: "The file has everything that {username} has made on Amanat. You can download it for 7 days, on the security page of your account. " +
			"If you did not ask for it, change your password.",
		bn: "আমানতে {username} যা কিছু করেছেন, সব এই ফাইলে আছে। আপনার অ্যাকাউন্টের নিরাপত্তা পেজ থেকে ৭ দিন পর্যন্ত ডাউনলোড করতে পারবেন। " +
			"আপনি না চেয়ে থাকলে পাসওয়ার্ড বদলান।",
	},
	MailDataExportLink: {
		en: "Download my data",
		bn: "আমার তথ্য ডাউনলোড করুন",
	},
	MailClosed: {
		en: "Your Amanat account is closed",
		bn: "আপনার আমানত অ্যাকাউন্ট বন্ধ করা হয়েছে",
	},
	MailClosedBody: {
		en: "The account {username} was closed as you asked. We are erasing what you have written, your pictures and your phone numbers. " +
			"The account cannot be opened again, and nobody can take its username.",
		bn: "আপনার কথামতো {username} অ্যাকাউন্ট বন্ধ করা হয়েছে। আপনার লেখা, ছবি ও ফোন নম্বর মুছে ফেলা হচ্ছে। " +
			"অ্যাকাউন্টটি আর খোলা যাবে না, আর এই ইউজারনেম কেউ নিতে পারবে না।",
	},
	MailClosedKept: {
		en: "Deals, payments and ratings stay, without your name. This is our last email to you.",
		bn: "ডিল, লেনদেন ও রেটিং থাকবে, তবে আপনার নাম ছাড়া। এটি আপনাকে পাঠানো আমাদের শেষ ইমেইল।",
	},
	DataExportReadme: {
		en: "Data of {username} on Amanat, {at}\n\n" +
			"This archive has what you have made on Amanat, and nothing that others wrote. The .json files open in any text editor. " +
			"Amounts are US dollars unless they are called taka; times are UTC.\n\n" +
			"profile.json            your account and settings\n" +
			"consents.json           the terms that you accepted\n" +
			"sessions.json           where you are logged in\n" +
			"known_browsers.json     browsers you have logged in with\n" +
			"push_browsers.json      browsers that show you notifications\n" +
			"passkeys.json           your passkeys\n" +
			"security_events.json    what happened to the security of your account in the last 90 days\n" +
			"email_changes.json      changes of your email address in the last 30 days\n" +
			"posts.json              your posts\n" +
			"saved_posts.json        the posts that you have saved\n" +
			"saved_searches.json     the searches that you have saved\n" +
			"deals.json              your deals, with the descriptions that you wrote\n" +
			"deal_links.json         links to deals that you made, with whom they are for\n" +
			"public_proofs.json      public proofs of deals that you switched on or off\n" +
			"deal_actions.json       what you did and said in your deals\n" +
			"support_requests.json   your requests for support\n" +
			"counteroffers.json      other terms that you proposed for deals\n" +
			"disputes.json           what you wrote and offered in disputes\n" +
			"messages.json           messages that you sent\n" +
			"reviews.json            reviews that you wrote\n" +
			"deposits.json           your deposits\n" +
			"checkouts.json          your payments on the page of bKash\n" +
			"withdrawals.json        your withdrawals\n" +
			"corrections.json        corrections of your balance\n" +
			"payout_numbers.json     the numbers that you saved for withdrawals\n" +
			"wallet.json             every change of your balance\n" +
			"referrals.json          your referrals\n" +
			"blocked_users.json      users that you blocked\n" +
			"reports.json            what you reported\n" +
			"decisions.json          decisions about you or your posts, messages and reviews, with your appeals\n" +
			"bug_reports.json        bug reports that you sent\n" +
			"contact_messages.json   messages that you sent through the contact form\n" +
			"pictures/               your pictures, by the names in the files above\n",
		bn: "আমানতে {username}-এর তথ্য, {at}\n\n" +
			"আমানতে আপনি যা কিছু করেছেন তা এখানে আছে; অন্যদের লেখা কিছু নেই। .json ফাইলগুলো যেকোনো টেক্সট এডিটরে খোলা যায়। " +
			"টাকার পরিমাণ মার্কিন ডলারে, taka লেখা থাকলে টাকায়; সময় UTC-তে।\n\n" +
			"profile.json            আপনার অ্যাকাউন্ট ও সেটিংস\n" +
			"consents.json           যেসব শর্তে রাজি হয়েছেন\n" +
			"sessions.json           যেখানে লগ ইন করা আছে\n" +
			"known_browsers.json     যেসব ব্রাউজারে লগ ইন করেছেন\n" +
			"push_browsers.json      যেসব ব্রাউজারে নোটিফিকেশন চালু আছে\n" +
			"passkeys.json           আপনার পাসকি\n" +
			"security_events.json    গত ৯০ দিনে অ্যাকাউন্টের নিরাপত্তায় যা হয়েছে\n" +
			"email_changes.json      গত ৩০ দিনে ইমেইল ঠিকানা বদল\n" +
			"posts.json              আপনার পোস্ট\n" +
			"saved_posts.json        আপনার পছন্দের পোস্ট\n" +
			"saved_searches.json     আপনার রাখা সার্চ\n" +
			"deals.json              আপনার ডিল, আপনার লেখা বিবরণসহ\n" +
			"deal_links.json         আপনার বানানো ডিলের লিংক, যাদের জন্য তাদের ঠিকানাসহ\n" +
			"public_proofs.json      ডিলের প্রমাণের যেসব পেজ চালু বা বন্ধ করেছেন\n" +
			"deal_actions.json       ডিলে আপনি যা করেছেন ও লিখেছেন\n" +
			"support_requests.json   আপনার সহায়তার অনুরোধ\n" +
			"counteroffers.json      ডিলের যেসব শর্ত আপনি প্রস্তাব করেছেন\n" +
			"disputes.json           বিরোধে আপনি যা লিখেছেন ও প্রস্তাব দিয়েছেন\n" +
			"messages.json           আপনার পাঠানো মেসেজ\n" +
			"reviews.json            আপনার লেখা রিভিউ\n" +
			"deposits.json           আপনার টাকা যোগ\n" +
			"checkouts.json          বিকাশের পেজে আপনার পেমেন্ট\n" +
			"withdrawals.json        আপনার উত্তোলন\n" +
			"corrections.json        আপনার ব্যালেন্সের সংশোধন\n" +
			"payout_numbers.json     উত্তোলনের জন্য সংরক্ষিত নম্বর\n" +
			"wallet.json             ব্যালেন্সের প্রতিটি পরিবর্তন\n" +
			"referrals.json          আপনার রেফারেল\n" +
			"blocked_users.json      যাদের ব্লক করেছেন\n" +
			"reports.json            যা রিপোর্ট করেছেন\n" +
			"decisions.json          আপনার বা আপনার পোস্ট, মেসেজ ও রিভিউ সম্পর্কে সিদ্ধান্ত, আপনার আপিলসহ\n" +
			"bug_reports.json        আপনার পাঠানো ত্রুটির রিপোর্ট\n" +
			"contact_messages.json   যোগাযোগ ফর্মে আপনার লেখা\n" +
			"pictures/               আপনার ছবি, ওপরের ফাইলগুলোতে দেওয়া নামে\n",
	},
	DataExportOmitted: {
		en: "The archive would be too large, so {count} pictures are left out.",
		bn: "ফাইল খুব বড় হয়ে যেত, তাই {count}টি ছবি রাখা হয়নি।",
	},
}

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

// Parts of pushes: titles by the group of the notice, what is said in place of amounts and words of
// users, and messages.
const (
	PushDeals         Kind = "push_deals"
	PushMoney         Kind = "push_money"
	PushMessages      Kind = "push_messages"
	PushReminders     Kind = "push_reminders"
	PushAccount       Kind = "push_account"
	PushDealsBody     Kind = "push_deals_body"
	PushMoneyBody     Kind = "push_money_body"
	PushMessagesBody  Kind = "push_messages_body"
	PushRemindersBody Kind = "push_reminders_body"
	PushAccountBody   Kind = "push_account_body"
	PushWords         Kind = "push_words"
	PushPicture       Kind = "push_picture"
	PushTest          Kind = "push_test"
	PushTestBody      Kind = "push_test_body"
)

var pushes = map[Kind]text{
	PushDeals:     {en: "Your deals", bn: "আপনার ডিল"},
	PushMoney:     {en: "Your money", bn: "আপনার টাকা"},
	PushMessages:  {en: "New message", bn: "নতুন মেসেজ"},
	PushReminders: {en: "Reminder", bn: "রিমাইন্ডার"},
	PushAccount:   {en: "Your account", bn: "আপনার অ্যাকাউন্ট"},
	PushDealsBody: {
		en: "There is news about one of your deals.",
		bn: "আপনার একটি ডিলে নতুন খবর আছে।",
	},
	PushMoneyBody: {
		en: "There is news about your money on Amanat.",
		bn: "আমানতে আপনার টাকা নিয়ে নতুন খবর আছে।",
	},
	PushMessagesBody: {
		en: "{username} wrote to you.",
		bn: "{username} আপনাকে মেসেজ পাঠিয়েছেন।",
	},
	PushRemindersBody: {
		en: "The time of one of your deals runs out soon.",
		bn: "আপনার একটি ডিলের সময় শিগগিরই শেষ হবে।",
	},
	PushAccountBody: {
		en: "There is news about your account.",
		bn: "আপনার অ্যাকাউন্ট নিয়ে নতুন খবর আছে।",
	},
	PushWords:   {en: "{username}: {note}", bn: "{username}: {note}"},
	PushPicture: {en: "{username} sent a picture.", bn: "{username} ছবি পাঠিয়েছেন।"},
	PushTest:    {en: "It works", bn: "সব ঠিক আছে"},
	PushTestBody: {
		en: "This browser shows notifications of Amanat.",
		bn: "এই ব্রাউজারে আমানতের নোটিফিকেশন আসছে।",
	},
}

// Discreet reports whether the message of a kind, without the title of its deal, may be read by
// bystanders: it has no amounts, numbers or words of users, only their usernames.
func Discreet(kind Kind) bool {
	words := strings.NewReplacer(untitled, "", "{username}", "").Replace(find(kind).en)
	return words != "" && !strings.ContainsAny(words, "{$৳")
}
