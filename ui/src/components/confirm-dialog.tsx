import type { ReactElement, ReactNode, RefObject } from 'react';
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from '@/components/ui/alert-dialog';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { Failure } from './failure';

type Props = {
  open?: boolean;
  /** False if it needs an answer: Back on a phone does not close it. */
  back?: boolean;
  /** While the action runs, neither Cancel nor Escape closes the dialog. */
  busy?: boolean;
  onClose: () => void;
  title: ReactNode;
  text: string | ReactElement;
  /** Fields and facts between the text and the buttons. */
  children?: ReactNode;
  /** The button that acts. The caller closes the dialog on its result. */
  action: ReactNode;
  cancel?: string;
  error?: unknown;
  /** Focuses the first field, or else the action, instead of Cancel. */
  focusAction?: boolean;
  /** Gets the focus back if the element that had it is gone. */
  opener?: RefObject<HTMLElement | null>;
};

const FIRST = ['input:checked, textarea', '[data-slot=alert-dialog-footer] button'];

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  open = true,
  back = true,
  busy = false,
  onClose,
  title,
  text,
  children,
  action,
  cancel,
  error = null,
  focusAction = false,
  opener,
}: Props) {
  const t = useTexts(common);
  const focus = useReturnFocus(opener);
  const onOpen = (event: Event) => {
    focus.remember(event);
    if (!focusAction) return;
    event.preventDefault();
    const content = event.currentTarget as HTMLElement;
    const first = FIRST.map((selector) => content.querySelector<HTMLElement>(selector)).find((found) => found !== null);
    first?.focus();
  };
  return (
    <AlertDialog open={open} back={back} onOpenChange={(wanted) => (wanted || busy ? null : onClose())}>
      <AlertDialogContent className="wrap-anywhere" onOpenAutoFocus={onOpen} onCloseAutoFocus={focus.giveBack}>
        <AlertDialogHeader>
          <AlertDialogTitle>{title}</AlertDialogTitle>
          <AlertDialogDescription asChild={typeof text !== 'string'}>{text}</AlertDialogDescription>
        </AlertDialogHeader>
        <div className="mt-4 empty:hidden [&:has(>:only-child:empty)]:hidden">
          {children}
          <Failure error={error} />
        </div>
        <AlertDialogFooter className="max-xs:*:flex-auto">
          {action}
          <AlertDialogCancel disabled={busy}>{cancel ?? t('cancel')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
