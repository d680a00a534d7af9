import type { Deal } from '@/api/contract';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { titleOf } from './title';

/** The title of a deal, or what stands for it where there is no description (any more). */
export function useDealTitle(): (deal: Pick<Deal, 'description'>) => string {
  const t = useTexts(khata);
  return ({ description }) => titleOf(description) || t('untitled');
}
