import { CASH } from '@/components/classes';
import { Section } from '@/components/section';
import type { LastSeen, SeenDeal } from '@/entities/deal/last-seen';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useTexts } from '@/i18n';
import { dealLine } from '@/i18n/en/deal-line';
import { offline } from '@/i18n/en/offline';
import { usd } from '@/lib/money';
import { AsOf } from './as-of';

function DealLine({ title, status, price, other }: SeenDeal) {
  const t = useTexts(offline);
  const tDealLine = useTexts(dealLine);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 wrap-anywhere">
      <p className="flex-[1_1_160px]">
        <b className="font-semibold">{title || tDealLine('untitled')}</b>
        <br />
        <span className="text-sm text-muted-foreground">{t('with', { name: other })}</span>
      </p>
      <p className="flex flex-col items-end gap-x-4 gap-y-1 sm:flex-row sm:items-center">
        <StatusBadge status={status} />
        <span className={CASH}>{usd(price)}</span>
      </p>
    </li>
  );
}

export function SeenDeals({ at, value: { rows, total } }: NonNullable<LastSeen['deals']>) {
  const t = useTexts(offline);
  const more = total - rows.length;
  return (
    <Section title={t('deals')} aside={<AsOf at={at} />}>
      {rows.length > 0 ? (
        <ul>
          {rows.map((deal) => (
            <DealLine key={deal._id} {...deal} />
          ))}
        </ul>
      ) : (
        <p className="text-muted-foreground">{t('noDeals')}</p>
      )}
      {more > 0 ? <p className="mt-3 text-sm text-muted-foreground">{t('moreDeals', { count: more })}</p> : null}
    </Section>
  );
}
