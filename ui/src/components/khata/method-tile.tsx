import type { ReactNode } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';

const CLASSES: Record<PaymentMethod, string> = { Bkash: 'method--bkash', Nagad: 'method--nagad' };

/** The face of a payment method: the only place for the brands' colours. Wrap it in a button, or use it as a heading. */
export function MethodFace({ method, children }: { method: PaymentMethod; children?: ReactNode }) {
  const t = useTexts(khata);
  return (
    <>
      <span className="method__sw" aria-hidden="true">
        {t(`method.letter.${method}`)}
      </span>
      <span>
        {t(`method.${method}`)}
        <small>{children ?? t('method.personal')}</small>
      </span>
    </>
  );
}

/** A large button that chooses a payment method. */
export function MethodTile({
  method,
  onClick,
  children,
  className,
}: {
  method: PaymentMethod;
  onClick?: () => void;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <button type="button" data-slot="method" className={cn('method', CLASSES[method], className)} onClick={onClick}>
      <MethodFace method={method}>{children}</MethodFace>
    </button>
  );
}

export function methodClass(method: PaymentMethod): string {
  return CLASSES[method];
}
