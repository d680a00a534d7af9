import type { adminRate as english } from '../en/admin-rate';
import type { Translation } from '../texts';

export const adminRate: Translation<typeof english> = {
  now: 'এখন ১ USD = {taka}',
  none: 'এখনো কোনো দর ঠিক করা হয়নি',
  label: 'এক মার্কিন ডলারে কত টাকা',
  deposits: 'জমা',
  withdrawals: 'ব্যালেন্স ও উত্তোলন',
  up: '{taka}, ওপরের পূর্ণ টাকায়',
  down: '{taka}, নিচের পূর্ণ টাকায়',
  above: 'এখনকার দরের চেয়ে {percent}% বেশি',
  below: 'এখনকার দরের চেয়ে {percent}% কম',
  slip: 'এখনকার দর থেকে অনেক দূরে। লিখতে ভুল হয়নি তো?',
  note: 'যেসব অনুরোধ অপেক্ষায় আছে, সেগুলো নিজের দরেই থাকবে; জমার বেলায় এক দিন।',
  ask: 'দর {now} থেকে {next} করবেন?',
  askText: 'এটি এখনকার চেয়ে {percent}% কম বা বেশি। এখন থেকে সব নতুন জমা ও উত্তোলনে এই দর ধরা হবে।',
  set: '{taka} ঠিক করুন',
  setPlain: 'দর ঠিক করুন',
  done: 'এখন দর {taka}।',
  failed: 'কিছু একটা গোলমাল হয়েছে',
  invalid: 'সঠিক দর লিখুন',
};
