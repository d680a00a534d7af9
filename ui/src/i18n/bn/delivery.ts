import type { delivery as english } from '../en/delivery';
import type { Translation } from '../texts';

export const delivery: Translation<typeof english> = {
  text: '{name}-কে কিছু জানান',
  optional: 'না দিলেও চলে',
  textHelp: 'কী ডেলিভারি দিলেন, কোথায় পাওয়া যাবে। শুধু {name} আর আমানত দেখবে।',
  long: 'লেখা ২,০০০ অক্ষরের বেশি হতে পারবে না।',
  changes: 'কী সংশোধন করতে হবে?',
  changesHelp: 'স্পষ্ট করে লিখুন, যাতে {name} একবারেই সব ঠিক করতে পারেন। {name} এটি মেসেজেও পাবেন।',
  'changes.missing': 'কী সংশোধন করতে হবে, লিখুন।',

  pictures: 'ছবি',
  picturesHelp: 'সর্বোচ্চ {most}টি। ডিলে আর আপনাদের কথোপকথনে দেখা যাবে।',
  'pictures.add': 'ছবি যোগ করুন',
  'pictures.drop': 'ছবিগুলো এখানে ফেলুন',
  'pictures.some': '{count}টির মধ্যে {done}টি ছবি আপলোড হয়েছে',
  'pictures.notImage': 'একটি ছবির ফাইল বেছে নিন!',
  'pictures.full': 'সর্বোচ্চ {most}টি ছবি দেওয়া যায়।',
  'pictures.wait': 'কিছু ছবি এখনো আপলোড হচ্ছে। শেষ হলে আবার চেষ্টা করুন।',
  'pictures.failed': 'কিছু ছবি আপলোড হয়নি। আবার চেষ্টা করুন, নয়তো সরিয়ে ফেলুন।',
  'picture.name': 'ছবি {at}',
  'picture.preparing': 'ছবি {at} তৈরি হচ্ছে',
  'picture.uploading': 'ছবি {at} আপলোড হচ্ছে',
  'picture.failed': 'ছবিটি আপলোড হয়নি।',
  'picture.unreadable': 'এই ছবিটি এখানে পড়া যাচ্ছে না। HEIC ছবি হলে JPEG করে দিন।',
  'picture.retry': 'ছবি {at} আবার আপলোড করুন',
  'picture.remove': 'ছবি {at} সরান',
  'picture.notRemoved': 'ছবিটি সরানো গেল না।',
};
