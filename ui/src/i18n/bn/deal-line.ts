import type * as en from '../en/deal-line';
import type { Translation } from '../texts';

export const dealLine: Translation<typeof en.dealLine> = {
  'next.agree': 'গ্রহণ বা নাকচ করুন',
  'next.waitAgree': '{name} রাজি হওয়ার অপেক্ষায়',
  'next.pay': 'শুরু করতে পেমেন্ট করুন',
  'next.waitPay': '{name} পেমেন্ট করার অপেক্ষায়',
  'next.deliver': 'ডেলিভারি দিন',
  'next.waitDelivery': '{name} ডেলিভারি দেওয়ার অপেক্ষায়',
  'next.receive': 'পথে আছে: পৌঁছালে জানান',
  'next.waitArrival': '{name}-এর কাছে যাচ্ছে',
  'next.check': 'দেখে নিয়ে রিলিজ করুন',
  'next.waitCheck': '{name} দেখছেন',
  'next.answer': 'বাতিলের অনুরোধের উত্তর দিন',
  'next.waitAnswer': '{name} উত্তর দেওয়ার অপেক্ষায়',
  'next.answerCounter': 'পাল্টা প্রস্তাবের উত্তর দিন',
  'next.waitCounter': '{name} পাল্টা প্রস্তাবের উত্তর দেওয়ার অপেক্ষায়',
  'next.leave': 'বাতিল করে পুরো টাকা ফেরত নিতে পারেন',
  'next.blocked': '{name}-এর অ্যাকাউন্ট স্থগিত',
  'next.held': 'স্থগিত, আমানত সিদ্ধান্ত দেবে',
  'next.paused': 'আমানত দেখছে',
  'next.closed': 'শেষ',
  'dispute.decision': 'সিদ্ধান্তে রাজি হোন, নয়তো আপিল করুন',
  'dispute.offer': 'টাকা ভাগের প্রস্তাবে উত্তর দিন',
  'dispute.answer': 'বিরোধে উত্তর দিন',
  'dispute.wait': '{name} বা আমানতের অপেক্ষা',
  untitled: 'বিবরণ ছাড়া ডিল',
};

export const dealWords: Translation<typeof en.dealWords> = {
  'said.delivered': 'ডেলিভারি দেওয়া হয়েছে: {title}',
  'said.counteroffer': 'পাল্টা প্রস্তাব: {title}',
  'said.changes': 'সংশোধন চাওয়া হয়েছে: {title}',
  picture: '{name}-এর পাঠানো ছবি, {count}টির মধ্যে {at}',
  pictureYours: 'আপনার ছবি, {count}টির মধ্যে {at}',
};
