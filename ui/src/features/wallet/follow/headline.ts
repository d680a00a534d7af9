import type { Deposit } from '@/api/contract';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit';
import { bdt, centsFromWire, toPoisha, usd } from '@/lib/money';

/** What has become of a deposit. */
export function useHeadline({ status, reasonCode, amount, claimedAmount, rate }: Deposit): string {
  const t = useTexts(depositFollow);
  if (status === 'completed') return t('credited', { sum: usd(centsFromWire(amount)) });
  if (status === 'pending') return t('checking', { taka: bdt(toPoisha(centsFromWire(claimedAmount), rate)) });
  return t(reasonCode === 'retracted' ? 'withdrawn' : 'notCredited');
}
