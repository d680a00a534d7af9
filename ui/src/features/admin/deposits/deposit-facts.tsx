import type { AdminDeposit } from '@/api/contract';
import { Facts } from '@/components/section';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { bdt, centsFromWire, toPoisha, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { earlierRequests } from '../review/earlier-requests';
import { HandledRows } from '../review/handled-rows';
import { PersonLink } from '../review/person-link';

export function DepositFacts({ row }: { row: AdminDeposit }) {
  const t = useTexts(admin);
  const tCommon = useTexts(common);
  const claimed = centsFromWire(row.claimedAmount);
  const { good, total } = earlierRequests(row.history, row.status === 'pending');
  const history = total === 0 ? t('firstDeposit') : t('goodDeposits', { good, count: total });
  const handled = row.status !== 'pending';
  return (
    <>
      <Facts
        rows={[
          [
            t('claimed'),
            <>
              {usd(claimed)} <span className="text-muted-foreground">= {bdt(toPoisha(claimed, row.rate))}</span>
            </>,
          ],
          ...(row.status === 'completed' ? [[t('credited'), usd(centsFromWire(row.amount))] as const] : []),
          [t('rateWhenSent'), tCommon('rate', { taka: bdt(toPoisha(100, row.rate)) })],
          ...(row.status === 'pending' && row.creditRate !== row.rate
            ? [
                [
                  t('rateNow'),
                  t('worthNow', {
                    rate: tCommon('rate', { taka: bdt(toPoisha(100, row.creditRate)) }),
                    sum: usd(centsFromWire(row.creditAmount)),
                  }),
                ] as const,
              ]
            : []),
          [t('sentIn'), formatTime(row.createdAt, 'moment')],
          [
            t('user'),
            <>
              <PersonLink person={row.user} />, {history}, {t(row.isVerified ? 'disputes.verified' : 'disputes.unverified')}
            </>,
          ],
        ]}
      />
      {handled ? (
        <>
          <p>
            <RequestBadge status={row.status} />{' '}
            {row.expired ? <span className="text-sm text-muted-foreground">{t('expired')}</span> : null}
          </p>
          <HandledRows row={row} />
        </>
      ) : null}
    </>
  );
}
