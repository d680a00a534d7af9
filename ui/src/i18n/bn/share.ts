import type { share as english } from '../en/share';
import type { Translation } from '../texts';

export const share: Translation<typeof english> = {
  share: 'শেয়ার করুন',
  title: 'লিংকটি শেয়ার করুন',
  qr: 'লিংকের কিউআর কোড',
  qrText: 'অথবা সামনে থাকলে স্ক্যান করতে দিন।',
  other: 'অন্য অ্যাপ',
  whatsapp: 'হোয়াটসঅ্যাপ',
  messenger: 'মেসেঞ্জার',
  copy: 'লিংক কপি করুন',
  copyOf: 'লিংকটি কপি হবে',
  copied: 'লিংক কপি হয়েছে',
  failed: 'শেয়ার করা গেল না। লিংকটি কপি করে নিন।',
};
