import { useQuery, useQueryClient } from '@tanstack/react-query';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { refreshUser } from '@/entities/user/guards';
import { useMe } from '@/entities/user/queries';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { secondFactor } from '@/i18n/en/second-factor';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { VerifyFirst } from '../verification';
import { answerConfirmation, type RequiredProof } from './confirmation';
import { type Factor, methodsOf, options, requiredMethods, secondFactorQuery } from './methods';
import { ProofForm } from './proof-form';

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

function MailCode({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
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
        <PendingButton variant="link" pending={isFetching} onClick={() => void refetch()}>
          {t('mail.again')}
        </PendingButton>
      </div>
    </div>
  );
}

const confirm = () => answerConfirmation(true);
const cancel = () => answerConfirmation(false);

function Password() {
  const t = useTexts(secondFactor);
  const tCommon = useTexts(common);
  const me = useMe();
  const queryClient = useQueryClient();
  const factor = useQuery({ ...secondFactorQuery, enabled: me.secondFactor });
  const form = (methods: Factor[]) => (
    <ProofForm
      methods={methods}
      password
      options={options}
      prove={({ password = '', ...proof }) => send(api.POST('/auth/confirm-password', { body: { password, ...proof } }))}
      submitText={t('confirm.submit')}
      onDone={confirm}
      onRefused={(error) => {
        // The second factor was turned on elsewhere meanwhile.
        if (requiredMethods(error)) void refreshUser(queryClient);
      }}
    >
      <Button variant="outline" onClick={cancel}>
        {tCommon('cancel')}
      </Button>
    </ProofForm>
  );
  if (!me.secondFactor) return form([]);
  return (
    <QueryPart query={factor} skeleton={<Skeleton className="h-56" />}>
      {(data) => form(methodsOf(data))}
    </QueryPart>
  );
}

type Props = {
  wanted: RequiredProof;
  /** The reason; by default, the user's own data. */
  text?: string | undefined;
};

export default function ConfirmationDialog({ wanted, text }: Props) {
  const t = useTexts(secondFactor);
  const { secondFactor: factor } = useMe();
  const focus = useReturnFocus();
  return (
    <Dialog open onOpenChange={(open) => (open ? null : cancel())}>
      <DialogPanel
        title={t(wanted === 'mail' ? 'confirm.mailTitle' : factor ? 'confirm.title' : 'confirm.passwordTitle')}
        description={text ?? t('confirm.text')}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          (event.currentTarget as HTMLElement | null)?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        {wanted === 'mail' ? <MailCode onDone={confirm} onCancel={cancel} /> : <Password />}
      </DialogPanel>
    </Dialog>
  );
}
