import type { ComponentProps } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';

const COLOURS: Record<PaymentMethod, string> = { Bkash: 'bg-bkash', Nagad: 'bg-nagad' };

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

/** A button that chooses a payment method. */
export function MethodTile({ method, className, ...props }: ComponentProps<'button'> & { method: PaymentMethod }) {
  const t = useTexts(khata);
  return (
    <button
      type="button"
      data-slot="method"
      className={cn(
        'flex min-h-16 w-full items-center gap-3 rounded-md border border-input bg-background px-3.5 py-2.5 text-start font-semibold',
        className,
      )}
      {...props}
    >
      <MethodMark method={method} />
      <span>
        {t(`method.${method}`)}
        <small className="block text-caption font-normal text-muted-foreground">{t('method.personal')}</small>
      </span>
    </button>
  );
}
