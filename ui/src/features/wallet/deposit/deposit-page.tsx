import { getRouteApi, useRouter } from '@tanstack/react-router';
import { lazy, useEffect } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { Section } from '@/components/section';
import { useMe } from '@/entities/user/queries';
import { useCloseAddress } from '@/hooks/use-close-address';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { count } from '@/lib/money';
import { prefetch } from '@/lib/prefetch';
import { MethodPage } from '../request/method-page';
import { depositDraft, useDeposit } from './use-deposit';

const route = getRouteApi('/_app/deposit');
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

/** /deposit */
export function DepositPage() {
  const t = useTexts(wallet);
  const k = useTexts(khata);
  const me = useMe();
  const router = useRouter();
  const { method } = route.useSearch();
  const navigate = route.useNavigate();
  const closeAddress = useCloseAddress('method');
  const choose = (chosen: PaymentMethod) => void navigate({ search: { method: chosen }, state: true, resetScroll: false });
  const close = () => closeAddress(() => void navigate({ search: {}, state: true, replace: true, resetScroll: false }));
  // Before the first click, but not before the page.
  useEffect(() => prefetch(loadForm()), []);
  const action = useDeposit(() => {
    // The user may be on another page by now.
    if (router.state.location.pathname === '/deposit') close();
  });
  return (
    <MethodPage
      kind="deposits"
      title={t('deposit')}
      lede={t('deposit.lede')}
      choose={t('deposit.choose')}
      tile={t('deposit.tile')}
      aside={<Steps />}
      method={method}
      onMethod={(chosen) => {
        if (action.phase === 'idle') action.reset();
        if (chosen) choose(chosen);
        else close();
      }}
      dialogTitle={(chosen) => t('deposit.title', { method: k(`method.${chosen}`) })}
      form={(chosen) => <DepositForm key={chosen} method={chosen} action={action} draft={depositDraft(me._id, chosen)} />}
    />
  );
}
