import type { Outcome } from '../sentences.gen';

/** What a call has done, where the caller's own text does not say it all. */
export const outcomes: Partial<Record<Outcome, string>> = {
  account_closed: 'আপনার অ্যাকাউন্ট বন্ধ করা হয়েছে।',
  credit_proposed: 'আরেকজন অ্যাডমিনকে এই জমা নিশ্চিত করতে হবে।',
  deposit_disputed: 'জমার তথ্য পাঠানো হয়েছে। একই ট্রানজেকশন আইডি আরেকজনও জানিয়েছেন, তাই একজন অ্যাডমিন দুটিই যাচাই করবেন।',
  deposit_retracted: 'আপনার জমা বাতিল হয়েছে।',
  export_requested: 'আপনার তথ্যের কপি তৈরি হচ্ছে। হয়ে গেলে ইমেইলে জানাব।',
  link_withdrawn: 'লিংক তুলে নেওয়া হয়েছে',
  other_sessions_ended: 'অন্য সব জায়গা থেকে লগ আউট হয়েছে।',
  passkey_removed: 'পাসকিটি সরানো হয়েছে।',
  password_changed: 'আপনার পাসওয়ার্ড বদলানো হয়েছে।',
  payout_number_removed: 'নম্বরটি সরানো হয়েছে।',
  payout_number_renamed: 'নামটি বদলানো হয়েছে।',
  payout_number_saved: 'নম্বরটি রাখা হয়েছে।',
  push_device_removed: 'ব্রাউজারটিতে আর নোটিফিকেশন আসবে না।',
  push_test_sent: 'একটি পরীক্ষামূলক নোটিফিকেশন পাঠানো হয়েছে।',
  support_requested: 'আপনার অনুরোধ আমাদের সহায়তা দলের কাছে গেছে।',
  terms_accepted: 'ধন্যবাদ।',
  totp_removed: 'অথেনটিকেটর অ্যাপটি সরানো হয়েছে।',
  withdrawal_cancelled: 'আপনার উত্তোলন বাতিল হয়েছে।',
  email_changed: 'আপনার ইমেইল ঠিকানা বদলানো হয়েছে।',
  email_kept: 'আপনার ইমেইল আগেরটিই আছে।',
  email_link_sent: 'নতুন ঠিকানায় যে লিংক পাঠিয়েছি, সেটি খুলুন।',
  email_restored: 'আপনার অ্যাকাউন্টে এই ঠিকানাই আছে। নতুন পাসওয়ার্ডের জন্য একটি লিংক ইমেইল করেছি।',
  picture_removed: 'ছবিটি সরানো হয়েছে',
};
