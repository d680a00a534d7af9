import type { Reason } from '../../sentences.gen';

export const notificationRefusals = {
  no_push_device: 'আগে কোনো ব্রাউজারে নোটিফিকেশন চালু করুন।',
  notice_group_unknown: 'এমন কোনো বিষয়ের নোটিফিকেশন নেই।',
  notice_groups_incomplete: 'প্রতিটি বিষয়ের জন্য একবার করে বেছে নিন।',
  notice_mail_locked: 'অ্যাকাউন্টের ইমেইল বন্ধ করা যায় না।',
  push_device_not_found: 'ব্রাউজারটি পাওয়া যায়নি।',
  push_endpoint_invalid: 'এটি কোনো পুশ সেবার ঠিকানা নয়।',
  push_keys_invalid: 'পুশ নোটিফিকেশনের চাবিগুলো ঠিক নয়।',
  push_off: 'পুশ নোটিফিকেশন এখানে চালু করা হয়নি।',
  quiet_hours_equal: 'নীরব সময়ের শুরু আর শেষ এক হতে পারে না।',
  quiet_hours_malformed: 'নীরব সময়ের জন্য দিনের দুটি সময় দিন, যেমন ২২:০০ ও ০৭:০০।',
  too_many_push_devices: 'সর্বোচ্চ ১০টি ব্রাউজারে নোটিফিকেশন পাওয়া যায়। আগে একটি সরান।',
} satisfies Partial<Record<Reason, string>>;
