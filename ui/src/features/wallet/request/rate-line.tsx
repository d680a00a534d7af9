import { useQuery } from '@tanstack/react-query';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { bdt, type Poisha } from '@/lib/money';
import { useLoadFailure } from '../use-load-failure';

/** The amount in taka, or that there is no rate, with Retry. */
export function RateLine({ words, poisha }: { words: string; poisha: Poisha | null }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const rate = useQuery(rateQuery);
  useLoadFailure(rate, t('rateFailed'));
  if (rate.isLoadingError) {
    return (
      <>
        <span className="text-destructive">{t('rateFailed')}</span>{' '}
        <button type="button" className="font-semibold underline underline-offset-[0.22em]" onClick={() => void rate.refetch()}>
          {tCommon('retry')}
        </button>
      </>
    );
  }
  return (
    <>
      {words} <b>{rate.data ? bdt(poisha ?? 0) : t('none')}</b>
    </>
  );
}
