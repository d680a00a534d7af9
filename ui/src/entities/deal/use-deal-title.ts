import type { Deal } from '@/api/contract';
import { useTexts } from '@/i18n';
import { dealLine } from '@/i18n/en/deal-line';
import { titleOf } from './title';

/** The title of a deal, or a placeholder without a description. */
export function useDealTitle(): (deal: Pick<Deal, 'description'>) => string {
  const t = useTexts(dealLine);
  return ({ description }) => titleOf(description) || t('untitled');
}
