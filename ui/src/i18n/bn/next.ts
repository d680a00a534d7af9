import type { next as english } from '../en/next';
import type { Translation } from '../texts';

export const next: Translation<typeof english> = {
  chat: 'এরপর: “{title}” নিয়ে {seller}-এর সঙ্গে কথা।',
  deal: 'এরপর: “{title}” নিয়ে {seller}-এর সঙ্গে ডিল।',
  person: 'এরপর: {name}-এর সঙ্গে কথা।',
  post: 'এরপর: আপনার পোস্ট।',
  offer: 'এরপর: যে ডিলে আপনাকে আমন্ত্রণ জানানো হয়েছে।',
};
