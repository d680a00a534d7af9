import type { PaymentMethod } from '@/api/contract';
import { oneOf, searchParams } from '@/lib/search-params';

/** In the order in which they are shown. */
export const METHODS: readonly PaymentMethod[] = ['Nagad', 'Bkash'];

/** The payment method of an address: its dialog is open, and a reload or the phone's Back button do what they should. */
export const methodSearch = searchParams({ method: oneOf(METHODS) });
