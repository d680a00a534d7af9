import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import type { DealDetail, DealDispute, DisputeReason } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { COLUMNS, STACK } from '@/components/classes';
import { Crumbs } from '@/components/crumbs';
import { Failure } from '@/components/failure';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { dealQuery } from '@/entities/deal/queries';
import { otherOf, type Side, sideOf } from '@/entities/deal/rules';
import { isOpen, isRunning } from '@/entities/deal/status';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { type Key, useTexts } from '@/i18n';
import { dispute as catalogue, disputeRoom } from '@/i18n/en/disputes';
import { cn } from '@/lib/cn';
import { isParty } from '../deal-view';
import { MAX_PICTURES } from '../delivery/attachments';
import { DeliveryPictures } from '../delivery/delivery-pictures';
import { answerRules, LinksField, linksOf, TextField, useEvidence } from './evidence-forms';
import { openDispute, useDisputeCall } from './use-dispute-actions';

const REASONS: Record<Side, readonly DisputeReason[]> = {
  buyer: ['not_delivered', 'not_as_agreed', 'broken', 'access_taken', 'other'],
  seller: ['not_released', 'asks_more', 'abuse', 'other'],
};

const MISSING: Key<typeof catalogue> = 'reason.missing';

const openSchema = z.object({ reason: z.string().check(z.minLength(1, MISSING)), ...answerRules });

type OpenFormProps = { deal: DealDetail; side: Side; onOpened: (dispute: DealDispute) => void };

function OpenForm({ deal, side, onOpened }: OpenFormProps) {
  const t = useTexts(catalogue);
  const tDisputeRoom = useTexts(disputeRoom);
  const mutation = useDisputeCall<Parameters<typeof openDispute>[1]>({
    call: (body, key) => openDispute(deal._id, body, key),
    success: 'toast.opened',
    failure: 'toast.openFailed',
    onDone: onOpened,
  });
  const { pictures, draft } = useEvidence('open', deal._id, mutation.error);
  const { form, submit, errorOf } = useDraftForm({
    schema: openSchema,
    t,
    empty: { reason: '', text: '', links: '' },
    draft,
    mutation,
    onSubmit: ({ reason, text, links }) => {
      const ids = pictures.take();
      if (ids === null) return undefined;
      return mutation.mutateAsync({ reason: reason as DisputeReason, text, links: linksOf(links), pictures: ids });
    },
  });
  const { control } = form;
  return (
    <form className={cn(STACK, 'max-w-160 gap-6')} noValidate onSubmit={submit} {...pictures.handlers}>
      <ChoiceGroup legend={t('reason')} error={errorOf('reason')}>
        {REASONS[side].map((reason) => (
          <Choice key={reason} value={reason} {...form.register('reason')} label={tDisputeRoom(`reason.${reason}`)} />
        ))}
      </ChoiceGroup>
      <TextField control={control} rows={7} label={t('text')} help={t('textHelp')} error={errorOf('text')} />
      <DeliveryPictures {...pictures.field} help={t('picturesHelp', { most: MAX_PICTURES })} />
      <LinksField control={control} error={errorOf('links')} />
      <Failure error={mutation.error} fallback={t('toast.openFailed')} />
      <PendingButton type="submit" size="lg" className="justify-self-start" pending={mutation.isPending}>
        {t('open')}
      </PendingButton>
    </form>
  );
}

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
      <Crumbs
        label={t('toDeal')}
        links={[
          <Link to="/deal/$dealId" params={{ dealId: id }}>
            {titleOf(deal)}
          </Link>,
        ]}
        page={t('title')}
      />
      <Opening deal={deal} onOpened={onOpened} />
    </Page>
  );
}
