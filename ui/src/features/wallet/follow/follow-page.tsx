import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import type { Deposit, DepositReason, DepositWait } from '@/api/contract';
import { CODE, COLUMNS } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { CopyButton } from '@/components/copy-button';
import { PendingButton } from '@/components/pending-button';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { keys } from '@/entities/keys';
import { depositQuery, Told } from '@/entities/wallet/deposits';
import { translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { depositFollow } from '@/i18n/en/deposit';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { api, send } from '@/lib/api';
import { bdt, centsFromWire, toPoisha, usd } from '@/lib/money';
import { outcomeText } from '@/lib/outcomes';
import { FollowFrame } from './follow-frame';
import ForDeal from './for-deal';
import { useHeadline } from './headline';
import { Steps } from './steps';

function DepositFacts({ deposit }: { deposit: Deposit }) {
  const t = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const tCommon = useTexts(common);
  const tKhata = useTexts(khata);
  const { transactionId, rate } = deposit;
  const claimed = centsFromWire(deposit.claimedAmount);
  return (
    <Section title={t('facts')} size="small">
      <Facts
        rows={[
          [t('amount'), usd(claimed)],
          [t('sent'), bdt(toPoisha(claimed, rate))],
          [tWallet('method'), tKhata(`method.${deposit.paymentMethod}`)],
          [
            <span key="label" className="flex min-h-11 items-center">
              {tWallet('transactionId')}
            </span>,
            <span key="id" className="inline-flex flex-wrap items-center justify-end gap-2">
              <span className={CODE}>{transactionId}</span>
              <CopyButton value={transactionId} label={t('copyId')} done={t('idCopied')}>
                {tWallet('copy')}
              </CopyButton>
            </span>,
          ],
          [t('rate'), tCommon('rate', { taka: bdt(toPoisha(100, rate)) })],
        ]}
      />
    </Section>
  );
}

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
function Why({ deposit }: { deposit: Deposit }) {
  const t = useTexts(depositFollow);
  const code = deposit.reasonCode ?? 'other';
  const { again, support } = HELP[code];
  const search = {
    ...{ method: deposit.paymentMethod, deal: deposit.dealId ?? undefined },
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

/** Withdraws a deposit reported by mistake. Idempotent. */
function useRetract(id: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => send(api.POST('/deposits/{id}/retract', { params: { path: { id } } })),
    meta: {
      success: (done) => outcomeText(done, translate(depositFollow, 'retract.done')),
      fallback: () => translate(depositFollow, 'retract.failed'),
    },
    // Also after a refusal, when an admin was faster: the page shows the result.
    onSettled: () => {
      onDone();
      return queryClient.invalidateQueries({ queryKey: keys.deposits });
    },
  });
}

type RetractProps = { id: string; transactionId: string; onClose: () => void };

function RetractDialog({ id, transactionId, onClose }: RetractProps) {
  const t = useTexts(depositFollow);
  const { mutate, isPending } = useRetract(id, onClose);
  return (
    <ConfirmDialog
      busy={isPending}
      onClose={onClose}
      title={t('retract.ask')}
      text={t('retract.text', { id: transactionId })}
      action={
        <PendingButton variant="destructive" pending={isPending} onClick={() => mutate()}>
          {t('retract.yes')}
        </PendingButton>
      }
      cancel={t('retract.no')}
    />
  );
}

function Instead({ deposit }: { deposit: Deposit }) {
  const t = useTexts(depositFollow);
  const { amount, claimedAmount, reason } = deposit;
  if (amount === claimedAmount) return null;
  return (
    <div>
      <p>{t('instead', { sum: usd(centsFromWire(amount)), claimed: usd(centsFromWire(claimedAmount)) })}</p>
      {reason ? <p className="mt-1 wrap-anywhere">{t('words', { reason })}</p> : null}
    </div>
  );
}

function Retract({ deposit }: { deposit: Deposit }) {
  const t = useTexts(depositFollow);
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button variant="outline" onClick={() => setAsked(true)}>
        {t('retract')}
      </Button>
      {asked ? <RetractDialog id={deposit._id} transactionId={deposit.transactionId} onClose={() => setAsked(false)} /> : null}
    </>
  );
}

type BodyProps = { deposit: Deposit; wait: DepositWait };

function Body({ deposit, wait }: BodyProps) {
  const t = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const headline = useHeadline(deposit);
  const { status, operation, disputed, dealId: deal } = deposit;
  const pending = status === 'pending';
  return (
    <>
      {/* Announced, because it changes by itself. */}
      <div aria-live="polite" aria-atomic="true">
        <h1 className="font-display text-display-lg">{headline}</h1>
      </div>
      <div className={`${COLUMNS} mt-10`}>
        <div className="grid min-w-0 gap-8">
          <Section title={t('steps')}>
            <Steps deposit={deposit} wait={wait} />
            {pending ? <div className="text-muted-foreground">{operation ? <p>{t('processing')}</p> : <Told />}</div> : null}
            {pending && disputed ? <p className="mt-1">{tWallet('disputed')}</p> : null}
            {status === 'completed' ? <Instead deposit={deposit} /> : null}
          </Section>
          {status === 'Failed' ? <Why deposit={deposit} /> : null}
          {deal ? (
            <div className="grid justify-items-start gap-3">
              {pending ? <ForDeal id={deal} paid={deposit.paysDeal} /> : null}
              <Button variant={status === 'completed' ? 'seal' : 'outline'} asChild>
                <Link to="/deal/$dealId" params={{ dealId: deal }}>
                  {t('toDeal')}
                </Link>
              </Button>
            </div>
          ) : null}
        </div>
        <div className="min-w-0">
          <DepositFacts deposit={deposit} />
          {status === 'completed' ? (
            <Button variant="link" className="mt-2" asChild>
              <Link to="/balance/deposits/$depositId/receipt" params={{ depositId: deposit._id }}>
                <FileText aria-hidden="true" />
                {t('receipt')}
              </Link>
            </Button>
          ) : null}
          {pending && !operation ? (
            <div className="mt-4">
              <Retract deposit={deposit} />
            </div>
          ) : null}
        </div>
      </div>
    </>
  );
}

/** /balance/deposits/$depositId: the state of a deposit, updated when an admin decides. */
export function FollowPage({ id }: { id: string }) {
  const t = useTexts(depositFollow);
  return (
    <FollowFrame query={useQuery(depositQuery(id))} page={t('page')} missing={t('missing')} failure={t('failed')}>
      {({ deposit, wait }) => <Body deposit={deposit} wait={wait} />}
    </FollowFrame>
  );
}
