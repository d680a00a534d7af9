import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CheckedPaper } from '@/api/contract';
import { AddressNote } from '@/components/address-note';
import { CLOTH } from '@/components/classes';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { fullMoment, useSpan } from '@/components/paper-times';
import { SealMark } from '@/components/seal-mark';
import { Facts } from '@/components/section';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useTexts } from '@/i18n';
import { proof } from '@/i18n/en/deal-links';
import { khata } from '@/i18n/en/khata';
import { print } from '@/i18n/en/print';
import { statement as statementTexts } from '@/i18n/en/statement';
import { bdt, centsFromWire, count, usd } from '@/lib/money';
import { checkQuery } from './queries';

type Fact = readonly [ReactNode, ReactNode];

export function UnknownPaper() {
  const t = useTexts(print);
  const tProof = useTexts(proof);
  return (
    <MissingPage title={t('unknown')} text={t('unknownText')}>
      <a href="/">{tProof('home')}</a>
    </MissingPage>
  );
}

/** What the paper must say, and how its deal stands. */
function useFacts(): (paper: CheckedPaper) => Fact[] {
  const t = useTexts(print);
  const tKhata = useTexts(khata);
  const tStatement = useTexts(statementTexts);
  const span = useSpan();
  const money = (wire: number) => usd(centsFromWire(wire));
  return ({ deal, deposit, statement }) => {
    if (deal) {
      return [
        [t('number'), deal.number],
        [t('buyer'), deal.buyer],
        [t('seller'), deal.seller],
        [t('paid'), fullMoment(deal.paidAt)],
        [t('price'), money(deal.price)],
        ...(deal.refund === null ? [] : [[t('refund'), money(deal.refund)] as const]),
        ...(deal.closedAt === null ? [] : [[t('closed'), fullMoment(deal.closedAt)] as const]),
        [t('status'), <StatusBadge key="status" status={deal.status} />],
      ];
    }
    if (deposit) {
      return [
        [t('number'), deposit.number],
        [t('user'), deposit.user],
        [t('method'), tKhata(`method.${deposit.paymentMethod}`)],
        [t('credited'), money(deposit.amount)],
        [t('sent'), bdt(centsFromWire(deposit.convertedAmount))],
        [t('creditedAt'), fullMoment(deposit.creditedAt)],
      ];
    }
    if (!statement) return [];
    const { from, to, kind, madeAt } = statement;
    return [
      [t('user'), statement.user],
      [t('period'), span(from, to === null ? null : Date.parse(to) - 1, madeAt)],
      ...(kind ? [[t('kind'), tStatement(`kind.${kind}`)] as const] : []),
      [tStatement('opening'), money(statement.opening)],
      [tStatement('in'), money(statement.in)],
      [tStatement('out'), usd(-centsFromWire(statement.out))],
      [tStatement('closing'), money(statement.closing)],
      [t('lines'), count(statement.count)],
      [t('madeAt'), fullMoment(madeAt)],
    ];
  };
}

/** /check/{code}: shows whoever has a receipt or statement what it must say. */
export function CheckPage({ code }: { code: string }) {
  const t = useTexts(print);
  const facts = useFacts();
  const { data: paper } = useQuery(checkQuery(code));
  if (!paper) return <UnknownPaper />;
  const operator = paper.operator.split(',', 1)[0] ?? '';
  return (
    <Page title={t('genuine')} className="wrap-anywhere">
      <div className="mx-auto grid w-full max-w-140 gap-8">
        <section className={`${CLOTH} p-5 xs:p-8`}>
          <h1 className="flex items-center gap-2 font-display text-display-md">
            <SealMark large />
            {t('genuine')}
          </h1>
          <p className="mt-3">{t(paper.statement ? 'genuine.statement' : 'genuine.receipt', { operator })}</p>
        </section>
        <Facts rows={facts(paper)} />
        <AddressNote path={`/check/${code}`} />
      </div>
    </Page>
  );
}
