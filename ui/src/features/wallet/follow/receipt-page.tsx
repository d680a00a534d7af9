import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { fullMoment, PrintPage, receiptNumber } from '@/components/print-page';
import { Facts } from '@/components/section';
import { depositQuery } from '@/entities/wallet/deposits';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { print } from '@/i18n/en/print';
import { bdt, centsFromWire, usd } from '@/lib/money';

const route = getRouteApi('/_app/balance/deposits/$depositId/receipt');

/** /balance/deposits/$depositId/receipt: a printable receipt. */
export function DepositReceiptPage() {
  const { depositId: id } = route.useParams();
  const t = useTexts(print);
  const tKhata = useTexts(khata);
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(depositQuery(id));
  const deposit = data?.deposit;
  const creditedAt = deposit?.status === 'completed' ? deposit.handledAt : null;
  const path = `/balance/deposits/${id}`;
  const number = receiptNumber('P', id);
  return (
    <PrintPage
      page={`${t('receipt')} ${number}`}
      title={t('receipt')}
      back={
        <Link to="/balance/deposits/$depositId" params={{ depositId: id }}>
          {t('toDeposit')}
        </Link>
      }
      check={deposit && creditedAt ? { text: t('check.owner', { name: deposit.user.username }), path } : undefined}
      pending={!deposit && !isLoadingError}
    >
      {isLoadingError ? (
        <LoadFailed error={error} fallback={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
      ) : null}
      {deposit && !creditedAt ? <Note>{t('uncredited')}</Note> : null}
      {deposit && creditedAt ? (
        <Facts
          rows={[
            [t('number'), number],
            [t('user'), deposit.user.username],
            [t('method'), tKhata(`method.${deposit.paymentMethod}`)],
            [t('reference'), deposit.transactionId],
            [t('reported'), fullMoment(deposit.createdAt)],
            [t('credited'), usd(centsFromWire(deposit.amount))],
            [t('sent'), bdt(centsFromWire(deposit.convertedAmount))],
            [t('creditedAt'), fullMoment(creditedAt)],
          ]}
        />
      ) : null}
    </PrintPage>
  );
}
