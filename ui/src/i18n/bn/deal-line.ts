import type { dealLine as english } from '../en/deal-line';
import type { Translation } from '../texts';

export const dealLine: Translation<typeof english> = {
  'next.agree': 'গ্রহণ বা নাকচ করুন',
  'next.waitAgree': '{name} গ্রহণ করবেন',
  'next.pay': 'শুরু করতে টাকা দিন',
  'next.waitPay': '{name} টাকা দেবেন',
  'next.deliver': 'ডেলিভারি দিন',
  'next.waitDelivery': '{name} ডেলিভারি দেবেন',
  'next.check': 'দেখে নিয়ে টাকা ছাড়ুন',
  'next.waitCheck': '{name} দেখছেন',
  'next.answer': 'বাতিলের অনুরোধের উত্তর দিন',
  'next.waitAnswer': '{name} আপনার অনুরোধের উত্তর দেবেন',
  'next.leave': 'পুরো দাম নিয়ে সরে যেতে পারেন',
  'next.blocked': '{name}-এর অ্যাকাউন্ট স্থগিত',
  'next.held': 'থেমে আছে, আমানত সিদ্ধান্ত দেবে',
  'next.closed': 'আর কিছু বাকি নেই',
};
