import type * as english from '../en/saved';
import type { Translation } from '../texts';

export const saved: Translation<typeof english.saved> = {
  title: 'পছন্দের পোস্ট',
  lede: 'দাম কমলে বা পোস্টটি আর না থাকলে আমরা আপনাকে জানাব।',
  empty: 'আপনার পছন্দের তালিকায় কোনো পোস্ট নেই।',
  emptyText: 'কোনো পোস্টের হার্টে চাপুন, পরে এখানে পাবেন।',
  save: 'পছন্দে রাখুন',
  saveOf: '{title} পছন্দে রাখুন',
  failed: 'কাজটি হয়নি। আবার চেষ্টা করুন।',
  was: 'আগে ছিল {price}',
  interest: 'দেখা {seen} · পছন্দ {saves} · জিজ্ঞাসা {asked}',
};
