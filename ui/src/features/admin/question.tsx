import { AlertDialog as Primitive } from 'radix-ui';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { useReturnFocus } from '@/lib/return-focus';

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
export function Question({ open, onOpenChange, title, text, act, fields }: Props) {
  const c = useTexts(common);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const focus = useReturnFocus();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="scrim" />
        <Primitive.Content
          data-slot="question"
          className="dialog"
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focus.remember(event);
            (field.current ?? button.current)?.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
        >
          <div className="dialog__head">
            <Primitive.Title className="font-display text-display-sm">{title}</Primitive.Title>
          </div>
          <Primitive.Description className="text-muted-foreground">{text}</Primitive.Description>
          {fields ? <div className="mt-4">{fields(field)}</div> : null}
          <div className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
            {act(button, field)}
            <Primitive.Cancel asChild>
              <Button variant="outline">{c('cancel')}</Button>
            </Primitive.Cancel>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
