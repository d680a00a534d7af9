import { texts } from '../texts';

export const emailLinks = texts('emailLinks', {
  'email.title': 'Confirm your new email address',
  'email.lede': 'From then on you get our emails here, and can replace a forgotten password from here.',
  'email.submit': 'Use this address',
  'email.done': 'Your email address is changed.',
  'email.doneText': 'For 24 hours, we hold withdrawals until you confirm them.',
  'email.over': 'This link has expired.',
  'email.overText':
    'It works once, within 24 hours of being sent, unless you asked for another address since. You can request another under Security.',
  'email.aside': 'Good to know',
  'email.aside.1': 'Your password, balance and deals stay as they are.',
  'email.aside.2': 'We have told your former address, if it was verified.',
  'email.aside.3': 'From there, the change can be undone for 7 days.',

  'undo.title': 'Keep this email address',
  'undo.lede': 'Someone asked to change the email address of your account, and it wasn’t you. Keeping yours does the following.',
  'undo.submit': 'Keep this address',
  'undo.aside.1': 'Your account keeps this address, or gets it back.',
  'undo.done': 'Your account keeps this address.',
  'undo.doneText': 'Now choose a new password with the link we have just emailed you.',
  'undo.over': 'This link has expired.',
  'undo.overText': 'It works once, until 7 days after the change. Write to us if someone else is in your account.',

  'factor.title': 'I didn’t turn on two-step login',
  'factor.lede': 'Someone turned on two-step login for your account, and it wasn’t you. Removing it does the following.',
  'factor.submit': 'Remove two-step login',
  'factor.aside.1': 'Two-step login is removed, and pending withdrawals are stopped unless they have been sent.',
  'factor.done': 'Two-step login is removed.',
  'factor.doneText': 'Now choose a new password with the link we have just emailed you.',
});
