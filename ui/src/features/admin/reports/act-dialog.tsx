import { Gavel } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { AdminCase } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Input } from '@/components/ui/input';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, useTexts } from '@/i18n';
import { adminReports } from '@/i18n/en/admin';
import { latinDigits } from '@/lib/money';
import { ReasonField } from '../review/reason-dialog';

const MAX_DAYS = 365;

const say = (key: Key<typeof adminReports>) => key;

/** Parses days in either script; NaN if it is no whole number. */
const daysOf = (typed: string): number =>
  /^\d{1,4}$/.test(latinDigits(typed.trim())) ? Number(latinDigits(typed.trim())) : Number.NaN;

/** docs/rules.md#moderation */
const actSchema = z
  .object({
    action: z.enum(['warn', 'hide', 'suspend', 'ban']),
    days: z.string(),
    reason: z.string().check(z.trim(), z.minLength(1, say('rule.reason'))),
  })
  .check(
    z.refine(({ action, days }) => action !== 'suspend' || (daysOf(days) >= 1 && daysOf(days) <= MAX_DAYS), {
      path: ['days'],
      message: say('rule.days'),
    }),
  );

export type Verdict = { action: 'dismiss' | ActValues['action']; reason: string; days?: number };

type ActValues = z.infer<typeof actSchema>;

const MAX_REASON = 1000;

const ACTIONS = ['warn', 'hide', 'suspend', 'ban'] as const;

/** The possible actions: only posts and reviews can be hidden, and staff cannot be locked out. */
const actionsOf = ({ subject, accused }: AdminCase) =>
  ACTIONS.filter((action) =>
    action === 'hide' ? subject === 'post' || subject === 'review' : action === 'warn' || !accused.isStaff,
  );

function useVerb({ action, days }: Pick<ActValues, 'action' | 'days'>, name: string): string {
  const t = useTexts(adminReports);
  if (action === 'warn') return t('do.warn', { name });
  if (action !== 'suspend') return t(`do.${action}`);
  return Number.isNaN(daysOf(days)) ? t('do.suspendPlain') : t('do.suspend', { count: daysOf(days) });
}

type Props = {
  row: AdminCase;
  open: boolean;
  onClose: () => void;
  busy: boolean;
  onDecide: (verdict: Verdict) => void;
};

export function ActDialog({ row, open, onClose, busy, onDecide }: Props) {
  const t = useTexts(adminReports);
  const name = row.accused.username;
  const { form, submit, errorOf } = useDraftForm<ActValues>({
    schema: actSchema,
    t,
    empty: { action: 'warn', days: '7', reason: '' },
    toast: null,
    mutation: { isPending: busy },
    onSubmit: ({ action, days, reason }) => {
      onDecide({ action, reason: reason.trim(), ...(action === 'suspend' ? { days: daysOf(days) } : {}) });
      return undefined;
    },
  });
  const [action, days] = useWatch({ control: form.control, name: ['action', 'days'] });
  const verb = useVerb({ action, days }, name);
  const hidesToo = action !== 'warn' && action !== 'hide' && (row.subject === 'post' || row.subject === 'review');
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={t('act.ask', { name })}
      text={t('act.text')}
      focusAction
      action={
        <PendingButton variant="destructive" pending={busy} onClick={submit}>
          <Gavel aria-hidden="true" />
          {verb}
        </PendingButton>
      }
    >
      <div className={STACK}>
        <ChoiceGroup legend={t('act.what')}>
          {actionsOf(row).map((one) => (
            <Choice key={one} value={one} {...form.register('action')} label={t(`act.${one}`)} />
          ))}
        </ChoiceGroup>
        <p className="text-sm text-muted-foreground" aria-live="polite">
          {t(`act.${action}Text`, { name })} {hidesToo ? t('act.hidesToo') : null}
        </p>
        {action === 'suspend' ? (
          <FormField label={t('days')} help={t('days.help')} error={errorOf('days')} live className="max-w-40">
            {(control) => <Input inputMode="numeric" autoComplete="off" {...control} {...form.register('days')} />}
          </FormField>
        ) : null}
        <ReasonField
          label={t('reason.read', { name })}
          maxLength={MAX_REASON}
          live
          error={errorOf('reason')}
          {...form.register('reason')}
        />
      </div>
    </ConfirmDialog>
  );
}
