import type { chatSafety as english } from '../en/chat-safety';
import type { Translation } from '../texts';

export const chatSafety: Translation<typeof english> = {
  first: 'আমানত চ্যাটে কখনো পিন, পাসওয়ার্ড, কোড বা টাকা চায় না। টাকা দিন শুধু এখানকার ডিলের মাধ্যমে।',
  'risk.phone': 'এতে একটি ফোন নম্বর আছে।',
  'risk.link': 'এতে পেমেন্ট সার্ভিসের লিংক আছে।',
  'risk.words': 'এতে আমানতের বাইরে টাকা দেওয়ার কথা থাকতে পারে।',
  advice: 'শুধু এখানকার ডিলে দেওয়া টাকাই সুরক্ষিত।',
  dismiss: 'সতর্কতাটি লুকান',
};
