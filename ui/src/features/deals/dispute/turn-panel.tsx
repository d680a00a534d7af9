import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { DisputeOffer } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { SplitFacts } from '@/entities/deal/dispute/split';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dispute as catalogue, disputeRoom } from '@/i18n/en/disputes';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { Countdown } from '../countdown';
import { ANSWER, owesAnswer, type RoomView, sharesOf } from './room-view';
import { type DisputeActions, mayAccept } from './use-dispute-actions';

type Props = { view: RoomView; actions: DisputeActions };

/** The deadline of the answer; a late one is still possible. */
function AnswerClock({ view: { dispute, opener, other } }: { view: RoomView }) {
  const t = useTexts(catalogue);
  const late = Date.parse(dispute.answerDueAt) <= useNow();
  if (dispute.status !== 'open' || dispute.answeredAt !== null) return null;
  if (late) {
    return (
      <Note kind="wait" className="mt-4" title={t('clock.late')}>
        {t('clock.lateText')}
      </Note>
    );
  }
  return (
    <Countdown
      until={dispute.answerDueAt}
      label={opener ? t('clock.waitAnswer', { name: other }) : t('clock.answer')}
      small={opener}
    />
  );
}

/** When the decision is executed without an appeal. It is earlier if both accept. */
function DecisionClock({ view: { dispute } }: { view: RoomView }) {
  const t = useTexts(catalogue);
  const { decision, status } = dispute;
  if (status !== 'decided' || decision?.carriedOutAt !== null || dispute.operation) return null;
  return <Countdown until={decision.dueAt} label={t('clock.decision')} past={t('clock.now')} />;
}

function DecisionButtons({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const { dispute, side } = view;
  const accepts = mayAccept(dispute, side);
  if (!accepts && !dispute.canAppeal) return null;
  return (
    <div className="mt-4 grid gap-2">
      {accepts ? (
        <PendingButton
          className="w-full"
          pending={actions.paying}
          pendingText={tCommon('processing')}
          disabled={actions.anyBusy && !actions.paying}
          onClick={() => actions.ask({ what: 'acceptDecision' })}
        >
          {t('decision.accept')}
        </PendingButton>
      ) : null}
      {dispute.canAppeal ? (
        <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask({ what: 'appeal' })}>
          {t('decision.appeal')}
        </Button>
      ) : null}
    </div>
  );
}

type OfferProps = Props & { offer: DisputeOffer };

export function AcceptOffer({ view, actions, offer, className }: OfferProps & { className: string }) {
  const t = useTexts(catalogue);
  const tCommon = useTexts(common);
  const { own } = sharesOf(offer, view.side);
  return (
    <PendingButton
      variant="seal"
      className={className}
      pending={actions.paying}
      pendingText={tCommon('processing')}
      disabled={actions.anyBusy && !actions.paying}
      onClick={() => actions.ask({ what: 'acceptOffer', offer })}
    >
      {own > 0 ? t('offer.accept', { sum: usd(own) }) : t('offer.acceptNothing')}
    </PendingButton>
  );
}

/** The other party's open offer. With `inBar`, a phone has its button in the bar alone. */
export function Theirs({ view, actions, offer, inBar = false }: OfferProps & { inBar?: boolean }) {
  const t = useTexts(catalogue);
  return (
    <div className="mt-2 grid gap-3">
      <h3 className="font-semibold">{t('offer.theirs', { name: view.other })}</h3>
      <SplitFacts split={sharesOf(offer, view.side).split} names={view.names} />
      <AcceptOffer view={view} actions={actions} offer={offer} className={cn('w-full', inBar && 'max-lg:hidden')} />
    </div>
  );
}

/** Links to the answer's form, which is far below on a phone. */
function ToAnswer({ view }: { view: RoomView }) {
  const t = useTexts(catalogue);
  if (!owesAnswer(view)) return null;
  return (
    <Button asChild variant={view.turn === 'answer' ? 'default' : 'outline'} className="mt-4 w-full">
      <Link to="/disputes/$id" params={{ id: view.dispute._id }} hash={ANSWER} replace>
        {t('answerWrite')}
      </Link>
    </Button>
  );
}

function Expected({ view: { dispute } }: { view: RoomView }) {
  const t = useTexts(catalogue);
  const waits = dispute.status === 'open' || dispute.status === 'appealed';
  if (!waits || dispute.expectedBy === null) return null;
  return (
    <p className="mt-3 text-sm text-muted-foreground">{t('expected', { when: formatTime(dispute.expectedBy, 'moment') })}</p>
  );
}

export function TurnPanel({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const tDisputeRoom = useTexts(disputeRoom);
  const id = useId();
  return (
    <section className="min-w-0 border-t-2 border-foreground pt-3" aria-labelledby={id}>
      <h2 className="font-display text-display-sm" id={id}>
        {view.turn === 'over' ? tDisputeRoom(`status.${view.dispute.status}`) : t(`turn.${view.turn}`, { name: view.other })}
      </h2>
      {view.turn === 'offer' && view.theirs ? <Theirs view={view} actions={actions} offer={view.theirs} inBar /> : null}
      <AnswerClock view={view} />
      <DecisionClock view={view} />
      <DecisionButtons view={view} actions={actions} />
      <ToAnswer view={view} />
      <Expected view={view} />
    </section>
  );
}

/** The opener may close the dispute, which moves no money. */
export function CloseDispute({ view, actions }: Props) {
  const t = useTexts(catalogue);
  if (!view.opener || view.dispute.status !== 'open') return null;
  return (
    <div className="grid gap-2">
      <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask({ what: 'close' })}>
        {t('close')}
      </Button>
      <p className="text-sm text-muted-foreground">{t('closeHelp')}</p>
    </div>
  );
}
