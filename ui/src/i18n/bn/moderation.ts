import type { moderation as english } from '../en/moderation';
import type { Translation } from '../texts';

export const moderation: Translation<typeof english> = {
  moreOf: '{name} সম্পর্কে আরও',
  'report.user': '{name}-এর নামে রিপোর্ট করুন',
  'report.review': '{name}-এর রিভিউ রিপোর্ট করুন',
  'report.short': 'রিপোর্ট',
  'report.message': 'মেসেজটি রিপোর্ট করুন',
  'message.more': '{name}-এর মেসেজ সম্পর্কে আরও, {time}',
  'message.copy': 'লেখা কপি করুন',
  'message.copied': 'লেখা কপি হয়েছে',

  block: '{name}-কে ব্লক করুন',
  unblock: '{name}-কে আনব্লক করুন',
  'unblock.short': 'আনব্লক',
  'block.ask': '{name}-কে ব্লক করবেন?',
  'block.does.1': 'আপনারা কেউ কাউকে মেসেজ দিতে পারবেন না।',
  'block.does.2': 'কেউ কারও সঙ্গে নতুন ডিল করতে পারবেন না, নাম দিয়ে একে অপরকে খুঁজেও পাবেন না।',
  'block.does.3': 'আগের ডিলগুলো আগের মতোই চলবে।',
  'block.does.4': 'আমরা {name}-কে জানাব না, তবে তিনি বুঝতে পারেন। যেকোনো সময় আনব্লক করতে পারবেন।',
  'block.yes': 'ব্লক করুন',
  'block.done': 'আপনি {name}-কে ব্লক করেছেন।',
  'block.undone': 'আপনি {name}-কে আনব্লক করেছেন।',
  'block.failed': 'ব্লক করা গেল না।',
  'unblock.failed': 'আনব্লক করা গেল না।',

  'thread.mine': 'আপনি {name}-কে ব্লক করেছেন।',
  'thread.mineText': 'আপনারা কেউ কাউকে মেসেজ দিতে পারবেন না। আগের ডিলগুলো চলবে।',
  'thread.theirs': 'আপনি এই ব্যবহারকারীকে মেসেজ পাঠাতে পারবেন না।',
  'thread.theirsText': 'আগের মেসেজগুলো এখনো পড়তে পারবেন।',
  'profile.mine': 'আপনি {name}-কে ব্লক করেছেন।',

  blocked: 'ব্লক করা ব্যক্তি',
  blockedText: 'তাঁরা আপনাকে মেসেজ দিতে, নাম দিয়ে খুঁজতে বা নতুন ডিল করতে পারেন না, আপনিও পারেন না।',
  'blocked.none': 'আপনি কাউকে ব্লক করেননি।',
  'blocked.failed': 'তালিকাটি লোড করা যায়নি।',
  'blocked.since': 'ব্লক করেছেন {day}',

  hidden: 'আমানত লুকিয়ে রেখেছে',
  'hidden.text': 'পোস্টটি শুধু আপনি ও আমানতের কর্মীরা দেখতে পাচ্ছেন। কারণ পড়তে ও আপিল করতে পারেন।',
  'hidden.link': 'সিদ্ধান্ত দেখুন',
  'hidden.linkOf': '{title} সম্পর্কে সিদ্ধান্ত দেখুন',
};
