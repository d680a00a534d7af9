import type { ReactNode } from 'react';
import { PendingButton } from '@/components/pending-button';
import {
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog';
import type { DealView } from '../deal-view';
import { useActionLabel, usePendingText } from './action-button';
import { type Action, DEAL_ACTIONS } from './deal-actions';
import type { DealActions } from './use-deal-actions';

export type ConfirmProps = { view: DealView; actions: DealActions };

export function ConfirmContent({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <AlertDialogContent className="xs:w-120">
      <AlertDialogHeader>
        <AlertDialogTitle>{title}</AlertDialogTitle>
        <AlertDialogDescription>{text}</AlertDialogDescription>
      </AlertDialogHeader>
      {children}
    </AlertDialogContent>
  );
}

export function ConfirmFooter({ children }: { children: ReactNode }) {
  return <AlertDialogFooter className="mt-5 gap-2 max-xs:*:flex-auto">{children}</AlertDialogFooter>;
}

/** The action and the way back, which is focused first. */
export function ConfirmButtons({ action, view, actions, no }: ConfirmProps & { action: Action; no: string }) {
  const label = useActionLabel(view);
  const pendingText = usePendingText(action);
  const { variant } = DEAL_ACTIONS[action];
  return (
    <ConfirmFooter>
      <PendingButton
        variant={variant}
        size={variant === 'seal' ? 'sm' : 'default'}
        pending={actions.isBusy(action)}
        pendingText={pendingText}
        onClick={() => actions.run(action)}
      >
        {label(action)}
      </PendingButton>
      <AlertDialogCancel>{no}</AlertDialogCancel>
    </ConfirmFooter>
  );
}
