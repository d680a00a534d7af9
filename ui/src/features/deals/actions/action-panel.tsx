import { Link } from '@tanstack/react-router';
import { MessageSquareText, Star } from 'lucide-react';
import { type Ref, useId } from 'react';
import { Note } from '@/components/note';
import { Button } from '@/components/ui/button';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { disputeTurnOf, isMostlyRefunded, isOwnTurn } from '@/entities/deal/rules';
import { isOpen } from '@/entities/deal/status';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { disputeBanner, review, trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { CounterofferPanel, ProposeButton } from '../counteroffer/counteroffer-card';
import { type DealView, mayPay } from '../deal-view';
import { FormerDispute, ToDispute } from '../dispute/dispute-banner';
import { mayReview } from '../review/use-review';
import { TroubleButton } from '../trouble/trouble-button';
import { Deadline } from './deadline';
import { allowedActions } from './deal-actions';
import { isChecked, PayPanel, useFunds } from './pay-panel';
import { ActionButton, ButtonStack, type DealActions } from './use-deal-actions';

type Props = { view: DealView; actions: DealActions };

function Help({ children }: { children: string }) {
  return <p className="text-sm text-muted-foreground">{children}</p>;
}

/** The seller accepts or declines. Delivering a paid deal accepts it, too. */
function AcceptPanel({ view, actions }: Props) {
  const t = useTexts(deals);
  const paid = isOpen(view.deal.status);
  return (
    <>
      <ButtonStack>
        <ActionButton action="agree" primary view={view} actions={actions} className="w-full" />
        {paid ? <ActionButton action="deliver" variant="outline" view={view} actions={actions} className="w-full" /> : null}
        <ProposeButton view={view} actions={actions} />
        <ActionButton action={paid ? 'giveBack' : 'remove'} variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
      <Help>{t(paid ? 'move.agreePaid' : 'move.agree')}</Help>
    </>
  );
}

function Answer({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <>
      <p className="text-muted-foreground">{t('move.answer', { name: view.other.username, back: usd(view.back) })}</p>
      <ButtonStack>
        <ActionButton action="accept" primary view={view} actions={actions} className="w-full" />
        <ActionButton action="refuse" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
    </>
  );
}

/** The buyer can release at any time, leave a late deal, and ask for changes of a delivery. */
function ReleasePanel({ view, actions }: Props) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const tDisputeBanner = useTexts(disputeBanner);
  const checks = view.move === 'check';
  const help = () => {
    if (view.disputeId !== null && !view.leavable) return tDisputeBanner('releaseText');
    if (checks) return t('move.check');
    if (view.move === 'waitAnswer') return tTrouble('move.waitAnswer', { name: view.other.username, back: usd(view.back) });
    return t('move.waitDelivery');
  };
  return (
    <>
      <ButtonStack>
        {view.move === 'receive' ? (
          <ActionButton action="arrived" primary view={view} actions={actions} className="w-full" />
        ) : null}
        {view.leavable ? <ActionButton action="leave" view={view} actions={actions} className="w-full" /> : null}
        <ActionButton
          action="release"
          variant={checks ? 'seal' : 'outline'}
          primary={checks}
          view={view}
          actions={actions}
          className="w-full"
        />
        {allowedActions(view).includes('reset') ? (
          <ActionButton action="reset" variant="outline" view={view} actions={actions} className="w-full" />
        ) : null}
      </ButtonStack>
      <Help>{help()}</Help>
    </>
  );
}

/** Nobody could deliver after a payment. */
function NotPayable({ view, actions }: Props) {
  const t = useTexts(trouble);
  return (
    <>
      <Note kind="wait" className="mt-4">
        {t('move.notPayable', { name: view.other.username })}
      </Note>
      <ButtonStack>
        <ActionButton action="remove" variant="outline" view={view} actions={actions} className="w-full" />
      </ButtonStack>
    </>
  );
}

/** On a completed deal: the way to the review, that it was given, or why there is none. */
function ReviewPrompt({ view, onReview }: { view: DealView; onReview: () => void }) {
  const t = useTexts(review);
  const name = view.other.username;
  if (!mayReview(view)) {
    const why = view.deal.reviewGiven ? 'given' : isMostlyRefunded(view.deal) ? 'refunded' : 'never';
    return <p className="mt-4 text-sm text-muted-foreground">{t(why, { name })}</p>;
  }
  return (
    <>
      <ButtonStack data-slot="review-place">
        <Button variant="outline" onClick={onReview} className="w-full">
          <Star aria-hidden="true" />
          {t('open', { name })}
        </Button>
      </ButtonStack>
      <p className="text-sm text-muted-foreground">{t('why', { name })}</p>
    </>
  );
}

function BalanceLink() {
  const t = useTexts(deals);
  return (
    <ButtonStack>
      <Button variant="outline" asChild className="w-full">
        <Link to="/balance">{t('move.toBalance')}</Link>
      </Button>
    </ButtonStack>
  );
}

