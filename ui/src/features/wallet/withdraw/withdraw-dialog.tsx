import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { WithdrawalSubmitted } from '@/api/contract';
import { STACK } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { Note } from '@/components/note';
import { Facts } from '@/components/section';
import { Button } from '@/components/ui/button';
import { useMe } from '@/entities/user/queries';
import { Told } from '@/entities/wallet/deposits';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { bdt, centsFromWire, localDigits, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { lastWithdrawalQuery } from '../queries';
import { type DoneProps, MoneyRequestDialog, type RequestDialog } from '../request/money-request-dialog';
import { withdrawRequest } from '../request/requests';
import type { WithdrawValues } from '../request/schemas';

/** "৳4,880 → 01712-448840", focused so that it is announced in place of the form. */
function ReceiptTitle({ answer: { withdrawal } }: Pick<DoneProps<WithdrawalSubmitted>, 'answer'>) {
  const t = useTexts(wallet);
  const heading = useRef<HTMLSpanElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <span ref={heading} tabIndex={-1} className="focus:outline-none">
      {t('withdraw.goesTo', {
        taka: bdt(centsFromWire(withdrawal.convertedAmount)),
        number: localDigits(groupedPhone(withdrawal.phonenumber)),
      })}
    </span>
  );
}

/** "s…@example.com": enough to find the mailbox, and nothing for those who look on. */
function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}

/** What happens next: the mail to confirm a held withdrawal, or that we send it. */
function Next({ withdrawal: { onHold, heldUntil } }: Pick<WithdrawalSubmitted, 'withdrawal'>) {
  const t = useTexts(wallet);
  const { email, isVerified } = useMe();
  if (!onHold || heldUntil === null) {
    return (
      <div className="grid gap-1">
        <p className="font-semibold">{t('withdraw.soon')}</p>
        <Told />
      </div>
    );
  }
  const when = formatTime(heldUntil, 'moment');
  return (
    <Note kind="wait">
      {isVerified ? (
        <>
          <p className="font-semibold">{t('withdraw.openMail', { email: maskedEmail(email) })}</p>
          <p>{t('withdraw.else', { when })}</p>
        </>
      ) : (
        <>
          <p className="font-semibold">{t('pending.held', { when })}</p>
          <p>{t('pending.verify')}</p>
        </>
      )}
    </Note>
  );
}

/** Replaces the form of an accepted withdrawal. */
function WithdrawalReceipt({ answer: { withdrawal }, onClose }: DoneProps<WithdrawalSubmitted>) {
  const t = useTexts(wallet);
  const tFollow = useTexts(depositFollow);
  const tKhata = useTexts(khata);
  return (
    <div data-slot="withdrawal-receipt" className={STACK}>
      <Next withdrawal={withdrawal} />
      <Facts
        rows={[
          [tFollow('amount'), usd(centsFromWire(withdrawal.amount))],
          [t('method'), tKhata(`method.${withdrawal.paymentMethod}`)],
        ]}
      />
      <Button className="justify-self-start max-xs:w-full" onClick={onClose}>
        {tFollow('done')}
      </Button>
    </div>
  );
}

const loadForm = () => import('./withdraw-form');

const DIALOG: RequestDialog<WithdrawValues, WithdrawalSubmitted> = {
  path: '/withdraw',
  name: 'withdraw',
  request: withdrawRequest,
  useLast: () => useQuery(lastWithdrawalQuery).data?.withdrawals[0]?.paymentMethod,
  load: loadForm,
  Form: lazyPart(loadForm),
  done: { Title: ReceiptTitle, Receipt: WithdrawalReceipt },
};

export function WithdrawDialog() {
  return <MoneyRequestDialog dialog={DIALOG} />;
}
