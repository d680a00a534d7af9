import { useSearch } from '@tanstack/react-router';
import type { DepositSubmitted } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { count } from '@/lib/money';
import ForDeal from '../follow/for-deal';
import { MoneyRequestPage, type RequestPage } from '../request/money-request-page';
import { depositRequest } from '../request/requests';
import type { DepositValues } from '../request/schemas';
import { DepositReceipt, ReceiptTitle } from './deposit-receipt';

const loadForm = () => import('./deposit-form');
const DepositForm = lazyPart(loadForm);
const STEPS = ['deposit.step1', 'deposit.step2', 'deposit.step3', 'deposit.step4'] as const;

function Steps() {
  const t = useTexts(wallet);
  return (
    <Section title={t('deposit.how')}>
      <ol className="relative before:absolute before:inset-y-3.5 before:left-2.75 before:w-0.5 before:bg-stitch-y before:text-subtle-foreground">
        {/* Dashed, because no step has happened yet. */}
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

function Above() {
  const { deal } = useSearch({ strict: false });
  return deal ? (
    <div className="mt-6">
      <ForDeal id={deal} />
    </div>
  ) : null;
}

const PAGE: RequestPage<DepositValues, DepositSubmitted> = {
  path: '/deposit',
  name: 'deposit',
  history: 'deposits',
  request: depositRequest,
  Above,
  Aside: Steps,
  titleOf: (t, tKhata, method) => t('deposit.title', { method: tKhata(`method.${method}`) }),
  load: loadForm,
  Form: DepositForm,
  done: { Title: ReceiptTitle, Receipt: DepositReceipt },
};

export function DepositPage() {
  return <MoneyRequestPage page={PAGE} />;
}
