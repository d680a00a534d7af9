import type { Dictionary } from '../texts';

/** The server's own sentences (SPEC §5 and §8), which it writes in English, in Bangla. What is missing here is said by code. */
export const serverMessages: Dictionary = {
  'Invalid credentials': 'ইউজারনেম বা পাসওয়ার্ড ঠিক নেই',
  'Username is required.': 'ইউজারনেম দিন।',
  'Email is required.': 'ইমেইল দিন।',
  'Invalid email': 'ইমেইলটি ঠিক নয়',
  'Password is required.': 'পাসওয়ার্ড দিন।',
  'Password must be at least 6 characters': 'পাসওয়ার্ড কমপক্ষে ৬ অক্ষরের হতে হবে',
  'Select a user.': 'একজনকে বেছে নিন।',
  'All fields are required.': 'সব ঘর পূরণ করুন।',
  'Please select your role.': 'আপনার ভূমিকা বেছে নিন।',
  'Please Choose Delivery Duration': 'ডেলিভারির সময় বেছে নিন',
  'Please fill out all fields.': 'সব ঘর পূরণ করুন।',
  'Invalid amount or transaction ID': 'টাকার অঙ্ক বা ট্রানজেকশন আইডি ঠিক নয়',
  'Invalid transaction ID format. It should be 8-12 alphanumeric characters.':
    'ট্রানজেকশন আইডি ঠিক নয়। এতে ৮ থেকে ১২টি ইংরেজি অক্ষর বা অঙ্ক থাকে।',
  'This transaction ID has already been used.': 'এই ট্রানজেকশন আইডি আগেই ব্যবহার হয়েছে।',
  "Phone number must start with '01' and be 11 digits.": "ফোন নম্বর '০১' দিয়ে শুরু এবং ১১ অঙ্কের হতে হবে।",
  'Insufficient balance': 'যথেষ্ট ব্যালেন্স নেই',
  'Insufficient balance to withdraw': 'তোলার মতো যথেষ্ট ব্যালেন্স নেই',
  'Enter a valid amount': 'ঠিক একটি অঙ্ক লিখুন',
  'Too many attempts. Please try again later.': 'অনেকবার চেষ্টা হয়েছে। কিছুক্ষণ পরে আবার চেষ্টা করুন।',
};
