import type { money as english } from '../en/money';
import type { Translation } from '../texts';

export const money: Translation<typeof english> = {
  usd: 'USD',
  bdt: 'টাকা',
  noRate: 'ডলারের দর আনা গেল না',
  amountUnread: 'পরিমাণটি সংখ্যায় লিখুন, যেমন ১২৫০.৫০।',
};
