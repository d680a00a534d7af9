import type { categories as english } from '../en/categories';
import type { Translation } from '../texts';

export const categories: Translation<typeof english> = {
  'category.Freelance Service': 'ফ্রিল্যান্স সেবা',
  'category.Physical Product': 'পণ্য',
  'category.Online Asset': 'অনলাইন সম্পদ',
  'sub.Logo Design': 'লোগো ডিজাইন',
  'sub.Web Development': 'ওয়েব ডেভেলপমেন্ট',
  'sub.Writing': 'লেখালেখি',
  'sub.Marketing': 'মার্কেটিং',
  'sub.Mobile Phone': 'মোবাইল ফোন',
  'sub.Laptop': 'ল্যাপটপ',
  'sub.Hand Watch': 'হাতঘড়ি',
  'sub.Election Gadget': 'ইলেকট্রনিক গ্যাজেট',
  'sub.T-Shirts': 'টি-শার্ট',
  'sub.Books': 'বই',
  'sub.Electronic Part': 'ইলেকট্রনিক যন্ত্রাংশ',
  'sub.Home Decor': 'ঘর সাজানোর জিনিস',
  'sub.YouTube Channel': 'ইউটিউব চ্যানেল',
  'sub.Instagram Page': 'ইনস্টাগ্রাম পেজ',
  'sub.Website': 'ওয়েবসাইট',
  'sub.Ebook': 'ই-বুক',
  'sub.Facebook Page': 'ফেসবুক পেজ',
  'sub.Domain Name': 'ডোমেইন নাম',
  'sub.Game Id': 'গেম আইডি',
};
