package catalog

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
