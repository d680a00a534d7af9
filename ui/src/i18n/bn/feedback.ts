import type * as english from '../en/feedback';
import type { Translation } from '../texts';

export const help: Translation<typeof english.help> = {
  title: 'সাহায্য',
  about: 'কী নিয়ে?',
  deal: 'কোনো ডিল',
  site: 'সাইট',
  other: 'অন্য কিছু',
  reports: 'আপনার রিপোর্ট',
};

export const feedback: Translation<typeof english.feedback> = {
  name: 'নাম',
  email: 'ইমেইল',
  optional: 'না দিলেও চলে',
  emailHelp: 'এই ঠিকানায় আমরা উত্তর দেব।',
  'name.required': 'নাম দিন।',
  'name.long': 'নামে সর্বোচ্চ ১০০টি অক্ষর থাকতে পারে।',
  'email.required': 'ইমেইল দিন।',
  'email.invalid': 'ইমেইলটি ঠিক নয়',
  asUser: 'আপনি লিখছেন {name} নামে, {email} থেকে।',
  another: 'আরেকটি লিখুন',

  'contact.title': 'যোগাযোগ',
  'contact.message': 'মেসেজ',
  'contact.required': 'মেসেজ লিখুন।',
  'contact.long': 'মেসেজে সর্বোচ্চ ৫,০০০টি অক্ষর থাকতে পারে।',
  'contact.submit': 'মেসেজ পাঠান',
  'contact.done': 'ধন্যবাদ! আপনার মেসেজ পাঠানো হয়েছে।',
  'contact.doneText': 'উত্তর ইমেইলে পাবেন।',
  'contact.failed': 'কিছু একটা গোলমাল হয়েছে',
  'contact.never': 'আমরা কখনও আপনার পাসওয়ার্ড বা বিকাশ-নগদের পিন চাই না।',

  'bug.title': 'সাইটে সমস্যা? জানান',
  'bug.subject': 'বিষয়',
  'bug.subject.required': 'বিষয় লিখুন।',
  'bug.subject.long': 'বিষয়ে সর্বোচ্চ ২০০টি অক্ষর থাকতে পারে।',
  'bug.description': 'বিবরণ',
  'bug.descriptionHelp': 'কী করছিলেন, কী হলো? কোন পেজে, কোন ফোন বা ব্রাউজারে? পাসওয়ার্ড বা পিন লিখবেন না।',
  'bug.description.required': 'বিবরণ লিখুন।',
  'bug.description.long': 'বিবরণে সর্বোচ্চ ৫,০০০টি অক্ষর থাকতে পারে।',
  'bug.submit': 'জানিয়ে দিন',
  'bug.done': 'ধন্যবাদ! আপনার রিপোর্ট পাঠানো হয়েছে।',
  'bug.doneText': 'প্রতিটি রিপোর্ট আমরা দেখি।',
  'bug.failed': 'রিপোর্ট পাঠানো গেল না',
};
