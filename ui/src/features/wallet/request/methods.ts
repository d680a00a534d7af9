import type { PaymentMethod } from '@/api/contract';
import { oneOf, searchParams } from '@/lib/search-params';

export const METHODS: readonly PaymentMethod[] = ['Nagad', 'Bkash'];

/** The method in the address opens its dialog, so that reloads and Back work. */
export const methodSearch = searchParams({ method: oneOf(METHODS) });
