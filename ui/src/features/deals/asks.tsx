import type { ComponentType } from 'react';
import { Note } from '@/components/khata/note';
import { Strip } from '@/components/khata/strip';
import { AlertDialog, AlertDialogCancel } from '@/components/ui/alert-dialog';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { centsFromWire, usd } from '@/lib/money';
import type { Action } from './allowed';
import { useBalance } from './balance';
import { DepositLink, PaySums } from './pay-move';
import { AnswerButtons, Answers, type AskProps, Question } from './question';
import { AskAccept, AskGiveUp, AskLeave, AskRefuse, AskRequest, AskReset } from './trouble-asks';

function AskPay({ view, actions }: AskProps) {
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
        <PaySums balance={balance} price={view.price} className="mt-4" />
        <AnswerButtons>
          <DepositLink missing={missing} />
          <AlertDialogCancel>{c('close')}</AlertDialogCancel>
        </AnswerButtons>
      </Question>
    );
  }
  return (
    <Question title={t('ask.pay', { sum })} text={t('ask.payText', { name: view.other.username })}>
      <PaySums balance={balance} price={view.price} className="mt-4" />
      <Strip holder="amanat" className={balance.state === 'failed' ? 'mt-4' : 'mt-2'}>
        {sum}
      </Strip>
      <Answers action="pay" view={view} actions={actions} no={t('act.notYet')} />
    </Question>
  );
}

function AskRelease({ view, actions }: AskProps) {
  const t = useTexts(deals);
  const name = view.other.username;
  const [sum, payout, fee] = [usd(view.price), usd(view.payout), usd(view.fee)];
  return (
    <Question title={t('ask.release', { sum, name })} text={t('ask.releaseText', { name, payout, fee })}>
      {view.deal.status === 'Delivered' ? null : (
        <Note kind="bad" className="mt-4">
          {t('ask.early', { name })}
        </Note>
      )}
      <Strip holder="seller" className="mt-4">
        {payout}
      </Strip>
      <Answers action="release" view={view} actions={actions} no={t('act.notYet')} />
    </Question>
  );
}

function AskDeliver({ view, actions }: AskProps) {
  const t = useTexts(deals);
  return (
    <Question title={t('ask.deliver')} text={t('ask.deliverText', { name: view.other.username })}>
      <Answers action="deliver" view={view} actions={actions} no={t('act.notYet')} />
    </Question>
  );
}

function AskAgree({ view, actions }: AskProps) {
  const t = useTexts(deals);
  return (
    <Question title={t('ask.agree')} text={t('ask.agreeText', { name: view.other.username })}>
      <Answers action="agree" view={view} actions={actions} no={t('act.notYet')} />
    </Question>
  );
}

function AskGiveBack({ view, actions }: AskProps) {
  const t = useTexts(deals);
  const sum = usd(view.price);
  return (
    <Question title={t('ask.decline')} text={t('ask.giveBackText', { name: view.other.username, sum })}>
      <Strip holder="buyer" className="mt-4">
        {sum}
      </Strip>
      <Answers action="giveBack" view={view} actions={actions} no={t('act.keep')} />
    </Question>
  );
}

function AskRemove({ view, actions }: AskProps) {
  const t = useTexts(deals);
  return (
    <Question title={t(view.mine ? 'ask.withdraw' : 'ask.decline')} text={t('ask.removeText', { name: view.other.username })}>
      <Answers action="remove" view={view} actions={actions} no={t('act.keep')} />
    </Question>
  );
}

const QUESTIONS: Record<Action, ComponentType<AskProps>> = {
  agree: AskAgree,
  giveBack: AskGiveBack,
  pay: AskPay,
  release: AskRelease,
  deliver: AskDeliver,
  remove: AskRemove,
  reset: AskReset,
  request: AskRequest,
  leave: AskLeave,
  accept: AskAccept,
  refuse: AskRefuse,
  giveUp: AskGiveUp,
};

/** The question before an action that cannot be taken back, with the amounts it is about. */
export function Asks({ view, actions }: AskProps) {
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
