import type { chatSafety as english } from '../en/chat-safety';
import type { Translation } from '../texts';

export const chatSafety: Translation<typeof english> = {
  first: 'আমানত চ্যাটে কখনো পিন, পাসওয়ার্ড, কোড বা টাকা চায় না। টাকা দিন শুধু এখানকার ডিলের মাধ্যমে।',
  'risk.phone': 'এই মেসেজে একটি ফোন নম্বর আছে।',
  'risk.link': 'এই মেসেজে পেমেন্ট সার্ভিসের লিংক আছে।',
  'risk.words': 'এই মেসেজে আমানতের বাইরে টাকা দেওয়া বা কথা বলার প্রসঙ্গ থাকতে পারে।',
  advice: 'এখানকার ডিল ছাড়া অন্যভাবে টাকা দিলে তার সুরক্ষা নেই।',
  dismiss: 'সতর্কতাটি লুকান',
};
