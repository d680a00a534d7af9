import type * as english from '../en/away';
import type { Translation } from '../texts';

export const away: Translation<typeof english.away> = {
  until: '{day} পর্যন্ত ছুটিতে',
  title: 'ছুটি',
  day: 'যে দিন পর্যন্ত ছুটিতে',
  help: 'আপনার পোস্ট থাকবে। পোস্টে, প্রোফাইলে আর চ্যাটে ক্রেতারা দিনটি দেখবেন।',
  range: 'আজ থেকে ৬০ দিনের মধ্যে একটি দিন বেছে নিন।',
  save: 'সংরক্ষণ করুন',
  back: 'আমি ফিরেছি',
};
