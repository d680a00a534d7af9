import { type ComponentProps, useId } from 'react';
import type { NotificationSettings } from '@/api/contract';
import { Checkbox } from '@/components/ui/checkbox';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { notificationSettings } from '@/i18n/en/notification-settings';

type Group = NotificationSettings['groups'][number];
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
export function GroupTable({ groups, mail, push }: { groups: readonly Group[]; mail: Box; push: Box }) {
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
