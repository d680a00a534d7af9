import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '@/components/copy-button';
import { RetryLine } from '@/components/load-failed';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { ShareButton } from '@/components/share-button';
import { Stat } from '@/components/stat';
import { Skeleton } from '@/components/ui/skeleton';
import { type LedgerLine, LedgerLines } from '@/entities/deal/khata/ledger';
import { useTexts } from '@/i18n';
import { refer } from '@/i18n/en/refer';
import { amount, centsFromWire, count, feeOf, rewardOf, usd, usdWhole } from '@/lib/money';
import { referralCodeQuery, referralStatsQuery } from './queries';

function ShareLink() {
  const t = useTexts(refer);
  const code = useQuery(referralCodeQuery);
  if (code.isLoadingError) return <RetryLine text={t('linkFailed')} onRetry={() => void code.refetch()} />;
  if (!code.data) return <Skeleton className="h-32.5" />;
  const url = `${window.location.origin}/referral/${encodeURIComponent(code.data)}`;
  return (
    <>
      <p // As high as two lines, so that a long link moves nothing.
        className="min-h-13.5 font-display text-xl leading-[1.35] font-semibold tracking-[-0.01em] wrap-anywhere"
        lang="en"
      >
        {url}
      </p>
      <div className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
        <CopyButton value={url} label={t('linkOf')} done={t('copied')} variant="default" className="min-h-13">
          {t('copy')}
        </CopyButton>
        <ShareButton url={url} title={t('title')} text={t('shareText')} className="min-h-13" />
      </div>
    </>
  );
}

const PRICE = 500_00;
const FEE = feeOf(PRICE);
const REWARD = rewardOf(PRICE);

function Results() {
  const t = useTexts(refer);
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
      {stats.isLoadingError ? <RetryLine text={t('statsFailed')} className="mt-4" onRetry={() => void stats.refetch()} /> : null}
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
