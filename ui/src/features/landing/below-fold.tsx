import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { CASH, HANGING, MONEY, TAKA, TOTAL } from '@/components/classes';
import { MoneyInput } from '@/components/money-input';
import { buttonVariants } from '@/components/ui/button';
import type { Holder } from '@/entities/deal/khata/holder';
import { type LedgerLine, LedgerLines } from '@/entities/deal/khata/ledger';
import { Strip } from '@/entities/deal/khata/strip';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { categories } from '@/i18n/en/categories';
import { common } from '@/i18n/en/common';
import { landingBelow } from '@/i18n/en/landing-below';
import { parseCents } from '@/lib/amount';
import { cn } from '@/lib/cn';
import { aboutBdt, amount, bdt, count, feeOf, localDigits, rewardOf, usd } from '@/lib/money';
import { completeHydration } from '@/prerender/hydration';
import { EXAMPLE, LandingSection, SectionHead, SectionTitle } from './sections';

const ONE_DOLLAR = 100;

function Line({ label, sum }: { label: string; sum: number }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b py-3.5">
      <dt>{label}</dt>
      <dd className={`${MONEY} text-[clamp(1.5rem,1.2rem+1.4vw,2.25rem)]`}>{usd(sum)}</dd>
    </div>
  );
}

function Calculator() {
  const t = useTexts(landingBelow);
  const tCommon = useTexts(common);
  const taka = useTaka('gets');
  const [typed, setTyped] = useState('480.00');
  const price = parseCents(typed) ?? 0;
  const fee = feeOf(price);
  const title = price === EXAMPLE.price ? t('calc.title', { price: usd(price).replace(/[.][0০]{2}$/, '') }) : t('calc.titleOpen');
  return (
    <LandingSection className="grid gap-8 md:grid-cols-[1fr_1fr] md:gap-24">
      <div>
        <SectionTitle>{title}</SectionTitle>
        <p className="mt-3 max-w-[34em] text-lede text-muted-foreground">{t('calc.lede')}</p>
        <MoneyInput
          className="mt-6 max-w-105"
          label={t('calc.price')}
          value={localDigits(typed)}
          onValue={setTyped}
          under={taka ? <b>{aboutBdt(taka(price))}</b> : null}
          underEnd={taka ? tCommon('rate', { taka: bdt(taka(ONE_DOLLAR)) }) : null}
        />
      </div>
      <dl className="self-start border-t-2 border-foreground" aria-live="polite">
        <Line label={t('calc.buyer')} sum={price} />
        <Line label={t('calc.fee')} sum={-fee} />
        <div className="flex items-baseline justify-between gap-4 py-3.5">
          <dt className="font-semibold">{t('calc.seller')}</dt>
          <dd className={`${MONEY} text-[clamp(2rem,1.6rem+2vw,3.25rem)]`}>
            <span className={cn(TOTAL, 'pb-1')}>{usd(price - fee)}</span>
          </dd>
        </div>
        {taka ? (
          <div className="-mt-0.5 flex justify-end">
            <dt className="sr-only">{t('calc.taka')}</dt>
            <dd className={cn(TAKA, 'text-md')}>{t('calc.toWallet', { taka: aboutBdt(taka(price - fee)) })}</dd>
          </div>
        ) : null}
      </dl>
    </LandingSection>
  );
}

const STEPS: readonly { n: 1 | 2 | 3 | 4 | 5; holder: Holder }[] = [
  { n: 1, holder: 'buyer' },
  { n: 2, holder: 'amanat' },
  { n: 3, holder: 'amanat' },
  { n: 4, holder: 'amanat' },
  { n: 5, holder: 'seller' },
];

function FiveLines() {
  const t = useTexts(landingBelow);
  const lines: LedgerLine[] = STEPS.map(({ n, holder }) => ({
    key: String(n),
    when: (
      <>
        <b className="inline-block min-w-6 font-display text-md leading-none font-semibold text-foreground normal-nums">
          {count(n)}
        </b>
        {t(`line.${n}.when`)}
      </>
    ),
    what: t(`line.${n}.what`),
    detail: t(`line.${n}.detail`),
    holds: { holder, sum: amount(holder === 'seller' ? EXAMPLE.payout : EXAMPLE.price) },
    ...(holder === 'seller' ? { fee: t('line.fee', { sum: amount(EXAMPLE.fee) }) } : {}),
  }));
  return (
    <LandingSection id="how">
      <SectionHead title={t('how.title')} lede={t('how.lede')} />
      <LedgerLines big label={t('how.table')} lines={lines} />
    </LandingSection>
  );
}

/** One column per category (docs/rules.md#categories), the most popular subcategories first. */
const INDEX = [
  {
    category: 'Online Asset',
    kinds: ['YouTube Channel', 'Facebook Page', 'Instagram Page', 'Website', 'Domain Name', 'Game Id', 'Ebook'],
  },
  {
    category: 'Physical Product',
    kinds: ['Mobile Phone', 'Laptop', 'Hand Watch', 'Election Gadget', 'T-Shirts', 'Books', 'Electronic Part', 'Home Decor'],
  },
  { category: 'Freelance Service', kinds: ['Logo Design', 'Web Development', 'Writing', 'Marketing'] },
] as const;

