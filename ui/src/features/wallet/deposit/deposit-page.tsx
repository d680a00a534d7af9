import { lazy } from 'react';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { count } from '@/lib/money';
import { MoneyRequestPage, type RequestPage } from '../request/money-request-page';
import type { DepositValues } from '../request/schemas';
import { depositRequest } from './deposit-request';

const loadForm = () => import('./deposit-form');
const DepositForm = lazy(loadForm);
const STEPS = ['deposit.step1', 'deposit.step2', 'deposit.step3', 'deposit.step4'] as const;

function Steps() {
  const t = useTexts(wallet);
  return (
    <Section title={t('deposit.how')}>
      <ol className="relative before:absolute before:inset-y-3.5 before:left-2.75 before:w-0.5 before:bg-stitch-y before:text-subtle-foreground">
        {/* The running stitch leads through the steps: none of them has happened yet. */}
        {STEPS.map((step, index) => (
          <li key={step} className="relative flex items-baseline gap-3 py-1.5">
            <span className="w-6 flex-none bg-background text-center font-display leading-[1.5] font-title" aria-hidden="true">
              {count(index + 1)}
            </span>
            {t(step)}
          </li>
        ))}
      </ol>
    </Section>
  );
}

const PAGE: RequestPage<DepositValues> = {
  path: '/deposit',
  name: 'deposit',
  history: 'deposits',
  request: depositRequest,
  Aside: Steps,
  titleOf: (t, k, method) => t('deposit.title', { method: k(`method.${method}`) }),
  loadForm,
  Form: DepositForm,
};

/** /deposit */
export function DepositPage() {
  return <MoneyRequestPage page={PAGE} />;
}
