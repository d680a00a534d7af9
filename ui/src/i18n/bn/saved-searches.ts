import type * as english from '../en/saved-searches';
import type { Translation } from '../texts';

export const savedSearches: Translation<typeof english.savedSearches> = {
  title: 'রাখা সার্চ',
  lede: 'মেলে এমন নতুন পোস্ট এলে আমরা আপনাকে জানাব।',
  tabs: 'যা রেখেছেন',
  'tab.posts': 'পোস্ট',
  'tab.searches': 'সার্চ',
  empty: 'আপনি কোনো সার্চ রাখেননি।',
  emptyText: 'মার্কেটপ্লেসে খুঁজুন বা ফিল্টার দিন, তারপর সার্চটি রাখুন। নতুন পোস্ট এলে জানাব।',
  save: 'সার্চটি রাখুন',
  saveOf: '{filters} সার্চটি রাখুন',
  frequency: 'কত ঘন ঘন: {filters}',
  'frequency.soon': '১৫ মিনিটের মধ্যে',
  'frequency.daily': 'দিনে একবার',
  'frequency.off': 'কখনো নয়',
  words: '“{search}”',
  listFailed: 'আপনার রাখা সার্চগুলো আনা যায়নি।',
  failed: 'কাজটি হয়নি। আবার চেষ্টা করুন।',
};
