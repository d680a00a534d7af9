import type { AdminWithdrawal } from '@/api/contract';
import { Facts } from '@/components/section';
import { groupedPhone, plainTaka } from '@/entities/wallet/mobile-money';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { bdt, centsFromWire, localDigits, toPoisha, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { earlierRequests } from '../review/earlier-requests';
import { HandledRows } from '../review/handled-rows';
import { PersonLink } from '../review/person-link';
import { Copied } from '../review/review-parts';
import { WithdrawalChecklist } from './withdrawal-checklist';

export function WithdrawalFacts({ row }: { row: AdminWithdrawal }) {
  const t = useTexts(admin);
  const tCommon = useTexts(common);
  const tKhata = useTexts(khata);
  const waits = row.status === 'pending';
  const poisha = centsFromWire(row.convertedAmount);
  const { good, total } = earlierRequests(row.history, waits);
  const history = total === 0 ? t('firstWithdrawal') : t('goodWithdrawals', { good, count: total });
  return (
    <>
      <div>
        <Copied
          label={t('sendTo', { method: tKhata(`method.${row.paymentMethod}`) })}
          value={row.phonenumber}
          shown={localDigits(groupedPhone(row.phonenumber))}
          what={t('copy.number')}
          done={t('numberCopied')}
        />
        <Copied label={t('exactly')} value={plainTaka(poisha)} shown={bdt(poisha)} what={t('copy.taka')} done={t('takaCopied')} />
      </div>
      <Facts
        rows={[
          ...(waits ? [] : [[t('amount'), usd(centsFromWire(row.amount))] as const]),
          [t('rateWhenAsked'), tCommon('rate', { taka: bdt(toPoisha(100, row.rate)) })],
          [t('askedFor'), formatTime(row.requestedAt, 'moment')],
          [
            t('user'),
            <>
              <PersonLink person={row.user} />, {history}
            </>,
          ],
        ]}
      />
      <WithdrawalChecklist row={row} />
      {waits ? null : (
        <>
          <p>
            <RequestBadge status={row.status} />
          </p>
          <HandledRows row={row} more={row.transactionId ? [[t('payoutId'), row.transactionId]] : []} />
        </>
      )}
    </>
  );
}
