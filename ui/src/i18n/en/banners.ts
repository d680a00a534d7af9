import { texts } from '../texts';

export const live = texts('live', {
  lost: 'Live updates are interrupted. Everything still works; this page checks for updates every few seconds.',
});

export const pauses = texts('pauses', {
  money: 'Payments are paused for a short time. Your money is safe, and deals keep their state.',
  deposits: 'Deposits are paused for a short time. Please do not send money now.',
  withdrawals: 'Withdrawals are paused for a short time. Your balance is safe.',
});

export const terms = texts('terms', {
  updated: 'We have updated our <terms>Terms</terms> and our <privacy>Privacy Policy</privacy>. Please read and accept them.',
  accept: 'Accept',
  accepted: 'Thank you.',
  failed: 'Something went wrong',
});
