import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import type { AdminReceiver } from '@/api/contract';
import { CASH } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { adminPayments } from '@/i18n/en/admin';
import { khata } from '@/i18n/en/khata';
import { bdt, centsFromWire, count } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { accountsQuery } from './queries';

const BalanceDialog = lazyPart(
  () => import('./balance-dialog'),
  ({ onClose }) => onClose(),
);

/** "bKash, shop", with the SIM if the phone says which. */
export function useAccountName(): (account: AdminReceiver) => string {
  const t = useTexts(adminPayments);
  const tKhata = useTexts(khata);
  return ({ paymentMethod, phone, sim }) => {
    const method = tKhata(`method.${paymentMethod}`);
    return sim === 0 ? t('account', { method, phone }) : t('accountOfSim', { method, phone, sim: count(sim) });
  };
}

/** Whether payments are credited without an admin, or since when not. */
function Health({ account }: { account: AdminReceiver }) {
  const t = useTexts(adminPayments);
  if (account.works) {
    return (
      <Badge variant="completed">
        <CircleCheck aria-hidden="true" /> {t('works')}
      </Badge>
    );
  }
  return (
    <>
      <Badge variant="late">
        <CircleAlert aria-hidden="true" /> {t(account.brokenAt === null ? 'silent' : 'broken')}
      </Badge>
      {t('since', { when: formatTime(account.brokenAt ?? account.heardAt, 'moment') })}
    </>
  );
}

function Account({ account, onEnter }: { account: AdminReceiver; onEnter: () => void }) {
  const t = useTexts(adminPayments);
  const name = useId();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b py-3">
      <div className="min-w-0 wrap-anywhere">
        <b id={name} className="block font-semibold">
          {useAccountName()(account)}
        </b>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-muted-foreground">
          <Health account={account} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className={CASH}>{account.balance === null ? '–' : bdt(centsFromWire(account.balance))}</span>
        <Button variant="outline" aria-describedby={name} onClick={onEnter}>
          {t('enter')}
        </Button>
      </div>
    </li>
  );
}

/** The accounts that payments go to; nothing before a phone has forwarded an SMS. */
export function Accounts() {
  const t = useTexts(adminPayments);
  const nameOf = useAccountName();
  const [entered, setEntered] = useState<AdminReceiver | null>(null);
  return (
    <QueryPart query={useQuery(accountsQuery)} failure={t('accountsFailed')} skeleton={<Skeleton className="mb-6 h-28" />}>
      {(accounts) =>
        accounts.length === 0 ? null : (
          <Section title={t('accounts')} size="small" className="mb-6">
            <ul>
              {accounts.map((account) => (
                <Account key={account._id} account={account} onEnter={() => setEntered(account)} />
              ))}
            </ul>
            {entered ? (
              <Suspense>
                <BalanceDialog id={entered._id} account={nameOf(entered)} onClose={() => setEntered(null)} />
              </Suspense>
            ) : null}
          </Section>
        )
      }
    </QueryPart>
  );
}
