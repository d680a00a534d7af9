import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { useOverlay } from '@/hooks/use-overlay';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { Button } from './button';
import { DIALOG, OVERLAY } from './overlay';

/** Back closes it on a phone, unless `back={false}`. */
export function Dialog({ back, ...props }: ComponentProps<typeof Primitive.Root> & { back?: boolean }) {
  return <Primitive.Root {...props} {...useOverlay({ ...props, back })} />;
}
export const DialogPortal = Primitive.Portal;

export function DialogTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger data-slot="dialog-trigger" {...props} />;
}

export function DialogClose(props: ComponentProps<typeof Primitive.Close>) {
  return <Primitive.Close data-slot="dialog-close" {...props} />;
}

export function DialogOverlay({ className, ...props }: ComponentProps<typeof Primitive.Overlay>) {
  return <Primitive.Overlay data-slot="dialog-overlay" className={cn(OVERLAY, className)} {...props} />;
}

export function CloseButton({ label, className }: { label?: string | undefined; className?: string }) {
  const t = useTexts(common);
  return (
    <DialogClose asChild>
      <Button variant="ghost" size="icon" className={className} aria-label={label ?? t('close')}>
        <X aria-hidden="true" />
      </Button>
    </DialogClose>
  );
}

export type Closing = {
  showCloseButton?: boolean;
  closeLabel?: string;
};

/** Centred on a wide screen, at the bottom on a phone. The close button is focused first. */
export function DialogContent({
  className,
  children,
  showCloseButton = true,
  closeLabel,
  ...props
}: ComponentProps<typeof Primitive.Content> & Closing) {
  return (
    <DialogPortal>
      <DialogOverlay />
      <Primitive.Content data-slot="dialog-content" className={cn(DIALOG, className)} {...props}>
        {showCloseButton ? (
          <CloseButton label={closeLabel} className="absolute top-3.5 right-3.5 max-xs:top-3 max-xs:right-2" />
        ) : null}
        {children}
      </Primitive.Content>
    </DialogPortal>
  );
}

export function DialogHeader({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-header" className={cn('-mt-1.5 max-xs:-mt-0.5', className)} {...props} />;
}

export function DialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="dialog-footer" className={cn('mt-4 flex min-w-0 flex-wrap items-center gap-3', className)} {...props} />;
}

/** Leaves room for the close button. */
export function DialogTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return (
    <Primitive.Title
      data-slot="dialog-title"
      className={cn('mb-3 min-h-11 pt-2 pr-11.5 font-display text-display-sm max-xs:mb-2 max-xs:pr-12', className)}
      {...props}
    />
  );
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return (
    <Primitive.Description data-slot="dialog-description" className={cn('mb-2 text-muted-foreground', className)} {...props} />
  );
}
