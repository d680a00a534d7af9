import * as z from 'zod/mini';
import type { NotificationSettings, NotificationSettingsBody } from '@/api/contract';
import type { Key } from '@/i18n';
import type { notificationSettings } from '@/i18n/en/notification-settings';

type Group = NotificationSettings['groups'][number]['group'];
const USUAL = { from: '22:00', to: '07:00' };

const say = (key: Key<typeof notificationSettings>): Key<typeof notificationSettings> => key;
const isTime = (typed: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(typed);
// zod's array and boolean would cost every form half a KB.
const boxes = z.custom<Group[]>(Array.isArray);
const box = z.custom<boolean>((checked) => typeof checked === 'boolean');

/** The settings (docs/rules.md#notices). Hours are checked only if quiet hours are on. */
export const settingsSchema = z
  .object({ mail: boxes, push: boxes, quiet: box, from: z.string(), to: z.string(), details: box })
  .check(
    z.refine(({ quiet, from }) => !quiet || isTime(from), { error: say('quiet.missing'), path: ['from'] }),
    z.refine(({ quiet, to }) => !quiet || isTime(to), { error: say('quiet.missing'), path: ['to'] }),
    z.refine(({ quiet, from, to }) => !quiet || !isTime(from) || from !== to, { error: say('quiet.equal'), path: ['to'] }),
  );
export type SettingsValues = z.infer<typeof settingsSchema>;

/** The form's values. Emails that cannot be turned off are not in it. */
export function valuesOf({ groups: chosen, quiet, details }: NotificationSettings): SettingsValues {
  return {
    mail: chosen.flatMap(({ group, mail, mailLocked }) => (mail && !mailLocked ? group : [])),
    push: chosen.flatMap(({ group, push }) => (push ? group : [])),
    quiet: quiet !== null,
    ...(quiet ?? USUAL),
    details,
  };
}

export function bodyOf(values: SettingsValues, settings: NotificationSettings): NotificationSettingsBody {
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
