import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import { useState } from 'react';
import type { DealDetail, SupportRequest } from '@/api/contract';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusBadge } from '@/entities/deal/status-badge';
import { shortId, titleOf } from '@/entities/deal/title';
import { keys } from '@/entities/keys';
import { translate, useTexts } from '@/i18n';
import { admin, adminSupport } from '@/i18n/en/admin';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { nextActionOf } from '../deals/next-action';
import { adminDealQuery, openSupportQuery } from '../deals/queries';
import { ageText } from '../queue/queue-rows';
import { Drawer } from '../review/drawer';
import { ReasonDialog } from '../review/reason-dialog';
import { NextButton, PersonLink, Result } from '../review/review-parts';
import { useReview } from '../review/use-review';
import { useShortcuts } from '../shortcuts/shortcuts';

/** With `othersOpen`, another request of the deal keeps its clock stopped. */
function useSupportClose(request: SupportRequest) {
  const open = useQuery(openSupportQuery).data?.rows ?? [];
  const review = useReview<SupportRequest, { act: 'close'; answer: string }>({
    list: keys.adminSupport,
    row: { _id: request._id, status: request.closedAt === null ? 'pending' : 'closed', user: { _id: '' } },
    call: ({ answer }) =>
      send(api.POST('/admin/support-request/{id}/close', { params: { path: { id: request._id } }, body: { answer } })),
    success: () => translate(admin, 'toast.supportClosed'),
    failure: () => translate(admin, 'toast.supportCloseFailed'),
    outcome: () => translate(adminSupport, 'close.done'),
    refresh: [keys.adminDeals],
  });
  return {
    review,
    closed: review.outcome !== null || request.closedAt !== null,
    othersOpen: open.some(({ _id, dealId }) => dealId === request.dealId && _id !== request._id),
  };
}

const MAX_ANSWER = 2000;

type Props = {
  request: SupportRequest;
  onNext: (() => void) | null;
  onClose: () => void;
};

function About({ deal, failed, gone, id }: { deal: DealDetail | undefined; failed: boolean; gone: boolean; id: string }) {
  const t = useTexts(admin);
  const tAdminSupport = useTexts(adminSupport);
  if (gone) return <p className="text-muted-foreground">{tAdminSupport('support.dealGone')}</p>;
  const link = (
    <Button variant="outline" asChild>
      <Link to="/admin/deals" search={{ dealId: id, review: id }}>
        {tAdminSupport('support.openDeal')}
      </Link>
    </Button>
  );
  if (failed) return link;
  if (!deal) return <Skeleton className="h-45" />;
  const next = nextActionOf(t, deal);
  return (
    <>
      <p className="font-semibold">{titleOf(deal.description) || shortId(id)}</p>
      <p className="mt-4 mb-2">
        <StatusBadge status={deal.status} />
      </p>
      <Facts
        rows={[
          [t('buyer'), <PersonLink key="buyer" person={deal.buyer} />],
          [t('seller'), <PersonLink key="seller" person={deal.seller} />],
          [t('price'), usd(centsFromWire(deal.price))],
          [t(deal.closedAt === null ? 'next' : 'closed'), next.when === null ? next.what : `${next.what}, ${next.when}`],
        ]}
      />
      <p className="mt-4">{link}</p>
    </>
  );
}

function useConsequence(request: SupportRequest, deal: DealDetail | undefined, othersOpen: boolean): string {
  const t = useTexts(admin);
  const tAdminSupport = useTexts(adminSupport);
  const now = useNow();
  if (deal?.suspended) return tAdminSupport('close.suspended');
  if (othersOpen) return tAdminSupport('close.othersOpen');
  if (deal && !deal.frozen) return tAdminSupport('close.noClock');
  return tAdminSupport('close.clock', { age: ageText(t, now - Date.parse(request.createdAt)) });
}

export default function SupportReview({ request, onNext, onClose }: Props) {
  const t = useTexts(admin);
  const tAdminSupport = useTexts(adminSupport);
  const now = useNow();
  const { data: deal, isLoadingError, error } = useQuery(adminDealQuery(request.dealId));
  const { review, closed, othersOpen } = useSupportClose(request);
  const { outcome, refused, busy } = review;
  const [asked, setAsked] = useState(false);
  const consequence = useConsequence(request, deal, othersOpen);
  const may = !closed && refused === null;
  useShortcuts(may && !busy ? { c: () => setAsked(true) } : {});
  const name = request.user.username;
  const age = ageText(t, now - Date.parse(request.createdAt));
  const role = deal ? tAdminSupport(deal.buyer._id === request.userId ? 'support.asBuyer' : 'support.asSeller', { name }) : name;
  const closing = request.closedAt
    ? [
        [
          t('handled'),
          t('handledBy', { when: formatTime(request.closedAt, 'moment'), name: request.closedBy?.username ?? '' }),
        ] as const,
        ...(request.answer ? [[tAdminSupport('close.answered'), request.answer] as const] : []),
      ]
    : [];
  const foot = may ? (
    <PendingButton className="min-w-0 flex-1" pending={busy} onClick={() => setAsked(true)}>
      <CircleCheckBig aria-hidden="true" />
      {tAdminSupport('close')}
    </PendingButton>
  ) : (
    onNext && <NextButton onNext={onNext} />
  );
  return (
    <Drawer
      row={request._id}
      said={outcome ?? refused}
      eyebrow={closed ? tAdminSupport('support.one') : t('review.waiting', { what: tAdminSupport('support.one'), age })}
      title={tAdminSupport('support.asks', { name })}
      foot={foot}
      onClose={onClose}
    >
      <Result outcome={outcome} refused={refused} />
      <p className="overflow-clip wrap-anywhere whitespace-pre-line">{request.issueDescription}</p>
      <Facts rows={[[t('user'), role], [t('askedFor'), formatTime(request.createdAt, 'moment')], ...closing]} />
      <Section title={tAdminSupport('support.about')} size="small">
        <About deal={deal} failed={isLoadingError} gone={isApiError(error) && error.status === 404} id={request.dealId} />
      </Section>
      {may && deal?.frozen && !deal.suspended ? <Note kind="info">{t('note.frozenHere')}</Note> : null}
      <ReasonDialog
        open={asked && may}
        onClose={() => setAsked(false)}
        title={tAdminSupport('close.ask', { name })}
        text={consequence}
        field={{ label: tAdminSupport('close.answer'), help: tAdminSupport('close.answerHelp'), maxLength: MAX_ANSWER }}
        missing={tAdminSupport('close.answerMissing')}
        action={tAdminSupport('close')}
        variant="default"
        busy={busy}
        onAnswer={(answer) => review.run({ act: 'close', answer })}
      />
    </Drawer>
  );
}
