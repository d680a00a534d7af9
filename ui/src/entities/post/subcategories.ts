import type { Category } from '@/api/contract';
import { useTexts } from '@/i18n';
import { categories } from '@/i18n/en/categories';

/** docs/rules.md#categories. Every category also offers OTHER, for the seller's own words. */
export const SUBCATEGORIES = {
  'Freelance Service': ['Logo Design', 'Web Development', 'Writing', 'Marketing'],
  'Physical Product': [
    'Mobile Phone',
    'Laptop',
    'Hand Watch',
    'Election Gadget',
    'T-Shirts',
    'Books',
    'Electronic Part',
    'Home Decor',
  ],
  'Online Asset': ['YouTube Channel', 'Instagram Page', 'Website', 'Ebook', 'Facebook Page', 'Domain Name', 'Game Id'],
} as const satisfies Record<Category, readonly string[]>;

type Subcategory = (typeof SUBCATEGORIES)[Category][number];

export const OTHER_SUBCATEGORY = 'Other';

function isSubcategory(value: string): value is Subcategory {
  return Object.values(SUBCATEGORIES).some((list) => (list as readonly string[]).includes(value));
}

export function isSubcategoryOf(category: Category, value: string): boolean {
  return (SUBCATEGORIES[category] as readonly string[]).includes(value);
}

/** Names in the current language; a seller's own subcategory stays as written. */
export function useCategoryNames() {
  const t = useTexts(categories);
  return {
    category: (name: Category) => t(`category.${name}`),
    subcategory: (name: string) => (isSubcategory(name) ? t(`sub.${name}`) : name),
  };
}

const USUAL = 3;
const SLOW = 10;

/** Their ownership takes days to transfer (Google: seven). */
const SLOW_TRANSFERS = ['YouTube Channel', 'Instagram Page', 'Facebook Page', 'Game Id'];

export const isSlowTransfer = (subcategory: string) => SLOW_TRANSFERS.includes(subcategory);

export const inspectionDays = (subcategory: string): number => (isSlowTransfer(subcategory) ? SLOW : USUAL);
