import { texts } from '../texts';

/** What people can do with what is stored about them: read the terms they accepted, take a copy, close the account. */
export const ownData = texts('ownData', {
  data: 'Your data',
  dataText:
    'Download a copy of everything you have here: your profile, posts, deals, the messages you sent, reviews, deposits, withdrawals and settings, as one ZIP file.',
  request: 'Request a copy',
  requestNew: 'Request a new copy',
  requested: 'We are preparing your data. We will email you when it is ready.',
  preparing: 'We are preparing your data',
  preparingText: 'Requested {when}. We email you when it is ready; you can leave this page.',
  ready: 'Your data, as of {when}',
  readyText: '{size} · available until {until}',
  download: 'Download',
  kilobytes: '{size} KB',
  megabytes: '{size} MB',
  expired: 'Your copy of {when} has expired. You can request a new one.',
  failed: 'Your data could not be prepared.',
  failedText: 'Nothing is lost. Please try again; if it fails once more, contact us.',
  retry: 'Try again',
  loadFailed: 'We could not check whether there is a copy.',
  gone: 'This copy can no longer be downloaded. Please request a new one.',

  terms: 'You accepted our <terms>Terms</terms> and our <privacy>Privacy Policy</privacy>, version {version}, on {when}.',

  close: 'Close account',
  closeText: 'This can’t be undone. Download your data first if you may need it.',
  erased: 'What we erase',
  erasedText:
    'Your email, password, picture, settings and saved numbers. Your posts. The text and pictures of every message you sent. The descriptions of deals and the words of reviews you wrote.',
  stays: 'What stays',
  staysText:
    'Your deals, the stars you gave, and every deposit, withdrawal and transaction without your phone number, under a made-up name such as deleted-4f7k2m9q. The people you dealt with rely on them, and our books must add up.',
  name: 'Your username',
  nameText: 'Nobody can use {name} again, not even you.',
  first: 'Before you can close it',
  openDeals: { one: '{count} open deal. Finish or cancel it.', other: '{count} open deals. Finish or cancel them.' },
  toDeals: 'See your deals',
  pendingMoney: { one: '{count} pending deposit or withdrawal.', other: '{count} pending deposits or withdrawals.' },
  toBalance: 'See your balance',
  balance: '{sum} in your balance. Withdraw it.',
  toWithdraw: 'Withdraw',
  balanceSmall: '{sum} in your balance. It is less than the minimum withdrawal, so please write to us.',
  toContact: 'Contact us',
  balanceComing: 'Money is still on its way to your balance.',
  admin: 'Admins cannot close their account. Another admin has to remove your admin rights first.',
  closeFailed: 'We could not check what has to be done first.',
  closeButton: 'Close my account',

  'ask.title': 'Close your account for good?',
  'ask.text': 'You will be logged out everywhere, and nobody can bring the account back.',
  'ask.name': 'Type {name} to confirm',
  'ask.wrong': 'Please type your username to confirm.',
  'ask.yes': 'Close my account',
  'ask.no': 'Keep it',
  closed: 'Your account has been closed.',
});
