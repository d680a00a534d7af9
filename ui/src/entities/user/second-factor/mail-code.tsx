import { useQuery } from '@tanstack/react-query';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { secondFactor } from '@/i18n/en/second-factor';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { ProofForm } from './proof-form';
import { options } from './queries';
import { VerifyFirst } from './verify-first';

/** Mails a code on mount and on request, but not on refetches. */
const mailCode = {
  queryKey: ['mail-code'],
  queryFn: () => send(api.POST('/auth/mail-code')),
  staleTime: 'static' as const,
  gcTime: 0,
  retry: false,
  networkMode: 'always' as const,
  meta: { quiet: true },
};

export function MailCode({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const t = useTexts(secondFactor);
  const tCommon = useTexts(common);
  const { email } = useMe();
  const { error, isFetching, isSuccess, refetch } = useQuery(mailCode);
  const cancel = (
    <Button variant="outline" onClick={onCancel}>
      {tCommon('cancel')}
    </Button>
  );
  if (isApiError(error, 'conflict')) {
    return (
      <div className={STACK}>
        {error.reason === 'verify_first' ? <VerifyFirst /> : <Failure error={error} />}
        <div>{cancel}</div>
      </div>
    );
  }
  return (
    <div className={STACK}>
      <p role="status" aria-live="polite" className="wrap-anywhere empty:hidden">
        {isFetching ? t('mail.sending', { email }) : isSuccess ? t('mail.sent', { email }) : null}
      </p>
      <Failure error={isFetching ? null : error} />
      <ProofForm
        methods={['mail']}
        options={options}
        prove={({ code = '' }) => send(api.POST('/auth/confirm-mail-code', { body: { code } }))}
        submitText={t('confirm.submit')}
        onDone={onDone}
      >
        {cancel}
      </ProofForm>
      <div className="-my-2">
        <PendingButton variant="link" pending={isFetching} pendingText={tCommon('sending')} onClick={() => void refetch()}>
          {t('mail.again')}
        </PendingButton>
      </div>
    </div>
  );
}
