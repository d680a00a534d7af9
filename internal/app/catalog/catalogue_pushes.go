package catalog

import "strings"

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
