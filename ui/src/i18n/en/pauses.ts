import { texts } from '../texts';

export const pauses = texts('pauses', {
  money: 'Payments are paused for a short time. Your money is safe, and deals keep their state.',
  deposits: 'Deposits are paused for a short time. Please do not send money now.',
  withdrawals: 'Withdrawals are paused for a short time. Your balance is safe.',
});
