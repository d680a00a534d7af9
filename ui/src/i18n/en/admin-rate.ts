import { texts } from '../texts';

export const adminRate = texts('adminRate', {
  now: '1 USD = {taka} now',
  none: 'No rate has been set yet',
  label: 'Taka for one US dollar',
  deposits: 'Deposits',
  withdrawals: 'Balance and withdrawals',
  up: '{taka}, rounded up',
  down: '{taka}, rounded down',
  above: '{percent}% above the current rate',
  below: '{percent}% below the current rate',
  slip: 'That’s far from the current rate. Typo?',
  note: 'Requests that are waiting keep the rate they were made at, deposits for one day.',
  ask: 'Change the rate from {now} to {next}?',
  askText: 'That is {percent}% more or less than now. It applies to every new deposit and withdrawal right away.',
  set: 'Set {taka}',
  setPlain: 'Set rate',
  done: 'The rate is {taka} now.',
  failed: 'Something went wrong',
  invalid: 'Enter a valid rate',
});
