import type { Dictionary } from '../texts';

/**
 * The server's own sentences, which it writes in English, in Bangla. A {name} stands for any text, which is
 * taken over; what stands at other placeholders, in Bangla digits. What is missing here is said by code.
 */
export const serverMessages: Dictionary = {
  'Invalid credentials': 'ইউজারনেম বা পাসওয়ার্ড ঠিক নেই',
  'This password is too common. Please choose another.': 'এই পাসওয়ার্ড খুব সাধারণ। অন্য একটি দিন।',
  'The password of an admin must be at least 12 characters long.': 'অ্যাডমিনের পাসওয়ার্ড কমপক্ষে ১২ অক্ষরের হতে হবে।',
  'Set a password of at least 12 characters first.': 'আগে কমপক্ষে ১২ অক্ষরের পাসওয়ার্ড দিন।',
  'All other sessions have ended.': 'অন্য সব জায়গা থেকে লগ আউট হয়েছে।',
  'Incorrect password.': 'পাসওয়ার্ড ঠিক নেই।',
  'Please log in to continue.': 'এগোতে লগ ইন করুন।',
  'Please enter your password again.': 'আপনার পাসওয়ার্ড আরেকবার দিন।',
  'Too many attempts. Please try again later.': 'অনেকবার চেষ্টা হয়েছে। কিছুক্ষণ পরে আবার চেষ্টা করুন।',
  'The account of {name} is suspended, so this deal cannot be paid.': '{name}-এর অ্যাকাউন্ট স্থগিত, তাই এই ডিলের টাকা দেওয়া যাবে না।',
  'Your account is on hold. Please contact our support.': 'আপনার অ্যাকাউন্ট স্থগিত রাখা হয়েছে। আমাদের সহায়তা দলের সঙ্গে যোগাযোগ করুন।',
  'Your account is on hold until you reset your password with a link that we mail you.':
    'ইমেইলের লিংক দিয়ে নতুন পাসওয়ার্ড না দেওয়া পর্যন্ত আপনার অ্যাকাউন্ট স্থগিত থাকবে।',
  'This account is disabled.': 'এই অ্যাকাউন্টটি বন্ধ।',
  'This account has been disabled. Please contact support.': 'এই অ্যাকাউন্টটি বন্ধ করা হয়েছে। সহায়তা দলের সঙ্গে যোগাযোগ করুন।',

  'Username is required.': 'ইউজারনেম দিন।',
  'Username may have up to 40 letters, digits, hyphens and underscores.':
    'ইউজারনেমে সর্বোচ্চ ৪০টি ইংরেজি অক্ষর, অঙ্ক, হাইফেন ও আন্ডারস্কোর থাকতে পারে।',
  'This username cannot be used. Please choose another.': 'এই ইউজারনেমটি নেওয়া যাবে না। অন্য একটি বেছে নিন।',
  'This username looks like one that is taken. Please choose another.':
    'এই ইউজারনেমটি আগে নেওয়া একটির মতো দেখতে। অন্য একটি বেছে নিন।',
  'Username is already taken.': 'এই ইউজারনেমটি আগেই নেওয়া হয়েছে।',
  'Email is already registered.': 'এই ইমেইলে আগেই অ্যাকাউন্ট খোলা হয়েছে।',
  'Email is required.': 'ইমেইল দিন।',
  'Invalid email': 'ইমেইলটি ঠিক নয়',
  'Password is required.': 'পাসওয়ার্ড দিন।',
  'Password must be at least 6 characters': 'পাসওয়ার্ড কমপক্ষে ৬ অক্ষরের হতে হবে',
  'Password must be at least 6 characters long.': 'পাসওয়ার্ড কমপক্ষে ৬ অক্ষরের হতে হবে।',
  'Invalid or missing token': 'লিংকটি ঠিক নয়, অথবা টোকেন নেই',
  'Your email is already verified.': 'আপনার ইমেইল আগেই যাচাই হয়েছে।',
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
  'Conversation not found.': 'কথোপকথনটি পাওয়া যায়নি।',
  'Text or Image is needed': 'কিছু লিখুন বা একটি ছবি দিন',
  'No valid conversation or receiver.': 'কাকে লিখছেন তা বোঝা যায়নি।',
  'You cannot message yourself.': 'নিজেকে মেসেজ পাঠানো যায় না।',
  'The message must be at most 4,000 characters.': 'মেসেজ ৪,০০০ অক্ষরের বেশি হতে পারবে না।',
  'This account is disabled. You can read your messages but not send new ones.':
    'এই অ্যাকাউন্টটি বন্ধ। আগের মেসেজ পড়তে পারবেন, নতুন মেসেজ পাঠাতে পারবেন না।',
  'Deal not found.': 'ডিলটি পাওয়া যায়নি।',
  'Another action on this is being processed. Please wait a moment.': 'এটি নিয়ে আরেকটি কাজ চলছে। একটু অপেক্ষা করুন।',
  'There is no cancellation request to accept.': 'মেনে নেওয়ার মতো কোনো বাতিলের অনুরোধ নেই।',
  'There is no cancellation request to decline.': 'উত্তর দেওয়ার মতো কোনো বাতিলের অনুরোধ নেই।',
  'You have accepted this deal. You can cancel it instead.': 'আপনি এই ডিল গ্রহণ করেছেন। চাইলে বাতিল করতে পারেন।',
  'Ten deals between you two wait to be accepted. Wait for an answer to them first.':
    'আপনাদের দুজনের ১০টি ডিল গ্রহণের অপেক্ষায় আছে। আগে সেগুলোর উত্তর আসুক।',
  'Fifty of your deals wait to be accepted. Wait for an answer to some of them first.':
    'আপনার ৫০টি ডিল গ্রহণের অপেক্ষায় আছে। আগে কয়েকটির উত্তর আসুক।',
  'The seller never agreed to this deal, so you cannot review them for it.': 'বিক্রেতা এই ডিলে কখনো রাজি হননি, তাই রিভিউ দেওয়া যাবে না।',
  'You cannot leave this deal yet.': 'এখনই এই ডিল থেকে সরে যাওয়া যাবে না।',
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
  'Withdrawals of this user are on hold.': 'এই ব্যবহারকারীর টাকা তোলা স্থগিত আছে।',
  'Withdrawals from this account are on hold. Please contact support.':
    'এই অ্যাকাউন্ট থেকে টাকা তোলা আপাতত বন্ধ। সহায়তা দলের সঙ্গে যোগাযোগ করুন।',
  'This transaction ID belongs to a payment that Amanat sent.': 'এই ট্রানজেকশন আইডি আমানতের পাঠানো একটি পেমেন্টের।',
  'Deposit submitted. Somebody else has reported the same transaction ID, so an admin will check both.':
    'জমার তথ্য পাঠানো হয়েছে। একই ট্রানজেকশন আইডি আরেকজনও জানিয়েছেন, তাই একজন অ্যাডমিন দুটিই যাচাই করবেন।',
  'The exchange rate has changed. Please check the amount and try again.': 'ডলারের দর বদলেছে। অঙ্কটি দেখে আবার চেষ্টা করুন।',
  'Withdrawals are stopped until you reset your password with a link that we mail you.':
    'ইমেইলের লিংক দিয়ে নতুন পাসওয়ার্ড না দেওয়া পর্যন্ত টাকা তোলা বন্ধ।',
  'This withdrawal is held until {time} unless its owner confirms it: {reasons}.':
    '{time} পর্যন্ত এটি আটকে আছে, মালিক নিশ্চিত করলে আগেই পাঠানো যাবে।',
  'The owner says that somebody else asked for this withdrawal. It can only be rejected.':
    'মালিক জানিয়েছেন, অন্য কেউ এটি চেয়েছে। এটি শুধু নাকচ করা যাবে।',
  'You said that this withdrawal was not yours, so it is never sent. Please cancel it and ask for another.':
    'আপনি জানিয়েছেন কাজটি আপনার নয়, তাই এটি কখনো পাঠানো হবে না। এটি বাতিল করে নতুন করে চান।',
  'The least withdrawal is {amount}.': 'কমপক্ষে {amount} তুলতে হবে।',
  'At most {count} withdrawals can wait at a time. Cancel one, or wait until one is sent.':
    'একসঙ্গে সর্বোচ্চ {count}টি তোলার অনুরোধ অপেক্ষায় থাকতে পারে। একটি বাতিল করুন, অথবা একটি পাঠানো পর্যন্ত অপেক্ষা করুন।',
  'An admin is working on this withdrawal. Please try again in a few minutes.':
    'একজন অ্যাডমিন এই অনুরোধটি দেখছেন। কয়েক মিনিট পরে আবার চেষ্টা করুন।',
  'This withdrawal has been handled already.': 'এই তোলার অনুরোধ আগেই সামলানো হয়েছে।',
  'Withdrawal not found.': 'তোলার অনুরোধটি পাওয়া যায়নি।',
  'Your withdrawal has been cancelled.': 'আপনার তোলার অনুরোধ বাতিল হয়েছে।',
  'The exchange rate has not been set yet.': 'ডলারের দর এখনো ঠিক করা হয়নি।',
  'The service is busy. Please try again in a moment.': 'সার্ভারে এখন চাপ বেশি। একটু পরে আবার চেষ্টা করুন।',

  'Name is required.': 'নাম দিন।',
  'Subject is required.': 'বিষয় লিখুন।',
  'Description is required.': 'বিবরণ লিখুন।',
  'Message is required.': 'মেসেজ লিখুন।',
  'You may have up to {count} posts for now. Please delete one first.':
    'আপাতত আপনার সর্বোচ্চ {count}টি পোস্ট থাকতে পারে। আগে একটি মুছে ফেলুন।',
  'You may have up to {count} deposits waiting for approval for now. Please wait until one is handled.':
    'আপাতত আপনার সর্বোচ্চ {count}টি জমা অনুমোদনের অপেক্ষায় থাকতে পারে। একটির নিষ্পত্তি হওয়া পর্যন্ত অপেক্ষা করুন।',
  'Name may have up to {count} characters.': 'নামে সর্বোচ্চ {count}টি অক্ষর থাকতে পারে।',
  'Subject may have up to {count} characters.': 'বিষয়ে সর্বোচ্চ {count}টি অক্ষর থাকতে পারে।',
  'Description may have up to {count} characters.': 'বিবরণে সর্বোচ্চ {count}টি অক্ষর থাকতে পারে।',
  'Message may have up to {count} characters.': 'মেসেজয় সর্বোচ্চ {count}টি অক্ষর থাকতে পারে।',

  'Post not found': 'পোস্টটি পাওয়া যায়নি',
  'Title is required.': 'শিরোনাম দিন।',
  'The title must be at most 80 characters.': 'শিরোনাম ৮০ অক্ষরের বেশি হতে পারে না।',
  'Price is required.': 'দাম দিন।',
  'Category is required.': 'বিভাগ বেছে নিন।',
  'Choose Freelance Service, Physical Product or Online Asset.': 'ফ্রিল্যান্স সেবা, পণ্য বা অনলাইন সম্পদ বেছে নিন।',
  'Subcategory is required.': 'উপবিভাগ বেছে নিন।',
  'Please enter your own subcategory.': 'আপনার নিজের উপবিভাগ লিখুন।',
  'The subcategory must be at most 40 characters.': 'উপবিভাগ ৪০ অক্ষরের বেশি হতে পারে না।',
  'A post may have at most ten tags.': 'একটি পোস্টে সর্বোচ্চ দশটি ট্যাগ থাকতে পারে।',
  'A tag must be at most 30 characters.': 'ট্যাগ ৩০ অক্ষরের বেশি হতে পারে না।',
  'The search must be at most 100 characters.': 'খোঁজার কথা ১০০ অক্ষরের বেশি হতে পারে না।',
  'You may change your own posts only.': 'শুধু নিজের পোস্ট বদলানো যায়।',
  'Please select an image file!': 'একটি ছবির ফাইল বেছে নিন!',
  'The image is too large: the limit is {limit}.': 'ছবিটি বেশি বড়: সীমা {limit}।',
  'This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file.':
    'ছবিটি পড়া যাচ্ছে না। PNG, JPEG, WebP বা GIF ফাইল বেছে নিন।',
  'Your password has been changed.': 'আপনার পাসওয়ার্ড বদলানো হয়েছে।',

  'Enter a valid amount': 'সঠিক অঙ্ক লিখুন',
  'Enter a valid rate': 'সঠিক দর লিখুন',
  'The amount must equal the request.': 'অঙ্কটি অনুরোধের সমান হতে হবে।',
  'The reason must be at most 500 characters.': 'কারণ সর্বোচ্চ ৫০০ অক্ষরের হতে পারে।',
  'This changes the rate from {from} to {to}, by more than 10%. Please confirm it.':
    'এতে দর {from} থেকে {to} হবে, বদল ১০%-এর বেশি। নিশ্চিত করুন।',
  'Write a reason: the amount is not what the payment is worth.': 'কারণ লিখুন: অঙ্কটি পাঠানো টাকার সমান নয়।',
  'A second admin has to confirm this credit.': 'আরেকজন অ্যাডমিনকে এই জমা নিশ্চিত করতে হবে।',
  'You proposed this credit. Another admin has to confirm it.': 'এই জমার প্রস্তাব আপনি দিয়েছেন। আরেকজন অ্যাডমিনকে নিশ্চিত করতে হবে।',
  'No credit of this deposit waits for a second admin.': 'এই জমার কোনো প্রস্তাব দ্বিতীয় অ্যাডমিনের অপেক্ষায় নেই।',
  'Another credit is proposed now. Look at it again.': 'এখন অন্য একটি প্রস্তাব আছে। আবার দেখুন।',
  'Whoever proposed this credit cannot do so any more. Approve it again.':
    'যিনি প্রস্তাব দিয়েছিলেন, তিনি আর অনুমোদন দিতে পারেন না। নতুন করে অনুমোদন দিন।',
  'The payment with this transaction ID was credited to {name}.': 'এই ট্রানজেকশন আইডির টাকা {name}-এর ব্যালেন্সে জমা হয়ে গেছে।',
  'The deposit belongs to another user.': 'এই জমাটি অন্য একজনের।',
  'You cannot handle your own request.': 'নিজের অনুরোধ নিজে সামলানো যায় না।',
  'You cannot decide on your own deal. Another admin has to.': 'নিজের ডিলের সিদ্ধান্ত নিজে দেওয়া যায় না। অন্য একজন অ্যাডমিনকে দিতে হবে।',
  'Support request not found.': 'সহায়তার অনুরোধটি পাওয়া যায়নি।',
  'This request cannot be carried out.': 'এই অনুরোধটি সম্পন্ন করা যাবে না।',
  'This was stopped by our team and nothing has changed. Please try again, or contact support.':
    'আমাদের দল এটি থামিয়ে দিয়েছে, কিছুই বদলায়নি। আবার চেষ্টা করুন, অথবা সহায়তা দলের সঙ্গে যোগাযোগ করুন।',
  'Only admins may do this.': 'এটি শুধু অ্যাডমিনরা করতে পারেন।',
  'Already handled.': 'এটি আগেই সামলানো হয়েছে।',
  '{name} is working on this request.': '{name} এই অনুরোধটি দেখছেন।',
  'Already handled by {name} at {time}.': '{name} এটি আগেই সামলেছেন ({time})।',
};
