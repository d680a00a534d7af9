import { texts } from '../texts';

export const offline = texts('offline', {
  title: 'You are offline',
  text: 'This page opens again when you are back online.',
  nothing: 'No balance and no deals are saved on this device.',
  old: 'This is what you saw last. It may have changed since.',
  balance: 'Balance',
  own: 'Your balance',
  held: 'Held by Amanat',
  deals: 'Open deals',
  noDeals: 'No open deals',
  moreDeals: { one: '{count} more deal', other: '{count} more deals' },
  asOf: 'As of {when}',
  with: 'With {name}',
  deposit: 'Add money',
  withdraw: 'Withdraw',
  noMoney: 'Without internet you can’t add money, withdraw or pay, and nothing is sent.',
});
