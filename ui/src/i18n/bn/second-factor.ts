import type { secondFactor as english } from '../en/second-factor';
import type { Translation } from '../texts';

export const secondFactor: Translation<typeof english> = {
  password: 'পাসওয়ার্ড',
  'password.required': 'পাসওয়ার্ড দিন।',
  'code.required': 'কোডটি দিন।',
  'totp.label': 'অথেনটিকেটর অ্যাপের কোড',
  'totp.help': '৬ সংখ্যার কোড। প্রতি ৩০ সেকেন্ডে নতুন কোড আসে।',
  'totp.instead': 'অথেনটিকেটর অ্যাপের কোড দিন',
  'backup.label': 'ব্যাকআপ কোড',
  'backup.help': 'যে দশটি কোড রেখে দিয়েছিলেন, তার একটি। প্রতিটি একবারই চলে।',
  'backup.instead': 'ব্যাকআপ কোড দিন',
  'passkey.use': 'পাসকি ব্যবহার করুন',
  'passkey.text': 'ফোন বা কম্পিউটার আপনার আঙুলের ছাপ, মুখ বা স্ক্রিন লক চাইবে।',
  'passkey.failed': 'পাসকিটি ব্যবহার করা গেল না। আবার চেষ্টা করুন, বা অন্য উপায় বেছে নিন।',
  'confirm.title': 'আপনিই কি না, নিশ্চিত করুন',
  'confirm.passwordTitle': 'আবার পাসওয়ার্ড দিন',
  'confirm.submit': 'নিশ্চিত করুন',
  'login.verify': 'যাচাই করুন',
};
