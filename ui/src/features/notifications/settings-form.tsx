import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { NotificationSettings, NotificationSettingsBody } from '@/api/contract';
import { Choice } from '@/components/choice';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field, FieldDescription } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, translate, useTexts } from '@/i18n';
import { notificationSettings } from '@/i18n/en/notifications';
import { api, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { notificationSettingsQuery } from './queries';

type Group = NotificationSettings['groups'][number]['group'];
const USUAL = { from: '22:00', to: '07:00' };

const say = (key: Key<typeof notificationSettings>): Key<typeof notificationSettings> => key;
const isTime = (typed: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(typed);
const boxes = z.array(z.custom<Group>());
const box = z.boolean();

/** The settings (docs/rules.md#notices). Hours are checked only if quiet hours are on. */
const settingsSchema = z.object({ mail: boxes, push: boxes, quiet: box, from: z.string(), to: z.string(), details: box }).check(
  z.refine(({ quiet, from }) => !quiet || isTime(from), { error: say('quiet.missing'), path: ['from'] }),
  z.refine(({ quiet, to }) => !quiet || isTime(to), { error: say('quiet.missing'), path: ['to'] }),
  z.refine(({ quiet, from, to }) => !quiet || !isTime(from) || from !== to, { error: say('quiet.equal'), path: ['to'] }),
);
type SettingsValues = z.infer<typeof settingsSchema>;

/** The form's values. Emails that cannot be turned off are not in it. */
function valuesOf({ groups: chosen, quiet, details }: NotificationSettings): SettingsValues {
  return {
    mail: chosen.flatMap(({ group, mail, mailLocked }) => (mail && !mailLocked ? group : [])),
    push: chosen.flatMap(({ group, push }) => (push ? group : [])),
    quiet: quiet !== null,
    ...(quiet ?? USUAL),
    details,
  };
}

function bodyOf(values: SettingsValues, settings: NotificationSettings): NotificationSettingsBody {
  const { mail, push, quiet, from, to, details } = values;
  return {
    groups: settings.groups.map(({ group, mailLocked }) => ({
      group,
      mail: mailLocked || mail.includes(group),
      push: push.includes(group),
    })),
    ...(quiet ? { quiet: { from, to } } : {}),
    details,
  };
}

type RowGroup = NotificationSettings['groups'][number];
type Box = ComponentProps<typeof Checkbox>;

/** A 44 px box alone in its cell, labelled by the table. */
function BoxCell({ label, ...props }: Box & { label: string }) {
  const id = useId();
  return (
    <TableCell className="w-16 p-0 text-center align-middle">
      <label htmlFor={id} className="relative grid min-h-11 cursor-pointer place-items-center">
        <Checkbox id={id} {...props} />
        <span className="sr-only">{label}</span>
      </label>
    </TableCell>
  );
}

/** A row per group of notifications, a box per channel; `mail` and `push` come from the form. */
function GroupTable({ groups, mail, push }: { groups: readonly RowGroup[]; mail: Box; push: Box }) {
  const t = useTexts(notificationSettings);
  return (
    <Table>
      <TableHeader>
        <TableRow>
          <TableHead className="text-start">{t('topic')}</TableHead>
          <TableHead className="px-0 text-center">{t('mail')}</TableHead>
          <TableHead className="px-0 text-center">{t('push')}</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {groups.map(({ group, mailLocked }) => {
          const name = t(`group.${group}`);
          const label = {
            mail: t('choice', { group: name, way: t('mail') }),
            push: t('choice', { group: name, way: t('push') }),
          };
          return (
            <TableRow key={group}>
              <TableHead scope="row" className="border-border py-3 text-start font-normal whitespace-normal text-foreground">
                <b className="font-semibold">{name}</b>
                <br />
                <span className="text-sm text-muted-foreground">{t(`about.${group}`)}</span>
              </TableHead>
              {mailLocked ? (
                <BoxCell label={label.mail} checked disabled readOnly />
              ) : (
                <BoxCell label={label.mail} value={group} {...mail} />
              )}
              <BoxCell label={label.push} value={group} {...push} />
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}

function useSettingsForm(settings: NotificationSettings) {
  const queryClient = useQueryClient();
  const t = useTexts(notificationSettings);
  const save = useMutation({
    mutationFn: (values: SettingsValues) => send(api.PUT('/notifications/settings', { body: bodyOf(values, settings) })),
    meta: {
      success: () => translate(notificationSettings, 'saved'),
      fallback: () => translate(notificationSettings, 'saveFailed'),
    },
    onSuccess: (saved) => queryClient.setQueryData(notificationSettingsQuery.queryKey, saved),
  });
  const form = useDraftForm({
    schema: settingsSchema,
    t,
    empty: valuesOf(settings),
    order: ['from', 'to'],
    server: { fields: { quiet: 'from' } },
    mutation: save,
    onSubmit: (values) => save.mutateAsync(values),
  });
  return { ...form, save };
}

function HelpedBox({ help, ...props }: ComponentProps<typeof Choice> & { help: string }) {
  const id = useId();
  return (
    <Field className="gap-0">
      <Choice type="checkbox" aria-describedby={id} {...props} />
      <FieldDescription id={id} className="-mt-1 pl-8.5">
        {help}
      </FieldDescription>
    </Field>
  );
}

export default function SettingsForm({ settings }: { settings: NotificationSettings }) {
  const t = useTexts(notificationSettings);
  const { form, submit, errorOf, save } = useSettingsForm(settings);
  const quiet = useWatch({ control: form.control, name: 'quiet' });
  return (
    <form className={cn(STACK, 'gap-6')} noValidate onSubmit={submit}>
      <GroupTable groups={settings.groups} mail={form.register('mail')} push={form.register('push')} />
      <HelpedBox label={t('quiet')} help={t('quietHelp')} {...form.register('quiet')} />
      {quiet ? (
        <div className="grid grid-cols-2 gap-4 pl-8.5">
          <FormField label={t('from')} error={errorOf('from')}>
            {(control) => <Input type="time" {...control} {...form.register('from')} />}
          </FormField>
          <FormField label={t('to')} error={errorOf('to')}>
            {(control) => <Input type="time" {...control} {...form.register('to')} />}
          </FormField>
        </div>
      ) : null}
      <HelpedBox label={t('details')} help={t('detailsHelp')} {...form.register('details')} />
      <div>
        <PendingButton type="submit" pending={save.isPending}>
          {t('save')}
        </PendingButton>
      </div>
    </form>
  );
}
