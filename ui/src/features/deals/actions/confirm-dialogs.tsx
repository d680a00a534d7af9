import { AlertDialog } from '@/components/ui/alert-dialog';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { ConfirmButtons, ConfirmContent, type ConfirmProps } from './confirm-dialog';
import { ConfirmPay } from './confirm-pay';
import { QUESTIONS } from './confirm-questions';
import type { Action } from './deal-actions';

type ConfirmActionProps = ConfirmProps & { action: Exclude<Action, 'pay'> };

function ConfirmAction({ action, view, actions }: ConfirmActionProps) {
  const t = useTexts(deals);
  const tt = useTexts(trouble);
  const { title, text, details, no } = QUESTIONS[action](view, t, tt);
  return (
    <ConfirmContent title={title} text={text}>
      {details}
      <ConfirmButtons action={action} view={view} actions={actions} no={t(no)} />
    </ConfirmContent>
  );
}

function Question({ view, actions }: ConfirmProps) {
  const { asked } = actions;
  if (asked === null || asked === 'trouble') return null;
  if (asked === 'pay') return <ConfirmPay view={view} actions={actions} />;
  return <ConfirmAction key={asked} action={asked} view={view} actions={actions} />;
}

/** The question before an action that cannot be taken back. */
export function ConfirmDialogs({ view, actions }: ConfirmProps) {
  return (
    <AlertDialog
      open={actions.asked !== null && actions.asked !== 'trouble'}
      onOpenChange={(open) => {
        if (!open) actions.close();
      }}
    >
      <Question view={view} actions={actions} />
    </AlertDialog>
  );
}
