import { texts } from '../texts';

/** The saved numbers that withdrawals go to. */
export const payout = texts('payout', {
  title: 'Saved numbers',
  failed: 'Your saved numbers could not be loaded.',
  lastSent: 'Last sent {when}',
  neverSent: 'No money sent yet',
  rename: 'Rename',
  remove: 'Remove',
  of: '{action}: {name}',
  to: 'Send it to',
  another: 'Another number',
  saveAs: 'Save this number as',
  optional: 'optional',
  saveHelp: 'For example “My bKash”. Next time you just pick it.',
  full: 'You have saved 10 numbers. Remove one to save another.',
  saveFailed: 'The withdrawal was submitted, but the number could not be saved.',
  name: 'Name',
  nameRequired: 'Please name this number.',
  nameLong: 'The name must be at most 40 characters.',
  'rename.title': 'Rename {number}',
  'rename.submit': 'Save',
  'rename.done': 'The name has been changed.',
  'remove.title': 'Remove “{name}”?',
  'remove.text':
    '{method} {number} is no longer offered when you withdraw. Withdrawals that you have requested stay as they are.',
  'remove.yes': 'Remove',
  'remove.no': 'Keep it',
  'remove.done': 'The number has been removed.',
});
