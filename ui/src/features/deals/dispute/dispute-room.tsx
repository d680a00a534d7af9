import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import { DisputeAppeal, DisputeDecision } from '@/entities/deal/dispute/decision-parts';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { DisputeBadge } from '@/entities/deal/dispute/status';
import { DisputeThread } from '@/entities/deal/dispute/thread';
import { isOpen } from '@/entities/deal/status';
import { useMe } from '@/entities/user/queries';
import { useLatePart } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { dispute as catalogue } from '@/i18n/en/dispute';
import { disputeRoom } from '@/i18n/en/dispute-room';
import { preload } from '@/lib/prefetch';
import { formatTime } from '@/lib/time';
import { AnswerForm } from './answer-form';
import { DisputeCrumbs } from './dispute-crumbs';
import { MessageForm } from './message-form';
import { OffersPanel } from './offers-panel';
import { useRoomSentence } from './room-sentence';
import { ANSWER, owesAnswer, type RoomView, roomViewOf } from './room-view';
import { CloseDispute, TurnPanel } from './turn-panel';
import { useDisputeActions } from './use-dispute-actions';

const loadDialogs = () => import('./dispute-dialogs');

function Head({ view }: { view: RoomView }) {
  const t = useTexts(catalogue);
  const tDisputeRoom = useTexts(disputeRoom);
  const { dispute, opener, other } = view;
  const sentence = useRoomSentence(view);
  const when = formatTime(dispute.createdAt, 'moment');
  return (
    <div className="mb-8 grid gap-3">
      <h1 className="font-display text-display-lg">{t('title')}</h1>
      <p className="order-3 max-w-[76ch] text-lede" role="status" aria-live="polite">
        {sentence}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <DisputeBadge status={dispute.status} />
        <span className="font-semibold">{tDisputeRoom(`reason.${dispute.reason}`)}</span>
        <span className="text-sm text-muted-foreground">
          {opener ? t('openedByYou', { when }) : t('openedBy', { name: other, when })}
        </span>
      </div>
    </div>
  );
}

/** The dispute is over but the deal is not, so another may be opened. */
function Again({ view: { dispute, running } }: { view: RoomView }) {
  const t = useTexts(catalogue);
  if (running || !isOpen(dispute.deal.status)) return null;
  return (
    <Button variant="outline" asChild>
      <Link to="/deal/$dealId/dispute" params={{ dealId: dispute.deal._id }}>
        {t('open.again')}
      </Link>
    </Button>
  );
}

function Room({ view }: { view: RoomView }) {
  const t = useTexts(catalogue);
  const actions = useDisputeActions(view.dispute, view.side);
  const { dispute, running, names, side } = view;
  useEffect(() => {
    if (running) preload(loadDialogs);
  }, [running]);
  const dialogs = useLatePart(loadDialogs, actions.asked !== null, actions.close);
  const asked = owesAnswer(view);
  return (
    <>
      <Head view={view} />
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start">
        <aside className="grid min-w-0 content-start gap-8 lg:order-2" aria-label={t('aside')}>
          <TurnPanel view={view} actions={actions} />
          <DisputeDecision dispute={dispute} names={names} />
          <DisputeAppeal dispute={dispute} />
          {running ? <OffersPanel view={view} actions={actions} /> : null}
          <CloseDispute view={view} actions={actions} />
          <Again view={view} />
        </aside>
        <div className="grid min-w-0 content-start gap-10">
          <DisputeThread dispute={dispute} names={names} me={dispute[side]._id} />
          {asked ? (
            <div id={ANSWER} className="scroll-mt-20">
              <AnswerForm dispute={dispute} />
            </div>
          ) : null}
          {running && !asked ? <MessageForm dispute={dispute} /> : null}
        </div>
      </div>
      {dialogs ? <dialogs.Part view={view} actions={actions} /> : null}
    </>
  );
}

/** /disputes/{id}: a dispute for its parties. Admins have their own page. */
export function DisputePage({ id }: { id: string }) {
  const t = useTexts(catalogue);
  const me = useMe()._id;
  const { data: dispute } = useSuspenseQuery(disputeQuery(id));
  if (dispute.buyer._id !== me && dispute.seller._id !== me) {
    return <Navigate to="/admin/disputes" search={{ review: id }} replace />;
  }
  const { _id: dealId, title } = dispute.deal;
  return (
    <Page title={t('page', { title })} className="wrap-anywhere [&_dd]:whitespace-nowrap">
      <DisputeCrumbs dealId={dealId} title={title || t('toDeal')} />
      <Room view={roomViewOf(dispute, me)} />
    </Page>
  );
}
