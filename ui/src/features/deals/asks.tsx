import type { ReactNode } from 'react';
import { Note } from '@/components/khata/note';
import { Strip } from '@/components/khata/strip';
import { AlertDialog, AlertDialogCancel, AlertDialogContent } from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { centsFromWire, usd } from '@/lib/money';
import { actionLabel } from './action-button';
import type { Action, DealActions } from './actions';
import { useBalance } from './balance';
import type { DealView } from './deal';
import { DepositLink, PaySums } from './pay-move';

type Props = { view: DealView; actions: DealActions };

/** The acting button and the way back; the way back has the focus first. */
function Answers({ action, view, actions, no }: Props & { action: Action; no: string }) {
  const t = useTexts(deals);
  const c = useTexts(common);
  const variant = { pay: 'seal', release: 'seal', deliver: 'ink', remove: 'danger' } as const;
  const moves = action === 'pay' || action === 'release';
  return (
    <div className="row wrapx asks__btns">
      <Button
        variant={variant[action]}
        size={moves ? 'sm' : 'default'}
        busy={actions.busy[action]}
        busyText={moves ? c('processing') : c('sending')}
        onClick={() => actions.run(action)}
      >
        {actionLabel(t, action, view)}
      </Button>
      <AlertDialogCancel asChild>
        <Button variant="line">{no}</Button>
      </AlertDialogCancel>
    </div>
  );
}

function Question({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <AlertDialogContent title={title} description={text} className="asks">
      {children}
    </AlertDialogContent>
  );
}

function AskPay({ view, actions }: Props) {
  const t = useTexts(deals);
  const c = useTexts(common);
  const balance = useBalance(view.price);
  const sum = usd(view.price);
  const known = balance.state === 'known' ? balance.missing : 0;
  // The balance on this page may be older than the server's answer.
  const missing = known > 0 ? known : centsFromWire(actions.shortfall ?? 0);
  if (missing > 0 && !actions.busy.pay) {
    return (
      <Question title={t('ask.short')} text={t('ask.shortText', { sum })}>
        <PaySums balance={balance} price={view.price} />
        <div className="row wrapx asks__btns">
          <DepositLink missing={missing} />
          <AlertDialogCancel asChild>
            <Button variant="line">{c('close')}</Button>
          </AlertDialogCancel>
        </div>
      </Question>
    );
  }
  return (
    <Question title={t('ask.pay', { sum })} text={t('ask.payText', { name: view.other.username })}>
      <PaySums balance={balance} price={view.price} />
      <Strip holder="amanat">{sum}</Strip>
      <Answers action="pay" view={view} actions={actions} no={t('act.notYet')} />
    </Question>
  );
}

function AskRelease({ view, actions }: Props) {
  const t = useTexts(deals);
  const name = view.other.username;
  const [sum, payout, fee] = [usd(view.price), usd(view.payout), usd(view.fee)];
  return (
    <Question title={t('ask.release', { sum, name })} text={t('ask.releaseText', { name, payout, fee })}>
      {view.deal.status === 'Delivered' ? null : <Note kind="bad">{t('ask.early', { name })}</Note>}
      <Strip holder="seller">{payout}</Strip>
      <Answers action="release" view={view} actions={actions} no={t('act.notYet')} />
    </Question>
  );
}

function AskDeliver({ view, actions }: Props) {
  const t = useTexts(deals);
  return (
    <Question title={t('ask.deliver')} text={t('ask.deliverText', { name: view.other.username })}>
      <Answers action="deliver" view={view} actions={actions} no={t('act.notYet')} />
    </Question>
  );
}

function AskRemove({ view, actions }: Props) {
  const t = useTexts(deals);
  return (
    <Question title={t(view.mine ? 'ask.withdraw' : 'ask.decline')} text={t('ask.removeText', { name: view.other.username })}>
      <Answers action="remove" view={view} actions={actions} no={t('act.keep')} />
    </Question>
  );
}

const QUESTIONS = { pay: AskPay, release: AskRelease, deliver: AskDeliver, remove: AskRemove };

/** The question before an action that cannot be taken back, with the amounts it is about. */
export function Asks({ view, actions }: Props) {
  const Ask = actions.asked === null ? null : QUESTIONS[actions.asked];
  return (
    <AlertDialog
      open={Ask !== null}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      {Ask === null ? null : <Ask view={view} actions={actions} />}
    </AlertDialog>
  );
}
