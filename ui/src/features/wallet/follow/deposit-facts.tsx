import type { Deposit } from '@/api/contract';
import { CODE } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { Facts, Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { depositFollow } from '@/i18n/en/deposit-follow';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { bdt, centsFromWire, toPoisha, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';

export function DepositFacts({ deposit }: { deposit: Deposit }) {
  const t = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const tCommon = useTexts(common);
  const tKhata = useTexts(khata);
  const { transactionId, rate, handledAt } = deposit;
  const claimed = centsFromWire(deposit.claimedAmount);
  return (
    <Section title={t('facts')} size="small">
      <Facts
        rows={[
          [t('amount'), usd(claimed)],
          [t('sent'), bdt(toPoisha(claimed, rate))],
          [tWallet('method'), tKhata(`method.${deposit.paymentMethod}`)],
          [
            <span key="label" className="flex min-h-11 items-center">
              {tWallet('transactionId')}
            </span>,
            <span key="id" className="inline-flex flex-wrap items-center justify-end gap-2">
              <span className={CODE}>{transactionId}</span>
              <CopyButton value={transactionId} label={t('copyId')} done={t('idCopied')}>
                {tWallet('copy')}
              </CopyButton>
            </span>,
          ],
          [t('rate'), tCommon('rate', { taka: bdt(toPoisha(100, rate)) })],
          [t('reportedAt'), formatTime(deposit.createdAt, 'moment')],
          ...(handledAt === null ? [] : [[t('handledAt'), formatTime(handledAt, 'moment')] as const]),
        ]}
      />
    </Section>
  );
}
