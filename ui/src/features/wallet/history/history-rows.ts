import type { Deposit, PaymentMethod, Withdrawal } from '@/api/contract';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import type { Translate } from '@/i18n';
import type { wallet } from '@/i18n/en/wallet';
import { type Cents, centsFromWire, localDigits, type Poisha, usd } from '@/lib/money';

export type HistoryRow = {
  id: string;
  at: string;
  method: PaymentMethod;
  page: boolean;
  /** The transaction id of a deposit, the phone number of a withdrawal. */
  reference: string;
  status: Deposit['status'] | Withdrawal['status'];
  cents: Cents;
  poisha: Poisha;
  incoming: boolean;
  /** No money moved: the amounts are struck out. */
  failed: boolean;
  remarks: string[];
};

type T = Translate<typeof wallet>;

export function depositRow(t: T, deposit: Deposit): HistoryRow {
  const { amount, claimedAmount, status, reason, reasonCode, disputed } = deposit;
  const changed = status === 'completed' && amount !== claimedAmount;
  const remarks = changed ? [t('credited', { sum: usd(centsFromWire(amount)), claimed: usd(centsFromWire(claimedAmount)) })] : [];
  return {
    id: deposit._id,
    page: true,
    at: deposit.createdAt,
    method: deposit.paymentMethod,
    reference: deposit.transactionId,
    status,
    cents: centsFromWire(amount),
    poisha: centsFromWire(deposit.convertedAmount),
    incoming: true,
    failed: status === 'Failed',
    remarks: [
      ...remarks,
      // An admin's own text needs no label.
      ...(status === 'Failed' && reasonCode !== null && reasonCode !== 'other' ? [t(`why.${reasonCode}`)] : []),
      ...(reason ? [t('reason', { reason })] : []),
      ...(disputed && status === 'pending' ? [t('disputed')] : []),
    ],
  };
}

export function withdrawalRow(t: T, withdrawal: Withdrawal): HistoryRow {
  const { transactionId, reason, status, cancelledAt } = withdrawal;
  return {
    id: withdrawal._id,
    page: false,
    at: withdrawal.requestedAt,
    method: withdrawal.paymentMethod,
    reference: localDigits(groupedPhone(withdrawal.phonenumber)),
    status,
    cents: centsFromWire(withdrawal.amount),
    poisha: centsFromWire(withdrawal.convertedAmount),
    incoming: false,
    failed: status === 'failed',
    remarks: [
      ...(transactionId ? [t('payoutId', { id: transactionId })] : []),
      ...(reason ? [t('reason', { reason })] : []),
      ...(cancelledAt === null ? [] : [t('cancelled')]),
    ],
  };
}
