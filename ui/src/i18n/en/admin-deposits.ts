import { texts } from '../texts';

/** What only the queue of deposits has. */
export const adminDeposits = texts('adminDeposits', {
  search: 'TrxID, user or amount',
  searchKey: 'Press / to search',
  method: 'Method',
  anyMethod: 'All methods',
  sort: 'Order',
  'sort.oldest': 'Oldest first',
  'sort.newest': 'Newest first',
  'sort.largest': 'Largest first',
  found: { one: '{count} deposit found', other: '{count} deposits found' },
  none: 'No deposits match.',
  noneText: 'Search for the start of a transaction ID or username, or for an exact amount in dollars or taka.',
  clear: 'Clear the filters',

  taka: 'Taka received',
  worth: '= {sum}',
  againTaka: 'Type the taka again',

  why: 'Reason',
  'why.not_found': 'No such payment',
  'why.other_amount': 'Other amount',
  'why.used_before': 'Used before',
  'why.other_number': 'Other number',
  'why.other': 'Another reason',
  'says.not_found': '{name} is told to check the ID and report the payment again.',
  'says.other_amount': '{name} is told to report the payment again with the amount in the SMS.',
  'says.used_before': '{name} is told that each payment counts once.',
  'says.other_number': '{name} is told to have the payment returned.',
  'says.other': '{name} is told to contact support.',
  words: 'In your own words, {name} will read it',
  before: 'The one before: {outcome}',
});
