import type { ComponentProps, ReactNode } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';

const COLOURS: Record<PaymentMethod, string> = { Bkash: 'bg-bkash', Nagad: 'bg-nagad' };

export const METHOD = 'flex w-full items-center gap-3 bg-background px-3.5 py-2.5 text-start font-semibold';

/** The mark of a payment method, the only use of the brands' colours. */
export function MethodMark({ method }: { method: PaymentMethod }) {
  const t = useTexts(khata);
  return (
    <span
      className={cn(
        'grid size-9 flex-none place-items-center rounded-xs font-display text-lg/none font-bold text-white',
        COLOURS[method],
      )}
      aria-hidden="true"
    >
      {t(`method.letter.${method}`)}
    </span>
  );
}

/** A payment method's name and mark. Wrap it in a button, or use it as a heading. */
export function MethodFace({ method, children }: { method: PaymentMethod; children?: ReactNode }) {
  const t = useTexts(khata);
  return (
    <>
      <MethodMark method={method} />
      <span>
        {t(`method.${method}`)}
        <small className="block text-caption font-normal text-muted-foreground">{children ?? t('method.personal')}</small>
      </span>
    </>
  );
}

export function MethodTile({ method, className, ...props }: ComponentProps<'button'> & { method: PaymentMethod }) {
  return (
    <button
      type="button"
      data-slot="method"
      className={cn(METHOD, 'min-h-16 rounded-md border border-input', className)}
      {...props}
    >
      <MethodFace method={method} />
    </button>
  );
}
