import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { buttonVariants } from './button';

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;
export const DialogClose = Primitive.Close;

type DialogContentProps = Omit<ComponentProps<typeof Primitive.Content>, 'title'> & {
  title: ReactNode;
  description?: ReactNode;
  /** Opens over another dialog, and covers it. */
  over?: boolean;
};

/** The panel of a Dialog: in the middle of a wide screen, from the bottom on a phone. */
export function DialogContent({ title, description, over = false, className, children, ...props }: DialogContentProps) {
  const t = useTexts(common);
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={cn('scrim', over && 'z-50')} />
      <Primitive.Content
        data-slot="dialog"
        className={cn('dialog', className)}
        {...(description ? {} : { 'aria-describedby': undefined })}
        {...props}
      >
        <div className="dialog__head">
          <Primitive.Title className="d24">{title}</Primitive.Title>
          <Primitive.Close className={buttonVariants({ variant: 'ghost', size: 'icon' })} aria-label={t('close')}>
            <X aria-hidden="true" />
          </Primitive.Close>
        </div>
        {description ? <Primitive.Description className="m mb">{description}</Primitive.Description> : null}
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}
