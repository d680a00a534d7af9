import type { Dictionary } from '../texts';

/**
 * The server's own sentences (SPEC §5 and §8 and its own), which it writes in English, in Bangla. A {name} stands for any text, which is
 * taken over. What is missing here is said by code.
 */
export const serverMessages: Dictionary = {
  'Invalid credentials': 'ইউজারনেম বা পাসওয়ার্ড ঠিক নেই',
  'Incorrect password.': 'পাসওয়ার্ড ঠিক নেই।',
  'Please log in to continue.': 'এগোতে লগ ইন করুন।',
  'Please enter your password again.': 'আপনার পাসওয়ার্ড আরেকবার দিন।',
  'Too many attempts. Please try again later.': 'অনেকবার চেষ্টা হয়েছে। কিছুক্ষণ পরে আবার চেষ্টা করুন।',
  'This account is disabled.': 'এই অ্যাকাউন্টটি বন্ধ।',
  'This account has been disabled. Please contact support.': 'এই অ্যাকাউন্টটি বন্ধ করা হয়েছে। সাপোর্টে যোগাযোগ করুন।',

  'Username is required.': 'ইউজারনেম দিন।',
  'Username may have up to 40 letters, digits, hyphens and underscores.':
    'ইউজারনেমে সর্বোচ্চ ৪০টি ইংরেজি অক্ষর, অঙ্ক, হাইফেন ও আন্ডারস্কোর থাকতে পারে।',
  'This username cannot be used. Please choose another.': 'এই ইউজারনেমটি নেওয়া যাবে না। অন্য একটি বেছে নিন।',
  'Username is already taken.': 'এই ইউজারনেমটি আগেই নেওয়া হয়েছে।',
  'Email is already registered.': 'এই ইমেইলে আগেই অ্যাকাউন্ট খোলা হয়েছে।',
  'Email is required.': 'ইমেইল দিন।',
  'Invalid email': 'ইমেইলটি ঠিক নয়',
  'Password is required.': 'পাসওয়ার্ড দিন।',
  'Password must be at least 6 characters': 'পাসওয়ার্ড কমপক্ষে ৬ অক্ষরের হতে হবে',
  'Password must be at most 200 characters': 'পাসওয়ার্ড সর্বোচ্চ ২০০ অক্ষরের হতে পারে',

  'Select a user.': 'একজনকে বেছে নিন।',
  'User not found': 'ব্যবহারকারী পাওয়া যায়নি',
  'You cannot make a deal with yourself.': 'নিজের সঙ্গে ডিল করা যায় না।',
  'All fields are required.': 'সব ঘর পূরণ করুন।',
  'Please select your role.': 'আপনার ভূমিকা বেছে নিন।',
  'Please Choose Delivery Duration': 'ডেলিভারির সময় বেছে নিন',
  'The delivery duration must be 1 to 99 days.': 'ডেলিভারির সময় ১ থেকে ৯৯ দিন হতে হবে।',
  'The description must be at most 5,000 characters.': 'বিবরণ সর্বোচ্চ ৫,০০০ অক্ষরের হতে পারে।',
  'The price must be between $0.01 and $1,000,000.00.': 'দাম $০.০১ থেকে $১০,০০,০০০.০০-এর মধ্যে হতে হবে।',
  'Deal not found.': 'ডিলটি পাওয়া যায়নি।',
  'Another action on this is being processed. Please wait a moment.': 'এটি নিয়ে আরেকটি কাজ চলছে। একটু অপেক্ষা করুন।',
  'There is no cancellation request to accept.': 'মেনে নেওয়ার মতো কোনো বাতিলের অনুরোধ নেই।',
  'There is no cancellation request to decline.': 'ফিরিয়ে দেওয়ার মতো কোনো বাতিলের অনুরোধ নেই।',
  'You cannot leave this deal yet.': 'এখনই এই ডিল ছাড়া যাবে না।',
  'Please open a support request': 'সহায়তার অনুরোধ করুন',
  'The time to check must be 1 to 30 days.': 'দেখে নেওয়ার সময় ১ থেকে ৩০ দিন হতে হবে।',
  'Please describe the issue.': 'সমস্যাটি লিখুন।',
  'Your last request for this deal is still open. We will answer it.':
    'এই ডিল নিয়ে আপনার আগের অনুরোধটি এখনো খোলা আছে। আমরা উত্তর দেব।',
  'Your request has been sent to our support.': 'আপনার অনুরোধ আমাদের সহায়তা দলের কাছে গেছে।',
  'Answer the cancellation request first.': 'আগে বাতিলের অনুরোধের উত্তর দিন।',
  'Only the buyer can do this.': 'এটি শুধু ক্রেতা করতে পারেন।',
  'Only the seller can do this.': 'এটি শুধু বিক্রেতা করতে পারেন।',

  'Please fill out all fields.': 'সব ঘর পূরণ করুন।',
  'Choose Bkash or Nagad.': 'বিকাশ বা নগদ বেছে নিন।',
  'Invalid amount or transaction ID': 'টাকার অঙ্ক বা ট্রানজেকশন আইডি ঠিক নয়',
  'Invalid transaction ID format. It should be 8-12 alphanumeric characters.':
    'ট্রানজেকশন আইডি ঠিক নয়। এতে ৮ থেকে ১২টি ইংরেজি অক্ষর বা অঙ্ক থাকে।',
  'This transaction ID has already been used.': 'এই ট্রানজেকশন আইডি আগেই ব্যবহার হয়েছে।',
  "Phone number must start with '01' and be 11 digits.": "ফোন নম্বর '০১' দিয়ে শুরু এবং ১১ অঙ্কের হতে হবে।",
  'The amount must be at most $1,000,000.00.': 'অঙ্কটি $১০,০০,০০০.০০-এর বেশি হতে পারে না।',
  'Insufficient balance': 'যথেষ্ট ব্যালেন্স নেই',
  'Insufficient balance to withdraw': 'তোলার মতো যথেষ্ট ব্যালেন্স নেই',
  'Withdrawals from this account are on hold. Please contact support.': 'এই অ্যাকাউন্ট থেকে টাকা তোলা আপাতত বন্ধ। সাপোর্টে যোগাযোগ করুন।',
  'The exchange rate has not been set yet.': 'ডলারের দর এখনো ঠিক করা হয়নি।',
  'The service is busy. Please try again in a moment.': 'সার্ভারে এখন চাপ বেশি। একটু পরে আবার চেষ্টা করুন।',

  'Enter a valid amount': 'ঠিক একটি অঙ্ক লিখুন',
  'Enter a valid rate': 'ঠিক একটি দর লিখুন',
  'The amount must equal the request.': 'অঙ্কটি অনুরোধের সমান হতে হবে।',
  'The reason must be at most 500 characters.': 'কারণ সর্বোচ্চ ৫০০ অক্ষরের হতে পারে।',
  'The deposit belongs to another user.': 'এই জমাটি অন্য একজনের।',
  'You cannot handle your own request.': 'নিজের অনুরোধ নিজে সামলানো যায় না।',
  'You cannot decide on your own deal. Another admin has to.': 'নিজের ডিলের সিদ্ধান্ত নিজে দেওয়া যায় না। অন্য একজন অ্যাডমিনকে দিতে হবে।',
  'Support request not found.': 'সাপোর্টের অনুরোধটি পাওয়া যায়নি।',
  'Only admins may do this.': 'এটি শুধু অ্যাডমিনরা করতে পারেন।',
  'Already handled.': 'এটি আগেই সামলানো হয়েছে।',
  '{name} is working on this request.': '{name} এই অনুরোধটি দেখছেন।',
  'Already handled by {name} at {time}.': '{name} এটি আগেই সামলেছেন ({time})।',
};
