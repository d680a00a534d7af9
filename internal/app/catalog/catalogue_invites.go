package catalog

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
