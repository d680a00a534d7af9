import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { DealInvite } from '@/api/contract';
import { CASH } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { ShareButton } from '@/components/share-button';
import { Button } from '@/components/ui/button';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/deal-links';
import { centsFromWire, usd } from '@/lib/money';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';
import { invitesQuery, useSharedInvite, useWithdraw } from './queries';

function WithdrawDialog({ invite, onClose }: { invite: DealInvite; onClose: () => void }) {
  const t = useTexts(catalogue);
  const withdraw = useWithdraw(onClose);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={t('withdrawAsk')}
      text={t('withdrawText')}
      action={
        <PendingButton variant="destructive" pending={withdraw.isPending} onClick={() => withdraw.mutate(invite.code)}>
          {t('withdraw')}
        </PendingButton>
      }
      cancel={t('keep')}
    />
  );
}

function Row({ invite, onWithdraw }: { invite: DealInvite; onWithdraw: () => void }) {
  const t = useTexts(catalogue);
  const titleOf = useDealTitle();
  const shared = useSharedInvite();
  const now = useNow();
  const title = titleOf(invite);
  const guest = invite.email ?? invite.phone;
  const over = Date.parse(invite.expiresAt) <= now;
  return (
    <li className="grid gap-1 border-b py-4 leading-[1.4] wrap-anywhere" data-slot="invite">
      <div className="flex items-baseline justify-between gap-4">
        <Link to="/d/$code" params={{ code: invite.code }} className="-my-2.5 min-w-0 py-2.5 font-semibold">
          {title}
        </Link>
        <span className={CASH}>{usd(centsFromWire(invite.price))}</span>
      </div>
      <p className="text-sm/[1.4] text-muted-foreground">
        {guest ? t('waitingFor', { guest }) : t('waiting')}
        {' · '}
        <time dateTime={invite.expiresAt}>
          {over ? t('expired') : t('expires', { when: formatTime(invite.expiresAt, 'moment') })}
        </time>
      </p>
      <div className="mt-2 flex items-center gap-3">
        <ShareButton {...shared(invite)} className="px-3 text-sm/[1.3]" />
        <Button variant="link" aria-label={t('withdrawOf', { title })} onClick={onWithdraw}>
          {t('withdraw')}
        </Button>
      </div>
    </li>
  );
}

export default function WaitingInvites() {
  const t = useTexts(catalogue);
  const [leaving, setLeaving] = useState<DealInvite | null>(null);
  return (
    <QueryPart query={useQuery(invitesQuery)} skeleton={null} failure={t('waitingFailed')}>
      {(invites) =>
        invites.length === 0 ? null : (
          <section className="mb-6 border-t" aria-label={t('waiting')}>
            <ul>
              {invites.map((invite) => (
                <Row key={invite._id} invite={invite} onWithdraw={() => setLeaving(invite)} />
              ))}
            </ul>
            {leaving ? <WithdrawDialog invite={leaving} onClose={() => setLeaving(null)} /> : null}
          </section>
        )
      }
    </QueryPart>
  );
}
