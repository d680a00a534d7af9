import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import type { DealDetail } from '@/api/contract';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { fullMoment, PrintPage, receiptNumber } from '@/components/print-page';
import { Facts } from '@/components/section';
import { dealQuery } from '@/entities/deal/queries';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { print } from '@/i18n/en/print';
import { centsFromWire, usd } from '@/lib/money';
import { isParty } from '../deal-view';
import { proofQuery } from '../proof/queries';

const route = getRouteApi('/_app/deal/$dealId/receipt');

function useOutcome(): (deal: DealDetail) => (readonly [string, string])[] {
  const t = useTexts(print);
  return ({ status, closedAt, price, fee, payout, refund }) => {
    if (closedAt === null) return [];
    const done = status === 'Completed';
    const money = (wire: number) => usd(centsFromWire(wire));
    const kept = centsFromWire(price) - centsFromWire(refund ?? price);
    return [
      ...(done ? ([[t('fee'), money(fee)] as const, [t('payout'), money(payout)] as const] as const) : []),
      ...(refund === null ? [] : [[t('refund'), money(refund)] as const]),
      ...(!done && kept > 0 ? [[t('kept'), usd(kept)] as const] : []),
      [t('closed'), fullMoment(closedAt)],
      [t('status'), t(done ? 'completed' : 'cancelled')],
    ];
  };
}

function Receipt({ deal, paidAt, number }: { deal: DealDetail; paidAt: string; number: string }) {
  const t = useTexts(print);
  const outcome = useOutcome();
  return (
    <Facts
      rows={[
        [t('number'), number],
        ...(deal.description ? [[t('deal'), deal.description] as const] : []),
        [t('buyer'), deal.buyer.username],
        [t('seller'), deal.seller.username],
        [t('paid'), fullMoment(paidAt)],
        [t('price'), usd(centsFromWire(deal.price))],
        ...outcome(deal),
      ]}
    />
  );
}

/** /deal/$dealId/receipt: a printable receipt for the parties. */
export function DealReceiptPage() {
  const { dealId: id } = route.useParams();
  const t = useTexts(print);
  const me = useMe();
  const { data: deal, error, isLoadingError, isFetching, refetch } = useQuery({ ...dealQuery(id), meta: { quiet: true } });
  // Without a proof, the deal's page is the one to check.
  const { data: proof } = useQuery(proofQuery(id));
  if (deal && !isParty(deal, me)) return <Navigate to="/admin/deals" search={{ dealId: id, review: id }} replace />;
  const number = receiptNumber('D', id);
  const paidAt = deal?.activatedAt;
  const names = { buyer: deal?.buyer.username ?? '', seller: deal?.seller.username ?? '' };
  const check = proof?.code
    ? { text: t('check.public'), path: `/held/${proof.code}` }
    : { text: t('check.parties', names), path: `/deal/${id}` };
  return (
    <PrintPage
      page={`${t('receipt')} ${number}`}
      title={t('receipt')}
      back={
        <Link to="/deal/$dealId" params={{ dealId: id }}>
          {t('toDeal')}
        </Link>
      }
      check={paidAt ? check : undefined}
      pending={!deal && !isLoadingError}
    >
      {isLoadingError ? (
        <LoadFailed error={error} fallback={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
      ) : null}
      {deal && !paidAt ? <Note>{t('unpaid')}</Note> : null}
      {deal && paidAt ? <Receipt deal={deal} paidAt={paidAt} number={number} /> : null}
    </PrintPage>
  );
}
