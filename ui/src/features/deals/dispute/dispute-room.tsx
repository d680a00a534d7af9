import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { Handshake } from 'lucide-react';
import { useEffect } from 'react';
import type { DisputeOffer } from '@/api/contract';
import { Crumbs } from '@/components/crumbs';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { disputeQuery } from '@/entities/deal/dispute/queries';
import { DisputeAppeal, DisputeDecision, SplitFacts } from '@/entities/deal/dispute/split';
import { DisputeBadge, DisputeThread } from '@/entities/deal/dispute/thread';
import { isOpen } from '@/entities/deal/status';
import { useMe } from '@/entities/user/queries';
import { useLatePart } from '@/hooks/use-late-part';
import { useTexts } from '@/i18n';
import { dispute as catalogue, disputeRoom } from '@/i18n/en/disputes';
import { preload } from '@/lib/prefetch';
import { formatTime } from '@/lib/time';
import { BottomBar } from '../actions/bottom-bar';
import { AnswerForm, MessageForm } from './evidence-forms';
import { ANSWER, owesAnswer, type RoomView, roomViewOf, sharesOf, useRoomSentence } from './room-view';
import { AcceptOffer, CloseDispute, Theirs, TurnPanel } from './turn-panel';
import { type DisputeActions, useDisputeActions } from './use-dispute-actions';

export function DisputeMissing() {
  const t = useTexts(catalogue);
  return (
    <MissingPage title={t('missing')} text={t('missingText')}>
      <Link to="/deal">{t('toDeals')}</Link>
    </MissingPage>
  );
}

type Props = { view: RoomView; actions: DisputeActions };

function Own({ view, actions, offer }: Props & { offer: DisputeOffer }) {
  const t = useTexts(catalogue);
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{t('offer.own')}</h3>
      <SplitFacts split={sharesOf(offer, view.side).split} names={view.names} />
      <p className="text-sm text-muted-foreground">{t('offer.ownText', { name: view.other })}</p>
      <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask({ what: 'withdraw', offer })}>
        {t('offer.withdraw')}
      </Button>
    </div>
  );
}

function OffersPanel({ view, actions }: Props) {
  const t = useTexts(catalogue);
  const { own, theirs } = view;
  return (
    <Section title={t('offers.title')} size="small">
      <div className="grid gap-6">
        {theirs && view.turn !== 'offer' ? <Theirs view={view} actions={actions} offer={theirs} /> : null}
        {own ? <Own view={view} actions={actions} offer={own} /> : null}
        <div className="grid gap-2">
          <Button variant="outline" disabled={actions.anyBusy} onClick={() => actions.ask({ what: 'offer' })}>
            <Handshake aria-hidden="true" />
            {t(own || theirs ? 'offer.change' : 'offer.make')}
          </Button>
          <p className="text-sm text-muted-foreground">{t('offers.lede')}</p>
        </div>
      </div>
    </Section>
  );
}

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
      {view.turn === 'offer' && view.theirs ? (
        <BottomBar>
          <AcceptOffer view={view} actions={actions} offer={view.theirs} className="min-h-13 flex-1" />
        </BottomBar>
      ) : null}
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
    return <Navigate to="/admin/disputes/$id" params={{ id }} replace />;
  }
  const { _id: dealId, title } = dispute.deal;
  return (
    <Page title={t('page', { title })} className="wrap-anywhere has-data-bottom-bar:max-lg:pb-24 [&_dd]:whitespace-nowrap">
      <Crumbs
        label={t('toDeal')}
        links={[
          <Link to="/deal/$dealId" params={{ dealId }}>
            {title || t('toDeal')}
          </Link>,
        ]}
        page={t('title')}
      />
      <Room view={roomViewOf(dispute, me)} />
    </Page>
  );
}
