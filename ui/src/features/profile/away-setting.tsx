import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useRef, useState } from 'react';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { Section } from '@/components/section';
import { Input } from '@/components/ui/input';
import { keys } from '@/entities/keys';
import { useAway } from '@/entities/user/away';
import { useMe } from '@/entities/user/queries';
import { translate, useTexts } from '@/i18n';
import { away } from '@/i18n/en/away';
import { settings } from '@/i18n/en/profile';
import { api, send } from '@/lib/api';
import { serverNow } from '@/lib/server-clock';
import { addDays, dhakaDay } from '@/lib/time';

/** docs/rules.md#away */
const MOST_DAYS = 60;

/** Saves the last day on which the user is away, "" for none. */
function useSetAway() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (until: string) => send(api.PUT('/auth/away', { body: { until } })),
    meta: { success: () => translate(settings, 'updated'), fallback: () => translate(settings, 'updateFailed') },
    onSuccess: (user) => {
      queryClient.setQueryData(keys.me, user);
      void queryClient.invalidateQueries({ queryKey: keys.profiles });
    },
  });
}

export function AwaySetting() {
  const t = useTexts(away);
  const now = useAway(useMe());
  const [day, setDay] = useState('');
  const [broken, setBroken] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const save = useSetAway();
  const today = dhakaDay(serverNow());
  const latest = addDays(today, MOST_DAYS);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const fits = day >= today && day <= latest;
    setBroken(!fits);
    if (fits) save.mutate(day, { onSuccess: () => setDay('') });
    else field.current?.focus();
  };
  return (
    <Section title={t('title')}>
      {now ? (
        <div className="flex flex-wrap items-center gap-4">
          <p className="font-semibold">{now}</p>
          <PendingButton variant="outline" pending={save.isPending} onClick={() => save.mutate('')}>
            {t('back')}
          </PendingButton>
        </div>
      ) : (
        <form className="grid max-w-120 gap-4" noValidate onSubmit={submit}>
          <FormField label={t('day')} help={t('help')} error={broken ? t('range') : undefined} live>
            {(control) => (
              <Input
                ref={field}
                type="date"
                min={today}
                max={latest}
                value={day}
                onChange={({ target }) => setDay(target.value)}
                {...control}
              />
            )}
          </FormField>
          <PendingButton type="submit" variant="outline" className="justify-self-start" pending={save.isPending}>
            {t('save')}
          </PendingButton>
        </form>
      )}
    </Section>
  );
}
