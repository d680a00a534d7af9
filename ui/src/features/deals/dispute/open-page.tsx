import { useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import type { DealDetail, DealDispute } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { dealQuery } from '@/entities/deal/detail-query';
import { isRunning } from '@/entities/deal/dispute/running';
import { otherOf, sideOf } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useMe } from '@/entities/user/queries';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { isParty } from '../deal-view';
import { DisputeCrumbs } from './dispute-crumbs';
import { OpenForm } from './open-form';

const STEPS = ['open.next1', 'open.next2', 'open.next3', 'open.next4'] as const;

type OpenProps = { deal: DealDetail; onOpened: (dispute: DealDispute) => void };

function Opening({ deal, onOpened }: OpenProps) {
  const t = useTexts(catalogue);
  const side = sideOf(deal, useMe()._id);
  const name = otherOf(deal, side).username;
  return (
    <>
      <h1 className="font-display text-display-lg">{t('open.title')}</h1>
      <p className="mt-3 mb-8 max-w-measure text-lede text-muted-foreground">{t('open.lede', { name })}</p>
      {isOpen(deal.status) ? (
        <div className={COLUMNS}>
          <OpenForm deal={deal} side={side} onOpened={onOpened} />
          <Section title={t('open.next')} size="small">
            <ol className="mt-2 grid list-decimal gap-3 pl-6 text-muted-foreground [:lang(bn)_&]:list-[bengali]">
              {STEPS.map((step) => (
                <li key={step}>{t(step, { name })}</li>
              ))}
            </ol>
          </Section>
        </div>
      ) : (
        <Note kind="info">{t('open.notHere')}</Note>
      )}
    </>
  );
}

/** /deal/{id}/dispute: opens a dispute, or leads to the running one. */
export function OpenDisputePage({ id }: { id: string }) {
  const t = useTexts(catalogue);
  const me = useMe();
  const titleOf = useDealTitle();
  const navigate = useNavigate();
  const here = useStillHere();
  const { data: deal } = useSuspenseQuery(dealQuery(id));
  const { dispute } = deal;
  if (!isParty(deal, me)) return <Navigate to="/admin/deals" search={{ dealId: id, review: id }} replace />;
  if (dispute && isRunning(dispute.status)) return <Navigate to="/disputes/$id" params={{ id: dispute._id }} replace />;
  const onOpened = ({ _id }: DealDispute) => {
    if (here()) void navigate({ to: '/disputes/$id', params: { id: _id }, replace: true });
  };
  return (
    <Page title={t('page', { title: titleOf(deal) })} className="wrap-anywhere">
      <DisputeCrumbs dealId={id} title={titleOf(deal)} />
      <Opening deal={deal} onOpened={onOpened} />
    </Page>
  );
}
