import { texts } from '../texts';

export const money = texts('money', {
  usd: 'USD',
  bdt: 'BDT',
  noRate: 'Failed to fetch conversion rate',
  amountUnread: 'Type the amount in digits, such as 1250.50.',
});
