import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { useWatch } from 'react-hook-form';
import type { NotificationSettings } from '@/api/contract';
import { Choice } from '@/components/choice';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Field, FieldDescription } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useDraftForm } from '@/hooks/use-draft-form';
import { translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { notificationSettings } from '@/i18n/en/notification-settings';
import { api, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { GroupTable } from './group-table';
import { notificationSettingsQuery } from './queries';
import { bodyOf, type SettingsValues, settingsSchema, valuesOf } from './settings-schema';

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
  const tCommon = useTexts(common);
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
        <PendingButton type="submit" pending={save.isPending} pendingText={tCommon('sending')}>
          {t('save')}
        </PendingButton>
      </div>
    </form>
  );
}
