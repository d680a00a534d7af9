import type { Category } from '@/api/contract';

// Without names and subcategories, since every page loads this to check addresses.
export const CATEGORIES = ['Online Asset', 'Physical Product', 'Freelance Service'] as const satisfies readonly Category[];

export function isCategory(value: unknown): value is Category {
  return CATEGORIES.some((category) => category === value);
}
