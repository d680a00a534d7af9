import type { Category } from '@/api/contract';

// Apart from their names and subcategories: an address is checked on every page.
export const CATEGORIES = ['Online Asset', 'Physical Product', 'Freelance Service'] as const satisfies readonly Category[];

export function isCategory(value: unknown): value is Category {
  return CATEGORIES.some((category) => category === value);
}
