import type { ComponentProps, ReactNode } from 'react';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { FormFooter } from '@/components/form-footer';
import { PendingButton } from '@/components/pending-button';
import { Dialog } from '@/components/ui/dialog';
import { SplitFacts } from '@/entities/deal/dispute/split';
import { SplitField, splitRule, typedCents } from '@/entities/deal/dispute/split-field';
import { useMe } from '@/entities/user/queries';
import { isUnconfirmed } from '@/entities/user/second-factor/confirmation';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute as catalogue, disputeRoom } from '@/i18n/en/disputes';
import { parseCents } from '@/lib/amount';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { centsFromWire, centsToWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { appealSchema, TextField } from './evidence-forms';
import { type RoomView, sharesOf } from './room-view';
import type { Asked, DisputeActions } from './use-dispute-actions';

type Props = { view: RoomView; actions: DisputeActions };

type ButtonProps = Pick<ComponentProps<typeof PendingButton>, 'variant' | 'pending' | 'onClick'> & { children: string };
type QuestionProps = { title: string; text: string; details?: ReactNode; act: ButtonProps; money?: boolean; onClose: () => void };

function Question({ title, text, details, act, money = false, onClose }: QuestionProps) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      text={text}
      action={
        <PendingButton
          size={act.variant === 'seal' ? 'sm' : 'default'}
          pendingText={tCommon(money ? 'processing' : 'sending')}
          {...act}
        />
      }
      cancel={t('ask.no')}
    >
      {details}
    </ConfirmDialog>
  );
}

function AcceptOffer({ view, actions, asked }: Props & { asked: Extract<Asked, { offer: unknown }> }) {
  const t = useTexts(catalogue);
  const { own, split } = sharesOf(asked.offer, view.side);
  return (
    <Question
      onClose={actions.close}
      title={t('ask.acceptOffer')}
      text={t('ask.acceptOfferText')}
      details={<SplitFacts split={split} names={view.names} price={view.price} />}
      money
      act={{
        variant: 'seal',
        pending: actions.accept.isPending,
        onClick: () => actions.accept.run({ offerId: asked.offer._id }),
        children: own > 0 ? t('offer.accept', { sum: usd(own) }) : t('offer.acceptNothing'),
      }}
    />
  );
}

function AcceptDecision({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const { decision } = view.dispute;
  if (decision === null) return null;
  const other = view.side === 'buyer' ? decision.acceptedBySeller : decision.acceptedByBuyer;
  const params = { name: view.other, when: formatTime(decision.dueAt, 'long') };
  return (
    <Question
      onClose={actions.close}
      title={t('ask.acceptDecision')}
      text={other ? t('ask.acceptDecisionNow', params) : t('ask.acceptDecisionText', params)}
      details={<SplitFacts split={sharesOf(decision, view.side).split} names={view.names} price={view.price} />}
      money={other}
      act={{
        variant: other ? 'seal' : 'default',
        pending: actions.accept.isPending,
        onClick: () => actions.accept.run('decision'),
        children: t('decision.accept'),
      }}
    />
  );
}

function DisputeQuestion({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const { asked, withdraw, end } = actions;
  switch (asked?.what) {
    case 'acceptOffer':
      return <AcceptOffer view={view} actions={actions} asked={asked} />;
    case 'acceptDecision':
      return <AcceptDecision view={view} actions={actions} />;
    case 'withdraw':
      return (
        <Question
          onClose={actions.close}
          title={t('ask.withdraw')}
          text={t('ask.withdrawText', { name: view.other })}
          act={{
            variant: 'destructive',
            pending: withdraw.isPending,
            onClick: () => withdraw.mutate(asked.offer._id),
            children: t('offer.withdraw'),
          }}
        />
      );
    case 'close':
      return (
        <Question
          onClose={actions.close}
          title={t('ask.close')}
          text={t('ask.closeText')}
          act={{ variant: 'default', pending: end.isPending, onClick: () => end.mutate(view.dispute._id), children: t('close') }}
        />
      );
    default:
      return null;
  }
}

/** The form of a split. Starts with the own offer, else the other party's, else halves. */
function OfferDialog({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const tDisputeRoom = useTexts(disputeRoom);
  const me = useMe();
  const { dispute, price, names, other, own, theirs } = view;
  const before = own ?? theirs;
  const { form, submit, errorOf } = useDraftForm({
    schema: z.object({ buyerGets: splitRule(price) }),
    t: tDisputeRoom,
    empty: { buyerGets: typedCents(before ? centsFromWire(before.buyerGets) : Math.round(price / 2)) },
    draft: textDraft(`dispute-offer:${me._id}:${dispute._id}`),
    mutation: actions.offer,
    onSubmit: ({ buyerGets }) => actions.offer.mutateAsync(centsToWire(parseCents(buyerGets) ?? 0)),
  });
  return (
    <DialogPanel title={t('offer.title')} description={t('offer.text', { name: other })} className="xs:w-120">
      <form className={cn(STACK, 'mt-4 gap-5')} noValidate onSubmit={submit}>
        <SplitField control={form.control} name="buyerGets" price={price} names={names} error={errorOf('buyerGets')} />
        <Failure error={isUnconfirmed(actions.offer.error) ? null : actions.offer.error} fallback={t('toast.offerFailed')} />
        <FormFooter pending={actions.offer.isPending} cancel={t('ask.no')} onCancel={actions.close}>
          {t('offer.send')}
        </FormFooter>
      </form>
    </DialogPanel>
  );
}

function AppealDialog({ view, actions }: { view: RoomView; actions: DisputeActions }) {
  const t = useTexts(catalogue);
  const me = useMe();
  const { form, submit, errorOf } = useDraftForm({
    schema: appealSchema,
    t,
    empty: { text: '' },
    draft: textDraft(`dispute-appeal:${me._id}:${view.dispute._id}`),
    mutation: actions.appeal,
    onSubmit: ({ text }) => actions.appeal.mutateAsync(text),
  });
  return (
    <DialogPanel title={t('appeal.title')} description={t('appeal.lede')} className="xs:w-120">
      <form className={cn(STACK, 'mt-4 gap-5')} noValidate onSubmit={submit}>
        <TextField
          control={form.control}
          label={t('appeal.label')}
          help={t('appeal.help', { name: view.other })}
          error={errorOf('text')}
        />
        <Failure error={actions.appeal.error} fallback={t('toast.appealFailed')} />
        <FormFooter pending={actions.appeal.isPending} cancel={t('ask.no')} onCancel={actions.close}>
          {t('appeal.send')}
        </FormFooter>
      </form>
    </DialogPanel>
  );
}

export default function DisputeDialogs({ view, actions }: { view: RoomView; actions: DisputeActions }) {
  const { asked, close } = actions;
  const form = asked?.what === 'offer' || asked?.what === 'appeal' ? asked.what : null;
  return (
    <>
      <DisputeQuestion view={view} actions={actions} />
      <Dialog open={form !== null} onOpenChange={(open) => (open ? null : close())}>
        {form === 'offer' ? <OfferDialog view={view} actions={actions} /> : null}
        {form === 'appeal' ? <AppealDialog view={view} actions={actions} /> : null}
      </Dialog>
    </>
  );
}
