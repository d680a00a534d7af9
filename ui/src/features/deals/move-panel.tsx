import { Link } from '@tanstack/react-router';
import { type ReactNode, type Ref, useId } from 'react';
import { Clock, DueText } from '@/components/khata/clock';
import { Note } from '@/components/khata/note';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { formatTime, useNow } from '@/lib/time';
import { ActionButton } from './action-button';
import type { DealActions } from './actions';
import { type DealView, isOwnMove } from './deal';
import { PayMove } from './pay-move';

type Props = { view: DealView; actions: DealActions };

/** Until the delivery the clock runs; bad data are said in SPEC's words. */
function DueClock({ view: { deal } }: { view: DealView }) {
  const t = useTexts(deals);
  const now = useNow();
  if (!(deal.deliveryDuration > 0)) return <DueText dueAt={deal.dueAt} deliveryDuration={deal.deliveryDuration} />;
  const past = Date.parse(deal.dueAt) <= now;
  return <Clock until={deal.dueAt} label={t(past ? 'move.delivery' : 'move.dueIn')} />;
}

/** What happens when nobody does anything, and when: the deal's clock. */
function ByItself({ view: { deal, price } }: { view: DealView }) {
  const t = useTexts(deals);
  if (deal.frozen) return <p className="t14 m">{t('clock.frozen')}</p>;
  if (deal.escalated) return <p className="t14 m">{t('clock.escalated')}</p>;
  if (deal.nextAction === null || deal.nextActionAt === null) return null;
  const when = formatTime(deal.nextActionAt, 'long');
  return <p className="t14 m">{t(`clock.${deal.nextAction}`, { when, sum: usd(price) })}</p>;
}

function Buttons({ children }: { children: ReactNode }) {
  return <div className="stack g2 act__btns">{children}</div>;
}

function Closed({ view: { deal, side, payout } }: { view: DealView }) {
  const t = useTexts(deals);
  const when = deal.closedAt === null ? '' : formatTime(deal.closedAt, 'long');
  if (deal.status !== 'Completed') return <p className="m">{t('move.cancelled', { when })}</p>;
  if (side === 'buyer') return <p className="m">{t('move.doneBuyer', { when })}</p>;
  return (
    <>
      <p className="m">{t('move.doneSeller', { payout: usd(payout), when })}</p>
      <Buttons>
        <Button variant="line" wide asChild>
          <Link to="/balance">{t('move.toBalance')}</Link>
        </Button>
      </Buttons>
    </>
  );
}

function Body({ view, actions }: Props) {
  const t = useTexts(deals);
  const name = view.other.username;
  switch (view.move) {
    case 'pay':
      return <PayMove view={view} actions={actions} />;
    case 'waitPay':
      return (
        <>
          <p className="m">{t('move.waitPay', { name })}</p>
          <Buttons>
            <ActionButton action="remove" variant="line" wide view={view} actions={actions} />
          </Buttons>
        </>
      );
    case 'deliver':
      return (
        <>
          <DueClock view={view} />
          <Buttons>
            <ActionButton action="deliver" variant="ink" wide primary view={view} actions={actions} />
          </Buttons>
          <p className="t14 m">{t('move.deliver', { name })}</p>
        </>
      );
    case 'waitDelivery':
      return (
        <>
          <DueClock view={view} />
          <Buttons>
            <ActionButton action="release" variant="line" wide view={view} actions={actions} />
          </Buttons>
          <p className="t14 m">{t('move.waitDelivery', { name })}</p>
        </>
      );
    case 'check':
      return (
        <>
          <p className="m">{t('move.check', { name })}</p>
          <Buttons>
            <ActionButton action="release" variant="seal" wide primary view={view} actions={actions} />
          </Buttons>
        </>
      );
    case 'waitCheck':
      return <p className="m">{t('move.waitCheck', { name, payout: usd(view.payout) })}</p>;
    case 'closed':
      return <Closed view={view} />;
  }
}

/** "Your move": what this side can do now; one action stands out, and on a phone it is in the bar at the bottom. */
export function MovePanel({ view, actions, headingRef }: Props & { headingRef: Ref<HTMLHeadingElement> }) {
  const t = useTexts(deals);
  const id = useId();
  const title = () => {
    if (view.move === 'closed') return t('move.done');
    return isOwnMove(view.move) ? t('move.yours') : t('move.theirs', { name: view.other.username });
  };
  return (
    <section className="sec o2" aria-labelledby={id}>
      <h2 className="d24 movehead" id={id} ref={headingRef} tabIndex={-1}>
        {title()}
      </h2>
      {view.deal.operation && view.side === 'seller' ? (
        <Note kind="wait" className="mt">
          {t('move.processing')}
        </Note>
      ) : null}
      <Body view={view} actions={actions} />
      <ByItself view={view} />
    </section>
  );
}
