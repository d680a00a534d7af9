import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useState } from 'react';
import type { NewTOTP } from '@/api/contract';
import { CODE, STACK } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { FormFooter } from '@/components/form-footer';
import { Button } from '@/components/ui/button';
import { CodeInput } from '@/entities/user/second-factor/proof-form';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { security } from '@/i18n/en/security';
import { cn } from '@/lib/cn';
import { isApiError } from '@/lib/errors';
import { CodesDialog } from './backup-codes';
import { codeSchema } from './name-form';
import { useConfirmTotp, withoutCancelled } from './queries';

const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

function Scan({ totp, onNext }: { totp: NewTOTP; onNext: () => void }) {
  const t = useTexts(security);
  return (
    <div className={STACK}>
      <p>{t('setUp.scan')}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        {/* White in the dark theme, too: cameras need dark on light. */}
        <QRCodeSVG value={totp.uri} title={t('setUp.qr')} size={176} marginSize={3} className="flex-none border max-xs:mx-auto" />
        <div className="grid min-w-0 flex-[1_1_200px] justify-items-start gap-2">
          <p className="text-sm text-muted-foreground">{t('setUp.manual')}</p>
          <p className={cn(CODE, 'font-semibold wrap-anywhere select-all')} data-slot="totp-secret">
            {grouped(totp.secret)}
          </p>
          <CopyButton value={totp.secret} label={t('setUp.copy')}>
            <span aria-hidden="true">{t('setUp.copyText')}</span>
          </CopyButton>
        </div>
      </div>
      <div>
        <Button onClick={onNext}>{t('setUp.next')}</Button>
      </div>
    </div>
  );
}

function FirstCode({ onDone, onBack }: { onDone: (codes: string[]) => void; onBack: () => void }) {
  const t = useTexts(security);
  const tCommon = useTexts(common);
  const confirm = useConfirmTotp(onDone);
  const { form, submit, errorOf } = useDraftForm({
    schema: codeSchema,
    t,
    empty: { code: '' },
    toast: null,
    mutation: confirm,
    onSubmit: (values, { setFocus }) => confirm.mutateAsync(values, { onError: () => setFocus('code', { shouldSelect: true }) }),
  });
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  const placed = isApiError(confirm.error) && confirm.error.fields.code !== undefined;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <p>{t('setUp.code')}</p>
      <FormField label={t('setUp.codeLabel')} error={errorOf('code')} live>
        {(control) => <CodeInput kind="totp" {...control} {...form.register('code')} />}
      </FormField>
      <Failure error={placed ? null : withoutCancelled(confirm.error)} />
      <FormFooter pending={confirm.isPending} cancel={tCommon('back')} onCancel={onBack}>
        {t('setUp.verify')}
      </FormFooter>
    </form>
  );
}

export default function SetUpApp({ totp, onClose }: { totp: NewTOTP; onClose: () => void }) {
  const t = useTexts(security);
  const [step, setStep] = useState<1 | 2>(1);
  const [codes, setCodes] = useState<string[] | null>(null);
  const stepText = (at: number) => t('setUp.step', { step: at });
  return (
    <CodesDialog title={t('setUp.title')} description={stepText(step)} codes={codes} step={stepText(3)} onClose={onClose}>
      {step === 1 ? <Scan totp={totp} onNext={() => setStep(2)} /> : <FirstCode onDone={setCodes} onBack={() => setStep(1)} />}
    </CodesDialog>
  );
}
