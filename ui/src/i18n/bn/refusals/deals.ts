import type { Reason } from '../../sentences.gen';

/** Refusals about deals, deliveries and counter-offers, by reason. */
export const dealRefusals = {
  words_too_long: 'লেখা ২,০০০ অক্ষরের বেশি হতে পারবে না।',
  delivery_pictures_full: 'একটি ডেলিভারিতে সর্বোচ্চ ৮টি ছবি দেওয়া যায়। নতুন ছবি দিতে একটি সরান।',
  delivery_pictures_over_limit: 'একটি ডেলিভারিতে সর্বোচ্চ ৮টি ছবি দেওয়া যায়।',
  delivery_pictures_unknown: 'একটি ছবি আর পাওয়া যাচ্ছে না। ছবিটি আবার যোগ করুন।',
  picture_not_found: 'ছবিটি পাওয়া যায়নি।',
  counteroffer_gone: 'এই পাল্টা প্রস্তাবটি আর খোলা নেই।',
  counteroffer_not_found: 'পাল্টা প্রস্তাবটি পাওয়া যায়নি।',
  counteroffer_of_other: 'এই পাল্টা প্রস্তাব অন্য পক্ষের। আপনি রাজি হতে বা নাকচ করতে পারেন।',
  counteroffer_open: 'একটি পাল্টা প্রস্তাবের উত্তর বাকি। আগে রাজি হোন, নাকচ করুন, অথবা তুলে নিন।',
  counteroffer_own: 'এই পাল্টা প্রস্তাব আপনার। অন্য পক্ষ এর উত্তর দিতে পারেন।',
  counteroffer_same: 'দাম, সময় বা বিবরণ কিছু একটা বদলান।',
  counteroffers_over_limit: 'এই ডিলে ত্রিশটি পাল্টা প্রস্তাব হয়ে গেছে। ডিলটি তুলে নিয়ে নতুন করে খুলুন।',
  terms_changed: 'ডিলের শর্ত বদলেছে। আবার পড়ে নিন।',
  deal_already_accepted: 'আপনি এই ডিল গ্রহণ করেছেন। চাইলে বাতিল করতে পারেন।',
  deal_fields_missing: 'সব ঘর পূরণ করুন।',
  deal_not_found: 'ডিলটি পাওয়া যায়নি।',
  deal_status: 'ডিলটি এখন যে অবস্থায় আছে, তাতে এটি করা যাবে না।',
  deal_with_self: 'নিজের সঙ্গে ডিল করা যায় না।',
  release_later: 'আপনার ইমেইল ঠিকানা নতুন। আপনার নিরাপত্তার জন্য এই টাকা {time} থেকে রিলিজ করতে পারবেন।',
  release_unverified: 'আপনার নিরাপত্তার জন্য এই টাকা রিলিজ করার আগে ইমেইল যাচাই করুন, নয়তো {time} পর্যন্ত অপেক্ষা করুন।',
  exit_too_early: 'এখনই পুরো টাকা ফেরত নিয়ে এই ডিল বাতিল করা যাবে না।',
  deal_blocked_by_them: 'এই ব্যবহারকারীর সঙ্গে ডিল করা যাবে না।',
  deal_blocked_by_you: 'আপনি এই ব্যবহারকারীকে ব্লক করেছেন। ডিল করতে চাইলে আনব্লক করুন।',
} satisfies Partial<Record<Reason, string>>;
