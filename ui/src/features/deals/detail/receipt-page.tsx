import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import type { DealDetail, Paper } from '@/api/contract';
import { Note } from '@/components/note';
import { fullMoment } from '@/components/paper-times';
import { PaperSkeleton, PrintPage } from '@/components/print-page';
import { QueryPart } from '@/components/query-part';
import { Facts } from '@/components/section';
import { Stat } from '@/components/stat';
import { dealQuery } from '@/entities/deal/queries';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { print } from '@/i18n/en/print';
import { api, send } from '@/lib/api';
import { aboutBdt, bdt, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { isParty } from '../deal-view';

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

function Receipt({ deal, paidAt, paper }: { deal: DealDetail; paidAt: string; paper: Paper }) {
  const t = useTexts(print);
  const outcome = useOutcome();
  const price = centsFromWire(deal.price);
  const rate = paper.usdToBdt === null ? null : floorRate(paper.usdToBdt);
  return (
    <>
      <Stat label={t('price')} value={usd(price)} className="mb-4">
        {rate === null ? null : t('atRate', { taka: aboutBdt(toPoisha(price, rate)), rate: bdt(centsFromWire(rate)) })}
      </Stat>
      <Facts
        rows={[
          [t('number'), paper.number],
          ...(deal.description ? [[t('deal'), deal.description] as const] : []),
          [t('buyer'), deal.buyer.username],
          [t('seller'), deal.seller.username],
          [t('paid'), fullMoment(paidAt)],
          ...outcome(deal),
        ]}
      />
    </>
  );
}

const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.deals, 'receipt', id],
    queryFn: ({ signal }): Promise<Paper> => send(api.GET('/deals/{id}/receipt', { params: { path: { id } }, signal })),
    meta: { quiet: true },
  });

/** /deal/$dealId/receipt: a printable receipt for the parties. */
export function DealReceiptPage() {
  const { dealId: id } = route.useParams();
  const t = useTexts(print);
  const me = useMe();
  const query = useQuery({ ...dealQuery(id), meta: { quiet: true } });
  const deal = query.data;
  const paidAt = deal?.activatedAt;
  const paperQuery = useQuery({ ...receiptQuery(id), enabled: Boolean(paidAt) });
  if (deal && !isParty(deal, me)) return <Navigate to="/admin/deals" search={{ dealId: id, review: id }} replace />;
  const paper = paperQuery.data;
  return (
    <PrintPage
      page={`${t('receipt')} ${paper?.number ?? ''}`}
      title={t('receipt')}
      back={
        <Link to="/deal/$dealId" params={{ dealId: id }}>
          {t('toDeal')}
        </Link>
      }
      paper={paper}
    >
      <QueryPart query={query} failure={t('failed')} skeleton={<PaperSkeleton />}>
        {(loaded) =>
          paidAt ? (
            <QueryPart query={paperQuery} failure={t('failed')} skeleton={<PaperSkeleton />}>
              {(made) => <Receipt deal={loaded} paidAt={paidAt} paper={made} />}
            </QueryPart>
          ) : (
            <Note>{t('unpaid')}</Note>
          )
        }
      </QueryPart>
    </PrintPage>
  );
}
