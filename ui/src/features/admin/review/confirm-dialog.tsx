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
import { useReturnFocus } from '@/hooks/use-return-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  text: ReactNode;
  /** The acting button, and a field above it where there is one. Each gets the ref of what is to have the focus, the button that of the field, too. */
  act: (focus: RefObject<HTMLButtonElement | null>, field: RefObject<HTMLTextAreaElement | null>) => ReactNode;
  fields?: (focus: RefObject<HTMLTextAreaElement | null>) => ReactNode;
};

/** A question whose focus is where the hand goes next: the field if it has one, else the acting button. It closes from the result. */
export function ConfirmDialog({ open, onOpenChange, title, text, act, fields }: Props) {
  const c = useTexts(common);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const focus = useReturnFocus();
  return (
    <AlertDialog open={open} onOpenChange={onOpenChange}>
      <AlertDialogContent
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          (field.current ?? button.current)?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        <AlertDialogHeader>
          <AlertDialogTitle>{title}</AlertDialogTitle>
          <AlertDialogDescription>{text}</AlertDialogDescription>
        </AlertDialogHeader>
        {fields ? <div className="mt-4">{fields(field)}</div> : null}
        <AlertDialogFooter>
          {act(button, field)}
          <AlertDialogCancel>{c('cancel')}</AlertDialogCancel>
        </AlertDialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
