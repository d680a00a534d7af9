import type { ComponentProps, ReactNode } from 'react';
import { PendingButton } from '@/components/pending-button';
import {
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog';
import { SplitFacts } from '@/entities/deal/dispute/split-facts';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { type RoomView, sharesOf } from './room-view';
import type { Asked, DisputeActions } from './use-dispute-actions';

type ButtonProps = Pick<ComponentProps<typeof PendingButton>, 'variant' | 'pending' | 'onClick'> & { children: string };
type QuestionProps = { title: string; text: string; details?: ReactNode; act: ButtonProps; money?: boolean };

function Question({ title, text, details, act, money = false }: QuestionProps) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  return (
    <AlertDialogContent className="xs:w-120">
      <AlertDialogHeader>
        <AlertDialogTitle>{title}</AlertDialogTitle>
        <AlertDialogDescription>{text}</AlertDialogDescription>
      </AlertDialogHeader>
      {details ? <div className="mt-4">{details}</div> : null}
      <AlertDialogFooter className="mt-5 gap-2 max-xs:*:flex-auto">
        <PendingButton
          size={act.variant === 'seal' ? 'sm' : 'default'}
          pendingText={tCommon(money ? 'processing' : 'sending')}
          {...act}
        />
        <AlertDialogCancel>{t('ask.no')}</AlertDialogCancel>
      </AlertDialogFooter>
    </AlertDialogContent>
  );
}

type Props = { view: RoomView; actions: DisputeActions };

function AcceptOffer({ view, actions, asked }: Props & { asked: Extract<Asked, { offer: unknown }> }) {
  const t = useTexts(catalogue);
  const { own, split } = sharesOf(asked.offer, view.side);
  return (
    <Question
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

export function DisputeQuestion({ view, actions }: Props) {
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
          title={t('ask.close')}
          text={t('ask.closeText')}
          act={{ variant: 'default', pending: end.isPending, onClick: () => end.mutate(view.dispute._id), children: t('close') }}
        />
      );
    default:
      return null;
  }
}
