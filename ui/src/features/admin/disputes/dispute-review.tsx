import { Link } from '@tanstack/react-router';
import { Gavel } from 'lucide-react';
import { useState } from 'react';
import type { DealDispute, DisputeSummary } from '@/api/contract';
import { LoadFailed } from '@/components/load-failed';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { DisputeAppeal, DisputeDecision } from '@/entities/deal/dispute/decision-parts';
import { DisputeBadge } from '@/entities/deal/dispute/status';
import { DisputeThread } from '@/entities/deal/dispute/thread';
import { shortId } from '@/entities/deal/title';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminDisputes } from '@/i18n/en/admin-disputes';
import { common } from '@/i18n/en/common';
import { disputeRoom } from '@/i18n/en/dispute-room';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { ageText } from '../queue/age';
import { Drawer } from '../review/drawer';
import { NextButton } from '../review/next-button';
import { PersonLink } from '../review/person-link';
import { ClaimNote, Result } from '../review/review-parts';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import { DecideDialog } from './decide-dialog';
import { AdminMessageForm } from './message-form';
import { useDisputeReview } from './use-dispute-review';

type Props = {
  row: DisputeSummary;
  listed: boolean;
  keep: (row: DisputeSummary) => void;
  onNext: (() => void) | null;
  onClose: () => void;
};

function About({ row, dispute }: { row: DisputeSummary; dispute: DealDispute | undefined }) {
  const t = useTexts(adminDisputes);
  const tAdmin = useTexts(admin);
  const tDisputeRoom = useTexts(disputeRoom);
  const answered = dispute?.answeredAt ?? row.answeredAt;
  return (
    <>
      <p>
        <DisputeBadge status={dispute?.status ?? row.status} />
      </p>
      <Facts
        rows={[
          [tDisputeRoom('split.price'), usd(centsFromWire(row.deal.price))],
          [tAdmin('buyer'), <PersonLink key="buyer" person={row.buyer} />],
          [tAdmin('seller'), <PersonLink key="seller" person={row.seller} />],
          [t('openedBy'), row[row.openedBy].username],
          [t('why'), tDisputeRoom(`reason.${row.reason}`)],
          [
            t('answered'),
            answered === null
              ? t('answered.no', { when: formatTime(row.answerDueAt, 'moment') })
              : formatTime(answered, 'moment'),
          ],
        ]}
      />
      <p>
        <Button variant="outline" asChild>
          <Link to="/admin/deals" search={{ dealId: row.deal._id, review: row.deal._id }}>
            {t('openDeal')}
          </Link>
        </Button>
      </p>
    </>
  );
}

export default function DisputeReview({ row, listed, keep, onNext, onClose }: Props) {
  const t = useTexts(adminDisputes);
  const tAdmin = useTexts(admin);
  const tCommon = useTexts(common);
  const now = useNow();
  const state = useDisputeReview({ row, listed, keep });
  const [asked, setAsked] = useState(false);
  const { detail, claim, waits, mayDecide, busy } = state;
  const dispute = detail.data;
  const names = { buyer: row.buyer.username, seller: row.seller.username };
  useShortcuts(mayDecide && !busy ? { d: () => setAsked(true) } : {});
  const what = t(state.status === 'appealed' ? 'one.appeal' : 'one');
  const age = ageText(tAdmin, now - Date.parse(row.createdAt));
  const foot = mayDecide ? (
    <PendingButton className="min-w-0 flex-1" pending={busy} pendingText={tCommon('sending')} onClick={() => setAsked(true)}>
      <Gavel aria-hidden="true" />
      {t(state.status === 'appealed' ? 'decide.final' : 'decide')}
    </PendingButton>
  ) : (
    onNext && <NextButton onNext={onNext} />
  );
  return (
    <Drawer
      row={row._id}
      said={state.outcome ?? state.refused}
      eyebrow={waits ? tAdmin('review.waiting', { what, age }) : what}
      title={row.deal.title || shortId(row.deal._id)}
      foot={foot}
      onClose={onClose}
    >
      <Result outcome={state.outcome} refused={state.refused} />
      {waits && state.party ? <Note kind="wait">{t('own')}</Note> : null}
      {waits && state.decidedBefore ? <Note kind="wait">{t('decidedBefore')}</Note> : null}
      {waits && !state.party && !state.decidedBefore ? <ClaimNote claim={claim} /> : null}
      <About row={row} dispute={dispute} />
      {detail.isLoadingError ? (
        <LoadFailed error={detail.error} fallback={t('detailFailed')} onRetry={() => void detail.refetch()} />
      ) : dispute ? (
        <>
          <DisputeAppeal dispute={dispute} />
          <DisputeDecision dispute={dispute} names={names} />
          <DisputeThread dispute={dispute} names={names} size="small" />
          {waits && !state.party ? <AdminMessageForm id={row._id} /> : null}
          <DecideDialog
            key={dispute.status}
            dispute={dispute}
            open={asked && mayDecide}
            onOpenChange={setAsked}
            busy={busy}
            onDecide={state.decide}
          />
        </>
      ) : (
        <Skeleton className="h-80" />
      )}
    </Drawer>
  );
}
