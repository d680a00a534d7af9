import type { Reason } from '../../sentences.gen';

export const adjustmentRefusals = {
  adjustment_account_closed: 'অ্যাকাউন্টটি বন্ধ হয়ে গেছে।',
  adjustment_exceeds_balance: 'ব্যালেন্স এর চেয়ে কম।',
  adjustment_expired: 'সংশোধনটি সময়মতো নিশ্চিত করা হয়নি। আবার প্রস্তাব দিন।',
  adjustment_not_found: 'সংশোধনটি পাওয়া যায়নি।',
  adjustment_note_too_long: 'নোট ৫০০ অক্ষরের বেশি হতে পারবে না।',
  adjustment_of_another: 'যে অ্যাডমিন প্রস্তাব দিয়েছেন, শুধু তিনিই এটি তুলে নিতে পারেন।',
  adjustment_of_own_wallet: 'নিজের ব্যালেন্স সংশোধনের প্রস্তাব দেওয়া যায় না।',
  adjustment_own: 'এই সংশোধনের প্রস্তাব আপনি দিয়েছেন। আরেকজন অ্যাডমিনকে সিদ্ধান্ত দিতে হবে।',
  adjustment_proposer_gone: 'যিনি প্রস্তাব দিয়েছিলেন, তিনি আর অ্যাডমিন নন। আবার প্রস্তাব দিন।',
  adjustment_reason_missing: 'কারণ লিখুন। ব্যবহারকারী এটি পড়বেন।',
  adjustment_reason_too_long: 'কারণ ২০০ অক্ষরের বেশি হতে পারবে না।',
  adjustment_too_large: 'পরিমাণ $১০,০০,০০,০০,০০০.০০-এর বেশি হতে পারে না।',
  adjustment_user_unknown: 'এই আইডির কোনো চালু অ্যাকাউন্ট নেই।',
  adjustments_open: 'এই ব্যালেন্সের তিনটি সংশোধন অ্যাডমিনের অপেক্ষায় আছে। আগে সেগুলোর সিদ্ধান্ত দিন।',
  direction_missing: 'টাকা যোগ হবে না কমবে, বেছে নিন।',
  rejection_reason_missing: 'কেন নাকচ করছেন, তা লিখুন।',
} satisfies Partial<Record<Reason, string>>;
