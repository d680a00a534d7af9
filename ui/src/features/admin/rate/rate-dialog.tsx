import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { DialogPanel } from '@/components/dialog-panel';
import { MoneyInput } from '@/components/money-input';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { Dialog } from '@/components/ui/dialog';
import { keys } from '@/entities/keys';
import { withConfirmation } from '@/entities/user/second-factor/confirmation';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Key, translate, useTexts } from '@/i18n';
import { admin, adminRate } from '@/i18n/en/admin';
import { parseCents } from '@/lib/amount';
import { api, send } from '@/lib/api';
import { errorAdvice, errorText, isApiError } from '@/lib/errors';
import { bdt, ceilRate, centsFromWire, centsToWire, floorRate, toPoisha } from '@/lib/money';
import { notify } from '@/lib/toast';

const say = (key: Key<typeof adminRate>): Key<typeof adminRate> => key;

const rateSchema = z.object({
  usdToBdt: z.string().check(z.refine((typed) => (parseCents(typed, 'BDT') ?? 0) > 0, say('invalid'))),
});

/** Larger changes, in percent, get a warning. */
const WARN_ABOVE = 5;
/** Larger changes, in percent, must be confirmed. */
const CONFIRM_ABOVE = 10;

function useSetRate(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ poisha, confirm }: { poisha: number; confirm: boolean }) => {
      const body = { usdToBdt: centsToWire(poisha), ...(confirm ? { confirm } : {}) };
      return withConfirmation(() => send(api.PUT('/admin/exchange-rate', { body })));
    },
    meta: { quiet: true },
    onSuccess: (answer) => {
      queryClient.setQueryData(keys.rate, answer);
      void queryClient.invalidateQueries({ queryKey: [...keys.rate, 'history'] });
      notify.success(translate(adminRate, 'done', { taka: bdt(centsFromWire(answer.usdToBdt)) }));
      onDone();
    },
    onError: (error) => {
      if (isApiError(error, 'password_required') || isApiError(error, 'unauthenticated')) return;
      // Another admin has set a rate meanwhile, to compare with.
      if (isApiError(error) && error.fields.confirm) void queryClient.invalidateQueries({ queryKey: keys.rate, exact: true });
      notify.error(errorText(error, translate(adminRate, 'failed')), errorAdvice(error) ?? undefined);
    },
  });
}

const needsConfirmation = (now: number | null, next: number): boolean =>
  now !== null && Math.abs(next - now) * 100 > now * CONFIRM_ABOVE;

/** The change in percent with one decimal; null without a rate to compare with. */
function difference(now: number | null, next: number): { text: 'above' | 'below'; percent: number } | null {
  if (now === null || now === 0 || next === now) return null;
  const percent = Math.round((Math.abs(next - now) / now) * 1_000) / 10;
  return { text: next > now ? 'above' : 'below', percent };
}

function RateForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(adminRate);
  const { data: rate } = useQuery(rateQuery);
  const now = rate ? centsFromWire(rate.usdToBdt) : null;
  const [asked, setAsked] = useState(false);
  const setRate = useSetRate(onDone);
  const { form, submit, errorOf } = useDraftForm({
    schema: rateSchema,
    t,
    empty: { usdToBdt: '' },
    mutation: setRate,
    onSubmit: ({ usdToBdt }) => {
      const next = parseCents(usdToBdt, 'BDT') ?? 0;
      if (!needsConfirmation(now, next)) return setRate.mutateAsync({ poisha: next, confirm: false });
      setAsked(true);
      return undefined;
    },
  });
  const poisha = parseCents(useWatch({ control: form.control, name: 'usdToBdt' }), 'BDT') ?? 0;
  const differs = poisha > 0 ? difference(now, poisha) : null;
  const far = needsConfirmation(now, poisha);
  const taka = (whole: number) => bdt(toPoisha(100, whole));
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <Controller
        control={form.control}
        name="usdToBdt"
        render={({ field }) => (
          <MoneyInput
            label={t('label')}
            currency="BDT"
            ref={field.ref}
            value={field.value}
            onValue={field.onChange}
            onBlur={field.onBlur}
            under={now === null ? t('none') : t('now', { taka: bdt(now) })}
            underEnd={differs ? t(differs.text, { percent: differs.percent }) : null}
            error={errorOf('usdToBdt')}
          />
        )}
      />
      {poisha > 0 ? (
        <Facts
          rows={[
            [t('deposits'), t('up', { taka: taka(ceilRate(poisha / 100)) })],
            [t('withdrawals'), t('down', { taka: taka(floorRate(poisha / 100)) })],
          ]}
        />
      ) : null}
      <div role="status" aria-live="polite" className="empty:absolute">
        {differs && differs.percent > WARN_ABOVE ? <Note kind="bad">{t('slip')}</Note> : null}
      </div>
      <PendingButton size="lg" type="submit" className="w-full" pending={setRate.isPending}>
        {poisha > 0 ? t('set', { taka: bdt(poisha) }) : t('setPlain')}
      </PendingButton>
      <p className="text-sm text-muted-foreground">{t('note')}</p>
      <ConfirmDialog
        open={asked && far}
        onClose={() => setAsked(false)}
        title={t('ask', { now: bdt(now ?? 0), next: bdt(poisha) })}
        text={t('askText', { percent: differs?.percent ?? 0 })}
        focusAction
        action={
          <PendingButton
            type="button"
            pending={setRate.isPending}
            onClick={() => setRate.mutate({ poisha, confirm: true }, { onSettled: () => setAsked(false) })}
          >
            {t('set', { taka: bdt(poisha) })}
          </PendingButton>
        }
      />
    </form>
  );
}

export function RateDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(admin);
  const focus = useReturnFocus();
  return (
    <Dialog open={open} onOpenChange={(wanted) => (wanted ? null : onClose())}>
      <DialogPanel
        title={t('rate')}
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          focus.remember(event);
          (event.currentTarget as HTMLElement | null)?.querySelector('input')?.focus();
        }}
        onCloseAutoFocus={focus.giveBack}
      >
        <RateForm onDone={onClose} />
      </DialogPanel>
    </Dialog>
  );
}
