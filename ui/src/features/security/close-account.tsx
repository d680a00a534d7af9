import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import type { CloseBlockers } from '@/api/contract';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { walletQuery } from '@/entities/wallet/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Key, useTexts } from '@/i18n';
import { ownData } from '@/i18n/en/security';
import { isApiError } from '@/lib/errors';
import { centsFromWire, usd } from '@/lib/money';
import { closingQuery, withoutCancelled } from './queries';
import { useCloseAccount } from './use-own-data';

const WRONG: Key<typeof ownData> = 'ask.wrong';

/** The exact username (docs/rules.md#close-account). */
const closeSchema = (username: string) =>
  z.object({
    username: z.string().check(
      z.trim(),
      z.refine((typed) => typed === username, WRONG),
    ),
  });

/** Confirms by typing the username, against stray clicks. */
function CloseDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(ownData);
  const { username } = useMe();
  const focus = useReturnFocus();
  const close = useCloseAccount();
  const { form, submit, errorOf } = useDraftForm({
    schema: closeSchema(username),
    t,
    empty: { username: '' },
    toast: null,
    mutation: close,
    onSubmit: (values) => close.mutateAsync(values),
  });
  const placed = isApiError(close.error) && close.error.fields.username !== undefined;
  return (
    <Dialog open onOpenChange={(open) => (open || close.isPending ? null : onClose())}>
      <DialogPanel
        className="wrap-anywhere"
        title={t('ask.title')}
        description={t('ask.text')}
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.giveBack}
      >
        <form className={STACK} noValidate onSubmit={submit}>
          <FormField label={t('ask.name', { name: username })} error={errorOf('username')} live>
            {(control) => (
              <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...control} {...form.register('username')} />
            )}
          </FormField>
          <Failure error={placed ? null : withoutCancelled(close.error)} />
          <div className="flex min-w-0 flex-wrap items-center gap-3">
            <PendingButton type="submit" variant="destructive" pending={close.isPending}>
              {t('ask.yes')}
            </PendingButton>
            <Button variant="outline" disabled={close.isPending} onClick={onClose}>
              {t('ask.no')}
            </Button>
          </div>
        </form>
      </DialogPanel>
    </Dialog>
  );
}

function Consequences() {
  const t = useTexts(ownData);
  const { username } = useMe();
  const rows = [
    [t('erased'), t('erasedText')],
    [t('stays'), t('staysText')],
    [t('name'), t('nameText', { name: username })],
  ] as const;
  return (
    <dl className="grid">
      {rows.map(([what, text]) => (
        <div key={what} className="border-b py-2.5 first:border-t">
          <dt className="font-semibold">{what}</dt>
          <dd className="text-sm wrap-anywhere text-muted-foreground">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The remaining balance: what can be withdrawn, is too little for that, or has yet to arrive. */
function BalanceBlocker({ cents }: { cents: number }) {
  const t = useTexts(ownData);
  const { data: wallet } = useQuery(walletQuery);
  if (cents <= 0) return t('balanceComing');
  const small = wallet !== undefined && cents < centsFromWire(wallet.minWithdrawal);
  return small ? (
    <>
      {t('balanceSmall', { sum: usd(cents) })} <Link to="/contactus">{t('toContact')}</Link>
    </>
  ) : (
    <>
      {t('balance', { sum: usd(cents) })} <Link to="/withdraw">{t('toWithdraw')}</Link>
    </>
  );
}

function Blockers({ closing: { blockers, openDeals, pendingMoney, balance } }: { closing: CloseBlockers }) {
  const t = useTexts(ownData);
  const lines: Record<CloseBlockers['blockers'][number], ReactNode> = {
    open_deals: (
      <>
        {t('openDeals', { count: openDeals })} <Link to="/deal">{t('toDeals')}</Link>
      </>
    ),
    pending_money: (
      <>
        {t('pendingMoney', { count: pendingMoney })} <Link to="/balance">{t('toBalance')}</Link>
      </>
    ),
    balance: <BalanceBlocker cents={centsFromWire(balance)} />,
    admin: t('admin'),
  };
  return (
    <Note kind="wait" title={t('first')}>
      <ul className="mt-1 grid list-disc gap-1 ps-4.5">
        {blockers.map((blocker) => (
          <li key={blocker}>{lines[blocker]}</li>
        ))}
      </ul>
    </Note>
  );
}

export function CloseAccount() {
  const t = useTexts(ownData);
  const [asked, setAsked] = useState(false);
  const closing = useQuery(closingQuery);
  return (
    <Section title={t('close')}>
      <div className={STACK}>
        <p className="text-sm text-muted-foreground">{t('closeText')}</p>
        <Consequences />
        <QueryPart query={closing} failure={t('closeFailed')} skeleton={<Skeleton className="h-11 w-45" />}>
          {(data) =>
            data.blockers.length > 0 ? (
              <Blockers closing={data} />
            ) : (
              <Button variant="destructive" className="justify-self-start" onClick={() => setAsked(true)}>
                {t('closeButton')}
              </Button>
            )
          }
        </QueryPart>
      </div>
      {asked ? <CloseDialog onClose={() => setAsked(false)} /> : null}
    </Section>
  );
}
