import { useQueryClient } from '@tanstack/react-query';
import type { DealDetail } from '@/api/contract';
import { Note } from '@/components/note';
import { keys } from '@/entities/keys';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit-follow';
import { beginningOf } from '@/lib/letters';

const MAX_TITLE = 72;

/** Not `titleOf`: with another importer it would be loaded with every page. */
function firstLine(description: string): string {
  const line = description.trim().split(/\r?\n/, 1)[0] ?? '';
  const beginning = beginningOf(line, MAX_TITLE);
  return beginning === line ? line : `${beginning.trimEnd()}…`;
}

/** Names the deal that a deposit is for; by its title if cached, as it usually is. */
export default function ForDeal({ id }: { id: string }) {
  const t = useTexts(depositFollow);
  const known = useQueryClient().getQueryData<DealDetail>(keys.deal(id));
  const title = known ? firstLine(known.description) : '';
  return <Note>{title === '' ? t('forSomeDeal') : t('forDeal', { title })}</Note>;
}
