import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { NotMineAnswer, User, Withdrawal } from '@/api/contract';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { DialogPanel } from '@/components/dialog-panel';
import { Note } from '@/components/note';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogFooter } from '@/components/ui/dialog';
import { useMe } from '@/entities/user/queries';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { refreshMoney, useMoneyAction } from '@/entities/wallet/operations';
import { translate, useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { api, idempotent, send } from '@/lib/api';
import { isFinal, useIdempotencyKey } from '@/lib/idempotency';
import { centsFromWire, localDigits, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';

function useNotMine(id: string) {
  const queryClient = useQueryClient();
  const key = useIdempotencyKey();
  return useMutation({
    mutationFn: () => send(api.POST('/withdraw/{id}/not-mine', { params: { path: { id } }, headers: idempotent(key.current()) })),
    meta: { fallback: () => translate(wallet, 'notMe.failed') },
    onError: (error) => {
      if (isFinal(error)) key.renew();
    },
    onSettled: () => void refreshMoney(queryClient),
  });
}

/** The next step: the mailed link, or without a verified address a new password now. */
function Done({ answer: { outcome, stopped } }: { answer: NotMineAnswer }) {
  const t = useTexts(wallet);
  const tAccount = useTexts(account);
  return (
    <OutcomePanel
      kind={outcome === 'sent' ? 'bad' : 'done'}
      title={tAccount(`stop.${outcome}`)}
      text={stopped ? tAccount(`stop.${outcome}Text`) : t('notMe.doneUnverified')}
    >
      {stopped ? null : (
        <Button asChild>
          <Link to="/security">{t('notMe.password')}</Link>
        </Button>
      )}
      {outcome === 'sent' || outcome === 'held' ? (
        <Button variant="outline" asChild>
          <Link to="/contactus">{tAccount('stop.support')}</Link>
        </Button>
      ) : null}
    </OutcomePanel>
  );
}

/** Reports a withdrawal as somebody else's: explains the consequences, and shows the result. */
export function NotMineDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(wallet);
  const me = useMe();
  const { mutate, isPending, data } = useNotMine(id);
  return (
    <Dialog open onOpenChange={(open) => (open || isPending ? null : onClose())}>
      <DialogPanel title={t('notMe.title')}>
        {data ? (
          <Done answer={data} />
        ) : (
          <>
            <p>{t(me.isVerified ? 'notMe.text' : 'notMe.textUnverified')}</p>
            <DialogFooter className="mt-0">
              <PendingButton variant="destructive" pending={isPending} onClick={() => mutate()}>
                {t('notMe.stop')}
              </PendingButton>
            </DialogFooter>
          </>
        )}
      </DialogPanel>
    </Dialog>
  );
}

/** Cancels a withdrawal that no admin works on. */
function useCancelWithdrawal(id: string, onDone: () => void) {
  return useMoneyAction({
    call: (_, key) => send(api.POST('/withdraw/{id}/cancel', { params: { path: { id } }, headers: idempotent(key) })),
    success: () => translate(wallet, 'cancel.done'),
    fallback: () => translate(wallet, 'cancel.failed'),
    onDone,
    onFailed: onDone,
  });
}

/** A newly added second factor may be a thief's and proves nothing. */
const factorProves = ({ secondFactor }: User, { heldReasons }: Withdrawal) =>
  secondFactor && !heldReasons.includes('factor_added');

const wayToConfirm = (me: User, withdrawal: Withdrawal) => {
  const { isVerified } = me;
  if (factorProves(me, withdrawal)) return isVerified ? 'pending.confirmNow' : 'pending.confirmHere';
  return isVerified ? 'pending.confirm' : 'pending.verify';
};

function State({ withdrawal }: { withdrawal: Withdrawal }) {
  const t = useTexts(wallet);
  const me = useMe();
  const { onHold, heldUntil, heldReasons, confirmedAt, disownedAt } = withdrawal;
  if (disownedAt !== null) return <Note kind="bad">{t('pending.disowned')}</Note>;
  if (!onHold || heldUntil === null) {
    return (
      <p className="text-sm text-muted-foreground">
        {confirmedAt === null ? t('pending.waits') : `${t('pending.confirmed')} ${t('pending.waits')}`}
      </p>
    );
  }
  return (
    <Note kind="wait">
      <p>{t('pending.held', { when: formatTime(heldUntil, 'moment') })}</p>
      <ul className="my-1 list-disc ps-4.5">
        {heldReasons.map((reason) => (
          <li key={reason}>{t(`pending.${reason}`)}</li>
        ))}
      </ul>
      <p>{t(wayToConfirm(me, withdrawal))}</p>
    </Note>
  );
}

function AskCancel({ withdrawal, onClose }: { withdrawal: Withdrawal; onClose: () => void }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const { run, phase } = useCancelWithdrawal(withdrawal._id, onClose);
  const busy = phase !== 'idle';
  return (
    <ConfirmDialog
      busy={busy}
      onClose={onClose}
      title={t('cancel.ask')}
      text={t('cancel.text', { sum: usd(centsFromWire(withdrawal.amount)) })}
      action={
        <PendingButton
          variant="destructive"
          pending={busy}
          pendingText={tCommon(phase === 'processing' ? 'processing' : 'sending')}
          onClick={() => run(undefined)}
        >
          {t('cancel.yes')}
        </PendingButton>
      }
      cancel={t('cancel.no')}
    />
  );
}

type PendingProps = { withdrawal: Withdrawal; onConfirm: () => void; onNotMine: () => void };

/** A pending withdrawal, with the ways to confirm and to stop it. */
export function PendingWithdrawal({ withdrawal, onConfirm, onNotMine }: PendingProps) {
  const t = useTexts(wallet);
  const tKhata = useTexts(khata);
  const [asked, setAsked] = useState(false);
  const me = useMe();
  const under = withdrawal.operation !== undefined;
  const held = withdrawal.onHold && withdrawal.heldUntil !== null && withdrawal.disownedAt === null;
  return (
    <li data-slot="pending-withdrawal" className="grid justify-items-start gap-2.5 border-b py-3">
      <p className="font-semibold">
        {t('pending.to', {
          sum: usd(centsFromWire(withdrawal.amount)),
          method: tKhata(`method.${withdrawal.paymentMethod}`),
          number: localDigits(groupedPhone(withdrawal.phonenumber)),
        })}
      </p>
      <State withdrawal={withdrawal} />
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        {held && factorProves(me, withdrawal) ? (
          <Button disabled={under} onClick={onConfirm}>
            {t('confirm')}
          </Button>
        ) : null}
        <Button variant="outline" disabled={under} onClick={() => setAsked(true)}>
          {t('cancel')}
        </Button>
        {withdrawal.disownedAt === null ? (
          <Button variant="ghost" disabled={under} onClick={onNotMine}>
            {t('notMe')}
          </Button>
        ) : null}
      </div>
      {asked ? <AskCancel withdrawal={withdrawal} onClose={() => setAsked(false)} /> : null}
    </li>
  );
}
