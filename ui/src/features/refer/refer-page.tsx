import { useQuery } from '@tanstack/react-query';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { Stat } from '@/components/stat';
import { Button } from '@/components/ui/button';
import { type LedgerLine, LedgerLines } from '@/entities/deal/khata/ledger';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { refer } from '@/i18n/en/refer';
import { amount, centsFromWire, count, feeOf, rewardOf, usd, usdWhole } from '@/lib/money';
import { referralStatsQuery } from './queries';
import { ShareLink } from './share-link';

const PRICE = 500_00;
const FEE = feeOf(PRICE);
const REWARD = rewardOf(PRICE);

function Results() {
  const t = useTexts(refer);
  const tCommon = useTexts(common);
  const stats = useQuery(referralStatsQuery);
  const { data } = stats;
  return (
    <Section title={t('results')}>
      <div className="grid grid-cols-2 gap-5">
        <Stat label={t('referred')} value={data ? count(data.totalReferred) : t('none')}>
          {t('referredText')}
        </Stat>
        <Stat label={t('earnings')} value={data ? usd(centsFromWire(data.referralEarnings)) : t('none')}>
          {t('earningsText')}
        </Stat>
      </div>
      {stats.isLoadingError ? (
        <p className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
          {t('statsFailed')}
          <Button variant="link" onClick={() => void stats.refetch()}>
            {tCommon('retry')}
          </Button>
        </p>
      ) : null}
      {data?.totalReferred === 0 ? (
        <p className="mt-4">
          <b className="font-semibold">{t('empty')}</b> {t('emptyText')}
        </p>
      ) : null}
    </Section>
  );
}

function How() {
  const t = useTexts(refer);
  const sums = { price: usdWhole(PRICE), fee: usd(FEE), reward: usd(REWARD) };
  const when = (n: number) => t('line.when', { n });
  const lines: LedgerLine[] = [
    {
      key: '1',
      when: when(1),
      what: t('line.1.what'),
      detail: t('line.1.detail'),
      holds: { holder: 'buyer', sum: amount(PRICE) },
    },
    {
      key: '2',
      when: when(2),
      what: t('line.2.what', sums),
      detail: t('line.2.detail'),
      holds: { holder: 'amanat', sum: amount(PRICE) },
    },
    {
      key: '3',
      when: when(3),
      what: t('line.3.what'),
      detail: t('line.3.detail', sums),
      holds: { holder: 'seller', sum: amount(PRICE - FEE) },
      fee: t('line.fee', { fee: amount(FEE) }),
    },
  ];
  return (
    <Section title={t('how')}>
      <p className="mb-5 max-w-measure">{t('sum', sums)}</p>
      <LedgerLines label={t('how')} lines={lines} />
    </Section>
  );
}

/** /refer: the link, its results, and how it works. */
export function ReferPage() {
  const t = useTexts(refer);
  return (
    <Page title={t('title')}>
      <h1 className="font-display text-display-lg">{t('title')}</h1>
      <p className="mt-2 max-w-measure text-lede text-muted-foreground">{t('lede')}</p>
      <div className="mt-10 mb-14 grid gap-10 *:min-w-0 wide:grid-cols-2 wide:gap-12">
        <Section title={t('link')}>
          <ShareLink />
        </Section>
        <Results />
      </div>
      <How />
    </Page>
  );
}
