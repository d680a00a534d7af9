import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { lazy, useEffect } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { MONEY, TAKA } from '@/components/classes';
import { Facts, Section } from '@/components/section';
import { useMe } from '@/entities/user/queries';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { useCloseAddress } from '@/hooks/use-close-address';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { aboutBdt, bdt, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { prefetch } from '@/lib/prefetch';
import { MethodPage } from '../request/method-page';
import { useLoadFailure } from '../use-load-failure';
import { useWithdraw, withdrawDraft } from './use-withdraw';

const route = getRouteApi('/_app/withdraw');
const loadForm = () => import('./withdraw-form');
const WithdrawForm = lazy(loadForm);

function Available() {
  const t = useTexts(wallet);
  const b = useTexts(words);
  const balance = useQuery(walletQuery);
  useLoadFailure(balance, b('failed'));
  const { data: rate } = useQuery(rateQuery);
  const whole = rate ? floorRate(rate.usdToBdt) : null;
  const cents = balance.data ? centsFromWire(balance.data.wallet) : null;
  const rows = [
    [t('rateWithdrawals'), whole === null ? t('none') : bdt(toPoisha(100, whole))],
    [t('onTheWay'), balance.data ? usd(centsFromWire(balance.data.pendingWithdrawal)) : t('none')],
  ] as const;
  return (
    <Section title={t('yourBalance')}>
      <p className={`${MONEY} text-[40px]`}>{cents === null ? t('none') : usd(cents)}</p>
      <p className={cn(TAKA, 'mt-1 mb-2')}>{cents === null || whole === null ? null : aboutBdt(toPoisha(cents, whole))}</p>
      <Facts rows={rows} />
    </Section>
  );
}

/** /withdraw */
export function WithdrawPage() {
  const t = useTexts(wallet);
  const me = useMe();
  const router = useRouter();
  const { method } = route.useSearch();
  const navigate = route.useNavigate();
  const closeAddress = useCloseAddress('method');
  const choose = (chosen: PaymentMethod) => void navigate({ search: { method: chosen }, state: true, resetScroll: false });
  const close = () => closeAddress(() => void navigate({ search: {}, state: true, replace: true, resetScroll: false }));
  // Before the first click, but not before the page.
  useEffect(() => prefetch(loadForm()), []);
  const action = useWithdraw(() => {
    // The user may be on another page by now.
    if (router.state.location.pathname === '/withdraw') close();
  });
  return (
    <MethodPage
      kind="withdrawals"
      title={t('withdraw')}
      lede={t('withdraw.lede')}
      choose={t('withdraw.choose')}
      tile={t('withdraw.tile')}
      aside={<Available />}
      method={method}
      onMethod={(chosen) => {
        if (action.phase === 'idle') action.reset();
        if (chosen) choose(chosen);
        else close();
      }}
      dialogTitle={(chosen) => t(`withdraw.title.${chosen}`)}
      form={(chosen) => <WithdrawForm key={chosen} method={chosen} action={action} draft={withdrawDraft(me._id, chosen)} />}
    />
  );
}
