import { Facts } from '@/components/section';
import { useTexts } from '@/i18n';
import { disputeRoom } from '@/i18n/en/dispute-room';
import { type Cents, usd } from '@/lib/money';
import type { Split } from './split';

/** Names of the parties; null is the reader. */
export type Names = { buyer: string | null; seller: string | null };

type Props = { split: Split; names: Names; price?: Cents };

export function SplitFacts({ split, names, price }: Props) {
  const t = useTexts(disputeRoom);
  const gets = (name: string | null) => (name === null ? t('split.you') : t('split.gets', { name }));
  return (
    <Facts
      rows={[
        [gets(names.buyer), usd(split.buyer)],
        [gets(names.seller), usd(split.seller)],
        [t('split.fee'), usd(split.fee)],
      ]}
      {...(price === undefined ? {} : { total: [t('split.price'), usd(price)] as const })}
    />
  );
}
