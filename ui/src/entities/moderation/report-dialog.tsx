import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Report } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
import { Failure } from '@/components/failure';
import { FormField } from '@/components/form-field';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button, buttonVariants } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Textarea } from '@/components/ui/textarea';
import { keys } from '@/entities/keys';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Key, useTexts } from '@/i18n';
import { report as catalogue, report } from '@/i18n/en/report';
import { api, idempotent, send } from '@/lib/api';
import { textDraft } from '@/lib/draft';
import { isApiError } from '@/lib/errors';
import { useKeyed } from '@/lib/idempotency';
import { count } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { type Blockable, relationQuery, useBlock } from './blocks';

/** A reported object and its owner. Posts have a `title`. */
export type Subject = {
  subject: Report['subject'];
  id: string;
  title?: string;
  person: { _id: string; username: string; isStaff: boolean };
};

const REASONS: readonly Report['reason'][] = [
  'scam',
  'off_platform',
  'abuse',
  'sexual',
  'illegal',
  'impersonation',
  'spam',
  'false_review',
  'other',
];

/** Only a review can be false. */
const reasonsOf = (subject: Report['subject']): readonly Report['reason'][] =>
  REASONS.filter((reason) => (reason === 'false_review' ? subject === 'review' : true));

const MAX_REPORT = 1_000;

const message = (key: Key<typeof report>) => key;

/** docs/rules.md#report */
const reportSchema = z
  .object({
    reason: z.string().check(z.minLength(1, message('missing.reason'))),
    text: z.string().check(
      z.trim(),
      z.refine((text) => lengthOf(text) <= MAX_REPORT, message('long')),
    ),
  })
  .check(z.refine(({ reason, text }) => reason !== 'other' || text !== '', { path: ['text'], message: message('missing.text') }));

type ReportValues = z.infer<typeof reportSchema>;

function useReport({ subject, id }: Subject) {
  const t = useTexts(catalogue);
  const queryClient = useQueryClient();
  const me = useMe();
  const keyed = useKeyed((body: { subject: Report['subject']; subjectId: string; reason: Report['reason']; text: string }, key) =>
    send(api.POST('/reports', { body, headers: idempotent(key) })),
  );
  const mutation = useMutation({
    mutationFn: ({ reason, text }: ReportValues) =>
      keyed({ subject, subjectId: id, reason: reason as Report['reason'], text: text.trim() }),
    meta: { quiet: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.reports }),
  });
  const form = useDraftForm({
    schema: reportSchema,
    t,
    empty: { reason: '', text: '' },
    draft: textDraft(`report-${me._id}-${subject}-${id}`),
    toast: null,
    mutation,
    onSubmit: (values) => mutation.mutateAsync(values),
  });
  return { ...form, mutation };
}

const COUNTER_FROM = MAX_REPORT - 200;

const EXPLAINED = ['scam', 'off_platform'] as const;
const isExplained = (reason: Report['reason']): reason is (typeof EXPLAINED)[number] =>
  (EXPLAINED as readonly string[]).includes(reason);

type Props = ReturnType<typeof useReport> & { subject: Report['subject'] };

function ReportForm({ subject, form, submit, errorOf, mutation }: Props) {
  const t = useTexts(report);
  const [reason, text] = useWatch({ control: form.control, name: ['reason', 'text'] });
  const written = lengthOf(text);
  const counter = written >= COUNTER_FROM ? `${count(written)}/${count(MAX_REPORT)}` : null;
  const placed = isApiError(mutation.error) && Object.keys(mutation.error.fields).length > 0;
  return (
    <form className={STACK} noValidate onSubmit={submit}>
      <ChoiceGroup legend={t('why')} error={errorOf('reason')}>
        {reasonsOf(subject).map((one) => (
          <Choice
            key={one}
            value={one}
            className="border-b last-of-type:border-b-0"
            {...form.register('reason')}
            label={
              <>
                {t(`reason.${one}`)}
                {isExplained(one) ? <span className="block text-sm text-muted-foreground">{t(`reason.${one}Text`)}</span> : null}
              </>
            }
          />
        ))}
      </ChoiceGroup>
      <FormField
        label={t('text')}
        aside={counter ?? (reason === 'other' ? null : t('optional'))}
        help={t('textHelp')}
        error={errorOf('text')}
        live
      >
        {(control) => <Textarea rows={3} {...control} {...form.register('text')} />}
      </FormField>
      <Failure error={placed ? null : mutation.error} fallback={t('failed')} />
      <p className="text-sm text-muted-foreground">{t('next')}</p>
      <PendingButton type="submit" size="lg" className="w-full" pending={mutation.isPending}>
        {t('submit')}
      </PendingButton>
    </form>
  );
}

function BlockToo({ person }: { person: Blockable }) {
  const t = useTexts(report);
  const { data: relation } = useQuery(relationQuery(person._id));
  const { block } = useBlock(person);
  const name = person.username;
  if (block.isSuccess) {
    return (
      <p className="font-semibold" role="status" aria-live="polite">
        {t('blockedToo', { name })}
      </p>
    );
  }
  if (person.isStaff || relation?.block === 'mine') return null;
  return (
    <PendingButton variant="destructive" pending={block.isPending} onClick={() => block.mutate()}>
      <Ban aria-hidden="true" />
      {t('blockToo', { name })}
    </PendingButton>
  );
}

/** Replaces the sent form: thanks, and what else can be done. */
function ReportSent({ person, onDone }: { person: Blockable; onDone: () => void }) {
  const t = useTexts(report);
  return (
    <OutcomePanel kind="done" title={t('sent')} text={t('sentText')}>
      <Button onClick={onDone}>{t('done')}</Button>
      <BlockToo person={person} />
      <Link to="/reports" className={buttonVariants({ variant: 'link' })} onClick={onDone}>
        {t('toReports')}
      </Link>
    </OutcomePanel>
  );
}

type ReportDialogProps = {
  about: Subject;
  open: boolean;
  onClose: () => void;
  /** Gets the focus back afterwards. */
  opener?: RefObject<HTMLElement | null>;
};

function Content({ about, opener, onClose }: Omit<ReportDialogProps, 'open'>) {
  const t = useTexts(report);
  const focus = useReturnFocus(opener);
  const form = useReport(about);
  const { subject, person, title = '' } = about;
  const name = person.username;
  const sent = form.mutation.isSuccess;
  return (
    <DialogPanel
      title={t(`title.${subject}`, { name })}
      description={sent ? undefined : t(`about.${subject}`, { name, title })}
      className="wrap-anywhere"
      onOpenAutoFocus={focus.remember}
      onCloseAutoFocus={focus.giveBack}
    >
      {sent ? <ReportSent person={person} onDone={onClose} /> : <ReportForm subject={subject} {...form} />}
    </DialogPanel>
  );
}

export default function ReportDialog({ about, open, opener, onClose }: ReportDialogProps) {
  // Each opening is a new report, so the previous result is not shown.
  const [opening, setOpening] = useState({ open, count: 0 });
  if (opening.open !== open) setOpening({ open, count: opening.count + (open ? 1 : 0) });
  return (
    <Dialog open={open} onOpenChange={(wanted) => (wanted ? null : onClose())}>
      <Content key={opening.count} about={about} opener={opener} onClose={onClose} />
    </Dialog>
  );
}
