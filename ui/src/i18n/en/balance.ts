import { texts } from '../texts';

export const balance = texts('balance', {
  failed: 'An error occurred while fetching the wallet balance.',
});

export const checking = texts('checking', {
  sum: '{sum} being checked',
  failed: 'Deposits being checked could not be loaded.',
  row: '{sum} by {method}',
  since: 'Reported {when}',
  is: '{sum} is being checked',
  told: 'We’ll notify and email you.',
  toldUnverified: 'We’ll notify you. Verify your email to get an email, too.',
  verify: 'Send the link again',
  sms: 'Waiting for the SMS of {method}…',
  'usual.minutes': { one: 'Usually within {count} minute', other: 'Usually within {count} minutes' },
  'usual.hours': { one: 'Usually within {count} hour', other: 'Usually within {count} hours' },
  hours: 'We check deposits every day from {from} to {to}.',
  anyHour: 'We check deposits at any hour.',
  closed: 'We’re closed now and continue on {when}.',
});

/** docs/rules.md#trust-limits */
export const limits = texts('limits', {
  title: 'Your limits',
  text: 'New accounts start with low limits. They protect you and the people you trade with, and rise as you use Amanat.',
  perDeal: 'Price of a deal you buy',
  paid: 'Payments in 24 hours',
  withdrawn: 'Withdrawals in 24 hours',
  none: 'No limit',
  upTo: 'Up to {sum}',
  left: '{sum} left',
  used: '{used} of {limit} used',
  raiseTo: 'For up to {sum} per deal:',
  raiseAll: 'For no limit per deal:',
  'need.account_age': { one: 'Wait {count} more day.', other: 'Wait {count} more days.' },
  'need.completed_deals': { one: 'Complete {count} more deal.', other: 'Complete {count} more deals.' },
  'need.partners': {
    one: 'Complete a deal with {count} more person.',
    other: 'Complete deals with {count} more people.',
  },
  'need.second_factor': 'Turn on two-step login.',
  'do.completed_deals': 'See your deals',
  'do.partners': 'Explore Marketplace',
  'do.second_factor': 'Security settings',
  more: 'See your limits and how to raise them',
});
