import { type ComponentProps } from 'react';
import { Toaster as Sonner } from 'sonner';

/** Positions the toasts, which style themselves. */
export function Toaster(props: ComponentProps<typeof Sonner>) {
  return (
    <Sonner
      position="top-center"
      expand
      gap={8}
      mobileOffset={{ bottom: 'var(--toasts-from, 12px)' }}
      toastOptions={{ unstyled: true, className: 'flex w-full justify-center data-[x-position=right]:justify-end' }}
      {...props}
    />
  );
}
