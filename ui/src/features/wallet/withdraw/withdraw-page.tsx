import { useQuery } from '@tanstack/react-query';
import { MONEY, TAKA } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { Facts, Section } from '@/components/section';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { aboutBdt, bdt, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { useLoadFailure } from '../queries';
import { MoneyRequestPage, type RequestPage } from '../request/money-request-page';
import { withdrawRequest } from '../request/requests';
import type { WithdrawValues } from '../request/schemas';

const loadForm = () => import('./withdraw-form');
const WithdrawForm = lazyPart(loadForm);
const SavedNumbers = lazyPart(() => import('../payout/saved-numbers'));

function Available() {
  const t = useTexts(wallet);
  const tBalance = useTexts(words);
  const balance = useQuery(walletQuery);
  useLoadFailure(balance, tBalance('failed'));
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

const PAGE: RequestPage<WithdrawValues> = {
  path: '/withdraw',
  name: 'withdraw',
  history: 'withdrawals',
  request: withdrawRequest,
  Aside: Available,
  Below: SavedNumbers,
  titleOf: (t, _, method) => t(`withdraw.title.${method}`),
  load: loadForm,
  Form: WithdrawForm,
};

export function WithdrawPage() {
  return <MoneyRequestPage page={PAGE} />;
}
