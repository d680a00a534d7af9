import type { live as english } from '../en/live';
import type { Translation } from '../texts';

export const live: Translation<typeof english> = {
  lost: 'সরাসরি আপডেট আপাতত বন্ধ। বাকি সব ঠিকমতো চলছে; কয়েক সেকেন্ড পরপর নতুন খবর আনা হচ্ছে।',
};
