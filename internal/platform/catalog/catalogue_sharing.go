package catalog

// Kinds of the texts that other sites show beside a link: titles, descriptions and pictures.
const (
	ShareBrand       Kind = "share_brand"
	ShareTitle       Kind = "share_title"
	SharePromise     Kind = "share_promise"
	SharePost        Kind = "share_post"
	SharePostRated   Kind = "share_post_rated"
	SharePostPrice   Kind = "share_post_price"
	SharePostNote    Kind = "share_post_note"
	ShareProfile     Kind = "share_profile"
	ShareProfileDone Kind = "share_profile_done"
	ShareProfileNote Kind = "share_profile_note"
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
	SharePostPrice: {en: "${amount}", bn: "${amount}"},
	SharePostNote: {
		en: "৳{taka} · paid through Amanat, held until you confirm",
		bn: "৳{taka} · টাকা দেবেন আমানতে, নিশ্চিত না করা পর্যন্ত জমা থাকবে",
	},
	ShareProfile: {
		en: "Posts and reviews of {username} on Amanat, where your money is held until you confirm.",
		bn: "আমানতে {username}-এর পোস্ট ও রিভিউ। এখানে আপনি নিশ্চিত না করা পর্যন্ত আপনার টাকা জমা থাকে।",
	},
	ShareProfileDone: {
		en: "{username} has completed {completed} of {finished} deals on Amanat, where your money is held until you confirm.",
		bn: "আমানতে {username} {finished}টি ডিলের {completed}টি সম্পন্ন করেছেন। এখানে আপনি নিশ্চিত না করা পর্যন্ত আপনার টাকা জমা থাকে।",
	},
	ShareProfileNote: {
		en: "{completed} of {finished} deals completed",
		bn: "{finished}টি ডিলের {completed}টি সম্পন্ন",
	},
}
