import { AlertDialog as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { useOverlay } from '@/hooks/use-overlay';
import { cn } from '@/lib/cn';
import { Button } from './button';
import { DIALOG, OVERLAY } from './overlay';

type ButtonProps = ComponentProps<typeof Button>;

/** A click outside does not close it; Back on a phone does, unless `back={false}`. */
export function AlertDialog({ back, ...props }: ComponentProps<typeof Primitive.Root> & { back?: boolean }) {
  return <Primitive.Root {...props} {...useOverlay({ ...props, back })} />;
}
export const AlertDialogPortal = Primitive.Portal;

export function AlertDialogTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger data-slot="alert-dialog-trigger" {...props} />;
}

export function AlertDialogOverlay({ className, ...props }: ComponentProps<typeof Primitive.Overlay>) {
  return <Primitive.Overlay data-slot="alert-dialog-overlay" className={cn(OVERLAY, className)} {...props} />;
}

export function AlertDialogContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <AlertDialogPortal>
      <AlertDialogOverlay />
      <Primitive.Content data-slot="alert-dialog-content" className={cn(DIALOG, className)} {...props} />
    </AlertDialogPortal>
  );
}

export function AlertDialogHeader({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="alert-dialog-header" className={cn('-mt-1.5 max-xs:-mt-0.5', className)} {...props} />;
}

export function AlertDialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div data-slot="alert-dialog-footer" className={cn('mt-4 flex min-w-0 flex-wrap items-center gap-3', className)} {...props} />
  );
}

export function AlertDialogTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return (
    <Primitive.Title
      data-slot="alert-dialog-title"
      className={cn('-mr-2.5 mb-3 pt-2 font-display text-display-sm max-xs:-mr-2 max-xs:mb-2', className)}
      {...props}
    />
  );
}

export function AlertDialogDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return (
    <Primitive.Description data-slot="alert-dialog-description" className={cn('text-muted-foreground', className)} {...props} />
  );
}

/** Unlike Radix's, it leaves the dialog open while the work runs. */
export function AlertDialogAction(props: ButtonProps) {
  return <Button data-slot="alert-dialog-action" {...props} />;
}

export function AlertDialogCancel(props: ButtonProps) {
  return (
    <Primitive.Cancel asChild>
      <Button data-slot="alert-dialog-cancel" variant="outline" {...props} />
    </Primitive.Cancel>
  );
}
