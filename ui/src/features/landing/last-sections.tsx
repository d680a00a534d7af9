import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { CASH, HANGING } from '@/components/classes';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { landingBelow } from '@/i18n/en/landing-below';
import { rewardOf, usd } from '@/lib/money';
import { EXAMPLE } from './example';

function Half({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={HANGING}>
      <h2 className="font-display text-display-md">{title}</h2>
      {children}
    </section>
  );
}

export function Referral() {
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

export function Papers() {
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
