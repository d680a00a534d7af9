import type * as english from '../en/stop-searches';
import type { Translation } from '../texts';

export const stopSearches: Translation<typeof english.stopSearches> = {
  title: 'রাখা সার্চের ইমেইল বন্ধ করুন',
  lede: 'আপনার রাখা সার্চে নতুন পোস্ট এলে আর জানাব না। সার্চগুলো থেকে যাবে।',
  submit: 'বন্ধ করুন',
  done: 'রাখা সার্চ নিয়ে আর ইমেইল আসবে না।',
  doneText: 'চাইলে যেকোনোটি আবার চালু করতে পারবেন।',
  over: 'লিংকটি আমরা চিনতে পারছি না।',
  overText: 'সবচেয়ে নতুন ইমেইলের শেষের লিংকটি খুলুন, অথবা পুরোটা কপি করুন।',
  searches: 'রাখা সার্চ',
  failed: 'কাজটি হয়নি। আবার চেষ্টা করুন।',
};