function Trade() {
  const t = useTexts(landingBelow);
  const tCategories = useTexts(categories);
  return (
    <LandingSection>
      <SectionTitle>{t('trade.title')}</SectionTitle>
      <div className="mt-6 grid gap-8 md:grid-cols-3">
        {INDEX.map(({ category, kinds }) => (
          <div key={category} className={HANGING}>
            <h3 className="font-semibold">{tCategories(`category.${category}`)}</h3>
            <ul className="mt-2 max-md:columns-2 max-md:gap-x-4">
              {kinds.map((kind) => (
                <li key={kind} className="max-md:break-inside-avoid">
                  <Link
                    to="/explore"
                    search={{ category, search: kind }}
                    className="flex min-h-11 items-center font-display text-display-xs leading-[1.3] no-underline hover:underline max-md:text-base"
                  >
                    {tCategories(`sub.${kind}`)}
                  </Link>
                </li>
              ))}
            </ul>
            {category === 'Freelance Service' ? (
              <>
                <p className="mt-4 border-t pt-4 text-sm text-muted-foreground">{t('trade.other')}</p>
                <Link className={buttonVariants({ variant: 'link', className: 'mt-3' })} to="/explore">
                  {t('trade.all')} <ArrowRight className="size-4" aria-hidden="true" />
                </Link>
              </>
            ) : null}
          </div>
        ))}
      </div>
    </LandingSection>
  );
}

/** Who acts, and who then holds the money. */
const CASES = [
  ['seller', 'buyer'],
  ['both', 'amanat'],
  ['buyer', 'seller'],
] as const;

function GoesWrong() {
  const t = useTexts(landingBelow);
  return (
    <LandingSection>
      <SectionHead title={t('wrong.title')} />
      <div className="grid gap-8 min-[960px]:grid-cols-3">
        {CASES.map(([who, holder]) => (
          <div key={who} className="grid grid-rows-[auto_1fr_auto] gap-2 border-t-2 border-foreground pt-3">
            <h3 className="font-display text-display-xs">{t(`wrong.${who}.title`)}</h3>
            <p className="text-muted-foreground">{t(`wrong.${who}.text`)}</p>
            <Strip holder={holder} className="mt-3 h-10 grid-cols-3 max-[360px]:text-caption">
              {t(`wrong.${who}.strip`, { sum: usd(holder === 'seller' ? EXAMPLE.payout : EXAMPLE.price) })}
            </Strip>
          </div>
        ))}
      </div>
    </LandingSection>
  );
}

function Half({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={HANGING}>
      <h2 className="font-display text-display-md">{title}</h2>
      {children}
    </section>
  );
}

function Referral() {
  const t = useTexts(landingBelow);
  return (
    <Half title={t('refer.title')}>
      <p className="mt-2 text-muted-foreground">{t('refer.text')}</p>
      <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2 border-y py-3">
        <span>
          {t('refer.deal')} <b className={CASH}>{usd(EXAMPLE.price)}</b>
        </span>
        <span>
          {t('refer.earn')} <b className={CASH}>{usd(rewardOf(EXAMPLE.price))}</b>
        </span>
      </p>
      <Link className={buttonVariants({ variant: 'link', className: 'mt-3' })} to="/signup">
        {t('refer.link')} <ArrowRight className="size-4" aria-hidden="true" />
      </Link>
    </Half>
  );
}

const PAPERS = [
  ['licence', 'trade-licence'],
  ['tax', 'tax-certificate'],
  ['bank', 'bank-document'],
] as const;

function Papers() {
  const t = useTexts(landingBelow);
  return (
    <Half title={t('papers.title')}>
      <div className="mt-4 grid grid-cols-3 gap-3">
        {PAPERS.map(([name, file]) => (
          <Link
            key={name}
            to="/papers"
            className="group grid content-start gap-2 text-md leading-[1.35] no-underline [:lang(bn)_&]:leading-[1.55]"
          >
            <img
              className="w-full max-w-37.5 border border-border-strong"
              src={`/papers/${file}.svg`}
              alt=""
              width={600}
              height={800}
              loading="lazy"
            />
            <b className="font-semibold group-hover:underline">{t(`papers.${name}`)}</b>
          </Link>
        ))}
      </div>
    </Half>
  );
}

export default function BelowFold() {
  useEffect(completeHydration, []);
  return (
    <>
      <FiveLines />
      <Calculator />
      <GoesWrong />
      <Trade />
      <LandingSection className="grid gap-12 md:grid-cols-2 md:gap-16">
        <Referral />
        <Papers />
      </LandingSection>
    </>
  );
}
