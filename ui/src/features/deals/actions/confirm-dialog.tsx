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
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import type { DealView } from '../deal-view';
import { useActionLabel } from './action-button';
import { type Action, movesMoney } from './allowed-actions';
import type { DealActions } from './use-deal-actions';

export type ConfirmProps = { view: DealView; actions: DealActions };

const VARIANTS = {
  agree: 'default',
  pay: 'seal',
  release: 'seal',
  leave: 'seal',
  deliver: 'default',
  reset: 'default',
  refuse: 'default',
  remove: 'destructive',
  giveBack: 'destructive',
  request: 'destructive',
  accept: 'destructive',
  giveUp: 'destructive',
} as const satisfies Record<Action, string>;

/** The panel of a question: what is asked, and what it means. */
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

/** The acting button and the way back; the way back has the focus first. */
export function ConfirmButtons({ action, view, actions, no }: ConfirmProps & { action: Action; no: string }) {
  const c = useTexts(common);
  const label = useActionLabel(view);
  const variant = VARIANTS[action];
  return (
    <ConfirmFooter>
      <PendingButton
        variant={variant}
        size={variant === 'seal' ? 'sm' : 'default'}
        pending={actions.busy[action]}
        pendingText={movesMoney(action) ? c('processing') : c('sending')}
        onClick={() => actions.run(action)}
      >
        {label(action)}
      </PendingButton>
      <AlertDialogCancel>{no}</AlertDialogCancel>
    </ConfirmFooter>
  );
}
