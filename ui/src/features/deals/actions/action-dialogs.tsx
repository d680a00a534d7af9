import { type ReactNode, type RefObject, useEffect } from 'react';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { Strip } from '@/entities/deal/khata/strip';
import { useLatePart } from '@/hooks/use-late-part';
import { type Translate, useTexts } from '@/i18n';
import { trouble } from '@/i18n/en/deal-page';
import { deals } from '@/i18n/en/deals';
import { usd } from '@/lib/money';
import { preload } from '@/lib/prefetch';
import { mayPropose } from '../counteroffer/use-counteroffer';
import type { DealView } from '../deal-view';
import { TroubleDialog } from '../trouble/trouble-dialog';
import { type AskedAction, allowedActions, DEAL_ACTIONS, takesWords, type WordsAction } from './deal-actions';
import type { DealActions } from './use-deal-actions';
import { useActionLabel, usePendingText } from './use-deal-actions';

type Props = { view: DealView; actions: DealActions; opener: RefObject<HTMLElement | null> };

function ActButton({ action, view, actions }: Omit<Props, 'opener'> & { action: Confirmed }) {
  const label = useActionLabel(view);
  const pendingText = usePendingText(action);
  const { variant } = DEAL_ACTIONS[action];
  return (
    <PendingButton
      variant={variant}
      size={variant === 'seal' ? 'sm' : 'default'}
      pending={actions.isBusy(action)}
      pendingText={pendingText}
      onClick={() => actions.run(action)}
    >
      {label(action)}
    </PendingButton>
  );
}

type Question = {
  title: string;
  text: string;
  details?: ReactNode;
  no: 'act.notYet' | 'act.keep';
};

type Asks = (view: DealView, t: Translate<typeof deals>, tTrouble: Translate<typeof trouble>) => Question;

function BackSums({ view, fee }: { view: DealView; fee: number }) {
  const t = useTexts(trouble);
  const back = view.side === 'buyer' ? t('ask.youBack') : t('ask.back', { name: view.other.username });
  return (
    <div className="mt-4">
      <Facts
        rows={[
          [t('ask.price'), usd(view.price)],
          [fee > 0 ? t('ask.fee') : t('ask.noFee'), fee > 0 ? usd(-fee) : usd(0)],
        ]}
        total={[back, usd(view.price - fee)]}
      />
    </div>
  );
}

function Returned({ view, fee }: { view: DealView; fee: number }) {
  return (
    <>
      <BackSums view={view} fee={fee} />
      <Strip holder="buyer" returned className="mt-2">
        {usd(view.price - fee)}
      </Strip>
    </>
  );
}

function Left({ view }: { view: DealView }) {
  const t = useTexts(trouble);
  return <p className="mt-4 text-sm text-muted-foreground">{t('left', { count: view.deal.requestsLeft })}</p>;
}

/** Actions with a text (`delivery/`) have their own dialogs. */
type Confirmed = Exclude<AskedAction, WordsAction>;

const QUESTIONS: Record<Confirmed, Asks> = {
  agree: ({ other }, t) => ({
    title: t('ask.agree'),
    text: t('ask.agreeText', { name: other.username }),
    no: 'act.notYet',
  }),
  release: ({ deal, other: { username: name }, price, payout, fee }, t) => ({
    title: t('ask.release', { sum: usd(price), name }),
    text: t('ask.releaseText', { name, payout: usd(payout), fee: usd(fee) }),
    details: (
      <>
        {deal.status === 'Delivered' ? null : (
          <Note kind="bad" className="mt-4">
            {t('ask.early', { name })}
          </Note>
        )}
        <Strip holder="seller" className="mt-4">
          {usd(payout)}
        </Strip>
      </>
    ),
    no: 'act.notYet',
  }),
  remove: ({ mine, other }, t) => ({
    title: t(mine ? 'ask.withdraw' : 'ask.decline'),
    text: t('ask.removeText', { name: other.username }),
    no: 'act.keep',
  }),
  giveBack: ({ other, price }, t) => ({
    title: t('ask.decline'),
    text: t('ask.giveBackText', { name: other.username, sum: usd(price) }),
    details: (
      <Strip holder="buyer" className="mt-4">
        {usd(price)}
      </Strip>
    ),
    no: 'act.keep',
  }),
  request: (view, _t, tTrouble) => ({
    title: tTrouble('ask.request', { name: view.other.username }),
    // After a delivery, the clock no longer decides.
    text: tTrouble(view.deal.exitAt === null ? 'ask.requestTextOnce' : 'ask.requestText', { name: view.other.username }),
    details: (
      <>
        <BackSums view={view} fee={view.fee} />
        {view.deal.status === 'Delivered' ? (
          <Note kind="info" className="mt-4">
            {tTrouble('ask.takesBack')}
          </Note>
        ) : null}
        <Left view={view} />
      </>
    ),
    no: 'act.keep',
  }),
  leave: (view, _t, tTrouble) => ({
    title: tTrouble(view.sellerGone ? 'ask.giveUp' : 'ask.leave'),
    text: tTrouble('ask.leaveText', { sum: usd(view.price) }),
    details: <Returned view={view} fee={0} />,
    no: 'act.keep',
  }),
  accept: (view, _t, tTrouble) => ({
    title: tTrouble('ask.accept'),
    text: tTrouble('ask.acceptText', { name: view.other.username, back: usd(view.back) }),
    details: <Returned view={view} fee={view.price - view.back} />,
    no: 'act.notYet',
  }),
  refuse: ({ other }, _t, tTrouble) => ({
    title: tTrouble('ask.refuse'),
    text: tTrouble('ask.refuseText', { name: other.username }),
    no: 'act.notYet',
  }),
  giveUp: (view, _t, tTrouble) => ({
    title: tTrouble('ask.giveUp'),
    text: tTrouble('ask.giveUpText', { name: view.other.username, sum: usd(view.price) }),
    details: <Returned view={view} fee={0} />,
    no: 'act.keep',
  }),
};

function ConfirmAction({ action, view, actions, opener }: Props & { action: Confirmed }) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const { title, text, details, no } = QUESTIONS[action](view, t, tTrouble);
  return (
    <ConfirmDialog
      onClose={actions.close}
      opener={opener}
      title={title}
      text={text}
      action={<ActButton action={action} view={view} actions={actions} />}
      cancel={t(no)}
    >
      {details}
    </ConfirmDialog>
  );
}

function Confirm(props: Props) {
  const { asked } = props.actions;
  if (asked === null || asked === 'trouble' || asked === 'terms' || takesWords(asked)) return null;
  return <ConfirmAction key={asked} action={asked} {...props} />;
}

const loadWords = () => import('../delivery/words-dialog');
const loadTerms = () => import('../counteroffer/counteroffer-dialog');

export function ActionDialogs({ view, actions, opener }: Props) {
  const mayWrite = allowedActions(view).some(takesWords);
  useEffect(() => {
    if (mayWrite) preload(loadWords);
  }, [mayWrite]);
  const proposes = mayPropose(view);
  useEffect(() => {
    if (proposes) preload(loadTerms);
  }, [proposes]);
  const terms = useLatePart(loadTerms, actions.asked === 'terms', actions.close);
  const words = useLatePart(loadWords, takesWords(actions.asked), actions.close);
  return (
    <>
      <Confirm view={view} actions={actions} opener={opener} />
      <TroubleDialog view={view} actions={actions} />
      {terms ? <terms.Part view={view} actions={actions} /> : null}
      {words ? <words.Part view={view} actions={actions} /> : null}
    </>
  );
}
