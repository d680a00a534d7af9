import { type ReactNode, type RefObject, useRef } from 'react';
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

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  text: ReactNode;
  act: (focus: RefObject<HTMLButtonElement | null>) => ReactNode;
  field?: ReactNode;
};

/** Focuses the field, if there is one, else the button. The caller closes it on the result. */
export function ConfirmDialog({ open, onOpenChange, title, text, act, field }: Props) {
  const t = useTexts(common);
  const button = useRef<HTMLButtonElement>(null);
  const focus = useReturnFocus();
  return (
    <AlertDialog open={open} onOpenChange={onOpenChange}>
      <AlertDialogContent
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          const content = event.currentTarget as HTMLElement | null;
          (content?.querySelector<HTMLElement>('input:checked, textarea') ?? button.current)?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        <AlertDialogHeader>
          <AlertDialogTitle>{title}</AlertDialogTitle>
          <AlertDialogDescription>{text}</AlertDialogDescription>
        </AlertDialogHeader>
        {field ? <div className="mt-4">{field}</div> : null}
        <AlertDialogFooter>
          {act(button)}
          <AlertDialogCancel>{t('cancel')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
