import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { buttonVariants } from './button';

export const Sheet = Primitive.Root;

type Props = { title: ReactNode; side?: 'left' | 'right'; className?: string; children: ReactNode };

/** A panel from the side: the admin's menu on a phone, the review drawer. */
export function SheetContent({ title, side = 'left', className, children }: Props) {
  const t = useTexts(common);
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="scrim" />
      <Primitive.Content data-slot="sheet" data-side={side} className={cn('sheet', className)} aria-describedby={undefined}>
        <div className="dialog__head sheet__head">
          <Primitive.Title className="b">{title}</Primitive.Title>
          <Primitive.Close className={buttonVariants({ variant: 'ghost', size: 'icon' })} aria-label={t('close')}>
            <X aria-hidden="true" />
          </Primitive.Close>
        </div>
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}
