import type { ComponentType } from 'react';
import { Note } from '@/components/note';
import { AlertDialog, AlertDialogCancel } from '@/components/ui/alert-dialog';
import { Strip } from '@/entities/deal/khata/strip';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { centsFromWire, usd } from '@/lib/money';
import {
  ConfirmAccept,
  ConfirmGiveUp,
  ConfirmLeave,
  ConfirmRefuse,
  ConfirmRequest,
  ConfirmReset,
} from '../trouble/trouble-confirm-dialogs';
import type { Action } from './allowed-actions';
import { ConfirmButtons, ConfirmContent, ConfirmFooter, type ConfirmProps } from './confirm-dialog';
import { DepositLink, PaySums } from './pay-panel';
import { useBalanceAfter } from './use-balance-after';

function ConfirmPay({ view, actions }: ConfirmProps) {
  const t = useTexts(deals);
  const c = useTexts(common);
  const balance = useBalanceAfter(view.price);
  const sum = usd(view.price);
  const known = balance.state === 'known' ? balance.missing : 0;
  // The balance on this page may be older than the server's answer.
  const missing = known > 0 ? known : centsFromWire(actions.shortfall ?? 0);
  if (missing > 0 && !actions.busy.pay) {
    return (
      <ConfirmContent title={t('ask.short')} text={t('ask.shortText', { sum })}>
        <PaySums balance={balance} price={view.price} className="mt-4" />
        <ConfirmFooter>
          <DepositLink missing={missing} />
          <AlertDialogCancel>{c('close')}</AlertDialogCancel>
        </ConfirmFooter>
      </ConfirmContent>
    );
  }
  return (
    <ConfirmContent title={t('ask.pay', { sum })} text={t('ask.payText', { name: view.other.username })}>
      <PaySums balance={balance} price={view.price} className="mt-4" />
      <Strip holder="amanat" className={balance.state === 'failed' ? 'mt-4' : 'mt-2'}>
        {sum}
      </Strip>
      <ConfirmButtons action="pay" view={view} actions={actions} no={t('act.notYet')} />
    </ConfirmContent>
  );
}

function ConfirmRelease({ view, actions }: ConfirmProps) {
  const t = useTexts(deals);
  const name = view.other.username;
  const [sum, payout, fee] = [usd(view.price), usd(view.payout), usd(view.fee)];
  return (
    <ConfirmContent title={t('ask.release', { sum, name })} text={t('ask.releaseText', { name, payout, fee })}>
      {view.deal.status === 'Delivered' ? null : (
        <Note kind="bad" className="mt-4">
          {t('ask.early', { name })}
        </Note>
      )}
      <Strip holder="seller" className="mt-4">
        {payout}
      </Strip>
      <ConfirmButtons action="release" view={view} actions={actions} no={t('act.notYet')} />
    </ConfirmContent>
  );
}

function ConfirmDeliver({ view, actions }: ConfirmProps) {
  const t = useTexts(deals);
  return (
    <ConfirmContent title={t('ask.deliver')} text={t('ask.deliverText', { name: view.other.username })}>
      <ConfirmButtons action="deliver" view={view} actions={actions} no={t('act.notYet')} />
    </ConfirmContent>
  );
}

function ConfirmAgree({ view, actions }: ConfirmProps) {
  const t = useTexts(deals);
  return (
    <ConfirmContent title={t('ask.agree')} text={t('ask.agreeText', { name: view.other.username })}>
      <ConfirmButtons action="agree" view={view} actions={actions} no={t('act.notYet')} />
    </ConfirmContent>
  );
}

function ConfirmGiveBack({ view, actions }: ConfirmProps) {
  const t = useTexts(deals);
  const sum = usd(view.price);
  return (
    <ConfirmContent title={t('ask.decline')} text={t('ask.giveBackText', { name: view.other.username, sum })}>
      <Strip holder="buyer" className="mt-4">
        {sum}
      </Strip>
      <ConfirmButtons action="giveBack" view={view} actions={actions} no={t('act.keep')} />
    </ConfirmContent>
  );
}

function ConfirmRemove({ view, actions }: ConfirmProps) {
  const t = useTexts(deals);
  return (
    <ConfirmContent
      title={t(view.mine ? 'ask.withdraw' : 'ask.decline')}
      text={t('ask.removeText', { name: view.other.username })}
    >
      <ConfirmButtons action="remove" view={view} actions={actions} no={t('act.keep')} />
    </ConfirmContent>
  );
}

const QUESTIONS: Record<Action, ComponentType<ConfirmProps>> = {
  agree: ConfirmAgree,
  giveBack: ConfirmGiveBack,
  pay: ConfirmPay,
  release: ConfirmRelease,
  deliver: ConfirmDeliver,
  remove: ConfirmRemove,
  reset: ConfirmReset,
  request: ConfirmRequest,
  leave: ConfirmLeave,
  accept: ConfirmAccept,
  refuse: ConfirmRefuse,
  giveUp: ConfirmGiveUp,
};

/** The question before an action that cannot be taken back, with the amounts it is about. */
export function ConfirmDialogs({ view, actions }: ConfirmProps) {
  const Ask = actions.asked === null || actions.asked === 'trouble' ? null : QUESTIONS[actions.asked];
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
