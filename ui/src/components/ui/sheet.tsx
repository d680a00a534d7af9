import { Dialog as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { useOverlay } from '@/hooks/use-overlay';
import { cn } from '@/lib/cn';
import { CloseButton, type Closing, DialogOverlay } from './dialog';
import { PANEL } from './overlay';

export function Sheet({ back, ...props }: ComponentProps<typeof Primitive.Root> & { back?: boolean }) {
  return <Primitive.Root {...props} {...useOverlay({ ...props, back })} />;
}
export const SheetPortal = Primitive.Portal;

const SIDES = { left: 'left-0 w-[min(320px,calc(100vw-48px))]', right: 'right-0 w-[min(392px,100vw)]' };

type Props = ComponentProps<typeof Primitive.Content> & Closing & { side?: keyof typeof SIDES };

export function SheetContent({ side = 'right', className, children, showCloseButton = true, closeLabel, ...props }: Props) {
  return (
    <SheetPortal>
      <DialogOverlay data-slot="sheet-overlay" />
      <Primitive.Content
        data-slot="sheet-content"
        data-side={side}
        className={cn(PANEL, 'inset-y-0', SIDES[side], className)}
        {...props}
      >
        {showCloseButton ? <CloseButton label={closeLabel} className="absolute top-2 right-2" /> : null}
        {children}
      </Primitive.Content>
    </SheetPortal>
  );
}

export function SheetHeader({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div data-slot="sheet-header" className={cn('flex min-h-15 flex-col justify-center py-2 pr-16 pl-5', className)} {...props} />
  );
}

export function SheetTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title data-slot="sheet-title" className={cn('font-semibold', className)} {...props} />;
}

export function SheetDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return <Primitive.Description data-slot="sheet-description" className={cn('text-muted-foreground', className)} {...props} />;
}
