package catalog

// Kinds of the texts that other sites show beside a link: titles, descriptions and pictures.
const (
	ShareBrand       Kind = "share_brand"
	ShareTitle       Kind = "share_title"
	SharePromise     Kind = "share_promise"
	SharePost        Kind = "share_post"
	SharePostRated   Kind = "share_post_rated"
	ShareProfile     Kind = "share_profile"
	ShareProfileDone Kind = "share_profile_done"
	ShareInviteSells Kind = "share_invite_sells"
	ShareInviteBuys  Kind = "share_invite_buys"
	ShareProof       Kind = "share_proof"
	ShareProofNote   Kind = "share_proof_note"
)

// sharing has the texts that other sites show beside a link.
var sharing = map[Kind]text{
	ShareBrand: {en: "Amanat", bn: "আমানত"},
	ShareTitle: {en: "{title} | Amanat", bn: "{title} | আমানত"},
	SharePromise: {
		en: "The buyer pays Amanat. The seller is paid when the buyer confirms.",
		bn: "ক্রেতা টাকা দেন আমানতকে। ক্রেতা নিশ্চিত করলে বিক্রেতা টাকা পান।",
	},
	SharePost: {
		en: "From ${amount} (৳{taka}), by {username}. Pay through Amanat: we hold the money until you confirm.",
		bn: "${amount} (৳{taka}) থেকে, বিক্রেতা {username}। আমানতে টাকা দিন: আপনি নিশ্চিত না করা পর্যন্ত টাকা আমাদের কাছে থাকে।",
	},
	SharePostRated: {
		en: "From ${amount} (৳{taka}), by {username}, rated {rating} of 5. Pay through Amanat: we hold the money until you confirm.",
		bn: "${amount} (৳{taka}) থেকে, বিক্রেতা {username}, রেটিং ৫-এ {rating}। আমানতে টাকা দিন: আপনি নিশ্চিত না করা পর্যন্ত টাকা আমাদের কাছে থাকে।",
	},
	ShareProfile: {
		en: "Posts and reviews of {username} on Amanat, where your money is held until you confirm.",
		bn: "আমানতে {username}-এর পোস্ট ও রিভিউ। এখানে আপনি নিশ্চিত না করা পর্যন্ত আপনার টাকা জমা থাকে।",
	},
	ShareProfileDone: {
		en: "{username} has completed {completed} of {finished} deals on Amanat, where your money is held until you confirm.",
		bn: "আমানতে {username} {finished}টি ডিলের {completed}টি সম্পন্ন করেছেন। এখানে আপনি নিশ্চিত না করা পর্যন্ত আপনার টাকা জমা থাকে।",
	},
	ShareInviteSells: {
		en: "{username} offers you this deal for ${amount}. You pay Amanat, and we pay {username} when you confirm.",
		bn: "{username} আপনাকে ${amount}-এ এই ডিলের প্রস্তাব দিয়েছেন। আপনি টাকা দেবেন আমানতকে, আপনি নিশ্চিত করলে আমরা {username}-কে দেব।",
	},
	ShareInviteBuys: {
		en: "{username} wants to pay you ${amount} for this. Amanat holds the money before you deliver.",
		bn: "{username} এর জন্য আপনাকে ${amount} দিতে চান। আপনার ডেলিভারির আগেই টাকা আমানতে জমা থাকবে।",
	},
	ShareProof: {en: "Is the money held?", bn: "টাকা কি জমা আছে?"},
	ShareProofNote: {
		en: "Open the page: it says live whether Amanat holds the money. Pictures of it prove nothing.",
		bn: "পেজটি খুলুন: আমানতে টাকা জমা আছে কি না, এই মুহূর্তের কথাই সেখানে থাকে। ছবি কোনো প্রমাণ নয়।",
	},
}
