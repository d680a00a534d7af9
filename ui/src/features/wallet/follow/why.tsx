import { Link } from '@tanstack/react-router';
import type { Deposit, DepositReason } from '@/api/contract';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit-follow';

/** Ways to continue: report again, with the doubtful fields left empty, or support. */
const HELP: Record<DepositReason, { again: ('amount' | 'trx')[] | null; support: boolean }> = {
  not_found: { again: ['amount'], support: true },
  other_amount: { again: ['trx'], support: true },
  used_before: { again: null, support: true },
  other_number: { again: null, support: true },
  expired: { again: ['amount', 'trx'], support: true },
  retracted: { again: ['amount', 'trx'], support: false },
  other: { again: null, support: true },
};

/** Why a deposit was not credited, and what the user can do. */
export function Why({ deposit, deal }: { deposit: Deposit; deal: string | undefined }) {
  const t = useTexts(depositFollow);
  const code = deposit.reasonCode ?? 'other';
  const { again, support } = HELP[code];
  const search = {
    ...{ method: deposit.paymentMethod, deal },
    amount: again?.includes('amount') ? deposit.claimedAmount : undefined,
    trx: again?.includes('trx') ? deposit.transactionId : undefined,
  };
  return (
    <Section title={t('why.title')}>
      <p className="font-semibold">{t(`why.${code}`)}</p>
      {deposit.reason ? <p className="mt-1 wrap-anywhere">{t('words', { reason: deposit.reason })}</p> : null}
      <p className="mt-1 max-w-measure text-muted-foreground">{t(`do.${code}`)}</p>
      <div className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
        {again ? (
          <Button asChild>
            <Link to="/deposit" search={search}>
              {t('again')}
            </Link>
          </Button>
        ) : null}
        {support ? (
          <Button variant={again ? 'outline' : 'default'} asChild>
            <Link to="/contactus">{t('support')}</Link>
          </Button>
        ) : null}
      </div>
    </Section>
  );
}
