import type { PaymentMethod } from '@/api/contract';

/** In the order in which they are shown. */
export const METHODS: readonly PaymentMethod[] = ['Nagad', 'Bkash'];

/** The payment method of an address: its dialog is open, and a reload or the phone's Back button do what they should. */
export function chosenMethod(value: unknown): { method?: PaymentMethod } {
  const method = METHODS.find((known) => known === value);
  return method ? { method } : {};
}
