import { AlertDialog } from '@/components/ui/alert-dialog';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { ConfirmButtons, ConfirmContent, type ConfirmProps } from './confirm-dialog';
import { ConfirmPay } from './confirm-pay';
import { type Confirmed, QUESTIONS } from './confirm-questions';
import { takesWords } from './deal-actions';
import type { DealActions } from './use-deal-actions';

type ConfirmActionProps = ConfirmProps & { action: Confirmed };

function ConfirmAction({ action, view, actions }: ConfirmActionProps) {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  const { title, text, details, no } = QUESTIONS[action](view, t, tTrouble);
  return (
    <ConfirmContent title={title} text={text}>
      {details}
      <ConfirmButtons action={action} view={view} actions={actions} no={t(no)} />
    </ConfirmContent>
  );
}

function confirmed({ asked }: DealActions): Confirmed | 'pay' | null {
  return asked === 'trouble' || asked === 'terms' || takesWords(asked) ? null : asked;
}

function Question({ view, actions }: ConfirmProps) {
  const asked = confirmed(actions);
  if (asked === null) return null;
  if (asked === 'pay') return <ConfirmPay view={view} actions={actions} />;
  return <ConfirmAction key={asked} action={asked} view={view} actions={actions} />;
}

export function ConfirmDialogs({ view, actions }: ConfirmProps) {
  return (
    <AlertDialog
      open={confirmed(actions) !== null}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      <Question view={view} actions={actions} />
    </AlertDialog>
  );
}
