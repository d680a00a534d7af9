import type { pauses as english } from '../en/pauses';
import type { Translation } from '../texts';

export const pauses: Translation<typeof english> = {
  money: 'অল্প সময়ের জন্য লেনদেন বন্ধ আছে। আপনার টাকা নিরাপদ, ডিলগুলো যেমন ছিল তেমনই আছে।',
  deposits: 'অল্প সময়ের জন্য জমা নেওয়া বন্ধ আছে। এখন টাকা পাঠাবেন না।',
  withdrawals: 'অল্প সময়ের জন্য উত্তোলন বন্ধ আছে। আপনার ব্যালেন্স নিরাপদ।',
};
