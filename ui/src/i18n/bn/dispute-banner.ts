import type { disputeBanner as english } from '../en/dispute-banner';
import type { Translation } from '../texts';

export const disputeBanner: Translation<typeof english> = {
  title: 'বিরোধ চলছে',
  text: 'বিরোধের নিষ্পত্তি না হওয়া পর্যন্ত টাকা আমানতেই জমা থাকবে।',
  toDispute: 'বিরোধটি খুলুন',
  over: 'বিরোধটি দেখুন',
  releaseText: 'এর মধ্যে সব হাতে পেলে টাকা রিলিজ করতে পারেন। তাতে বিরোধও শেষ হবে।',
  paused: 'বিরোধ চলা পর্যন্ত সময় থেমে আছে।',
  say: 'এই ডিল নিয়ে বিরোধ চলছে। পড়ুন, উত্তর দিন, নয়তো নিজেরা একমত হোন।',
  open: 'বিরোধ জানান',
  openText: 'কী সমস্যা, {name} আর আমানতকে জানান। নিজেরা একমত হোন, নয়তো একজন অ্যাডমিন সিদ্ধান্ত দেবেন।',
  toDisputeText: 'দুজনের কথা, প্রস্তাব আর সিদ্ধান্ত।',
};