/** What is left to do: the review, or a look at the money that has arrived. */
function ClosedPanel({ view, onReview }: { view: DealView; onReview: () => void }) {
  const { deal, side } = view;
  const completed = deal.status === 'Completed';
  if (completed && side === 'buyer') return <ReviewPrompt view={view} onReview={onReview} />;
  const arrived = completed || (side === 'buyer' && deal.refund !== null);
  return arrived ? <BalanceLink /> : null;
}

function Body({ view, actions, onReview }: Props & { onReview: () => void }) {
  switch (view.move) {
    case 'agree':
      return <AcceptPanel view={view} actions={actions} />;
    case 'waitAgree':
      return view.deal.status === 'Pending' ? (
        <PayPanel view={view} actions={actions} />
      ) : (
        <ReleasePanel view={view} actions={actions} />
      );
    case 'pay':
      return <PayPanel view={view} actions={actions} />;
    case 'blocked':
      return <NotPayable view={view} actions={actions} />;
    case 'waitPay':
      return (
        <ButtonStack>
          <ProposeButton view={view} actions={actions} />
          <ActionButton action="remove" variant="outline" view={view} actions={actions} className="w-full" />
        </ButtonStack>
      );
    case 'answerCounter':
    case 'waitCounter':
      return <CounterofferPanel view={view} actions={actions} />;
    case 'deliver':
      return (
        <ButtonStack>
          <ActionButton action="deliver" primary view={view} actions={actions} className="w-full" />
        </ButtonStack>
      );
    case 'answer':
      if (view.ruled) return null;
      return <Answer view={view} actions={actions} />;
    case 'waitDelivery':
    case 'waitAnswer':
    case 'receive':
    case 'check':
      return <ReleasePanel view={view} actions={actions} />;
    case 'waitArrival':
    case 'waitCheck':
      return null;
    case 'closed':
      return <ClosedPanel view={view} onReview={onReview} />;
  }
}

function Declined({ view: { deal, side } }: { view: DealView }) {
  const t = useTexts(trouble);
  if (side === 'seller' || !isOpen(deal.status) || !deal.cancellationDeclined) return null;
  return (
    <Note kind="info" className="mt-4">
      {t('declined')}
    </Note>
  );
}

function useTitle(view: DealView): string {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const { deal, side, move, next, other } = view;
  const funds = useFunds(view);
  if (move === 'closed') return t('move.done');
  if (mayPay(view) && isChecked(funds)) return t('move.checking');
  if (isOwnTurn(next) || mayPay(view) || disputeTurnOf(deal, side) !== null) return t('move.yours');
  if (view.disputeId !== null) return tTrouble('flag.disputed');
  if (next === 'blocked' || next === 'held') return t('move.held');
  return next === 'paused' ? tTrouble('flag.escalated') : t('move.theirs', { name: other.username });
}

/** Opens the conversation of the parties; a new one starts with a greeting that names the deal. */
function MessageButton({ view: { deal, other } }: { view: DealView }) {
  const t = useTexts(chat);
  const { start, pending } = useStartChat();
  // Nobody reads it any more. The inbox has the old messages.
  if (other.closed) return null;
  return (
    <Button
      variant="link"
      aria-disabled={pending || undefined}
      onClick={() => start({ receiverId: other._id, dealId: deal._id })}
    >
      <MessageSquareText className="size-4" aria-hidden="true" />
      {t('messageOther', { name: other.username })}
    </Button>
  );
}

/** "Your turn": what the reader can do now. One action stands out; on a phone it is in the bar. */
export function ActionPanel({
  view,
  actions,
  onReview,
  headingRef,
}: Props & { onReview: () => void; headingRef: Ref<HTMLHeadingElement> }) {
  const t = useTexts(deals);
  const id = useId();
  const title = useTitle(view);
  const { dispute } = view.deal;
  return (
    <section
      className="min-w-0 border-t-2 border-foreground pt-3 [&>[data-slot=clock]+p]:mt-3 [&>h2+p]:mt-2"
      aria-labelledby={id}
    >
      <h2 className="font-display text-display-sm focus:outline-none" id={id} ref={headingRef} tabIndex={-1}>
        {title}
      </h2>
      {view.deal.operation && view.side === 'seller' ? (
        <Note kind="wait" className="mt-4">
          {t('move.processing')}
        </Note>
      ) : null}
      <ToDispute view={view} className="mt-4 w-full" />
      <Declined view={view} />
      <Deadline view={view} />
      <Body view={view} actions={actions} onReview={onReview} />
      {dispute && view.disputeId === null ? <FormerDispute id={dispute._id} /> : null}
      <div className="mt-2 flex flex-wrap gap-x-6">
        <TroubleButton view={view} actions={actions} />
        <MessageButton view={view} />
      </div>
    </section>
  );
}
