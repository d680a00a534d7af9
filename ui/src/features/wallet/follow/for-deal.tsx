import { useQueryClient } from '@tanstack/react-query';
import type { DealDetail } from '@/api/contract';
import { Note } from '@/components/note';
import { titleOf } from '@/entities/deal/title';
import { keys } from '@/entities/keys';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit';

/** Names the deal that a deposit is for, and pays if `paid`; by its title if cached, as usual. */
export default function ForDeal({ id, paid }: { id: string; paid: boolean }) {
  const t = useTexts(depositFollow);
  const known = useQueryClient().getQueryData<DealDetail>(keys.deal(id));
  const title = known ? titleOf(known.description) : '';
  return (
    <Note>
      {title === '' ? t('forSomeDeal') : t('forDeal', { title })} {t(paid ? 'forDeal.paid' : 'forDeal.pay')}
    </Note>
  );
}
