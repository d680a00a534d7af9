import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import type { Claim } from '@/api/contract';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useMe } from '@/entities/user/queries';
import { type Translate, useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { cn } from '@/lib/cn';
import { useNow } from '@/lib/server-clock';
import { formatTime } from '@/lib/time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An age: "under 1 min", "46 min", "2 h", "2 h 28 min", "3 d 4 h". */
export function ageText(t: Translate<typeof admin>, milliseconds: number): string {
  if (milliseconds < MINUTE) return t('time.now');
  if (milliseconds < HOUR) return t('time.minutes', { minutes: Math.floor(milliseconds / MINUTE) });
  if (milliseconds < DAY) {
    const hours = Math.floor(milliseconds / HOUR);
    const minutes = Math.floor((milliseconds % HOUR) / MINUTE);
    return minutes === 0 ? t('time.fullHours', { hours }) : t('time.hours', { hours, minutes });
  }
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  return hours === 0 ? t('time.fullDays', { days }) : t('time.days', { days, hours });
}

export const LATE_AFTER = HOUR;

export type QueueHeads = readonly [name: string, what: string, sum: string, state: string];

const HEADS = ['w-[30%] pl-3', 'w-[29%]', 'w-[18%] pr-0 pl-3 text-end', 'px-3 text-end'] as const;
const HEADS_OF_WORDS = ['w-[22%] pl-3', 'w-[34%]', 'w-[24%] pr-0 pl-3 text-end', 'px-3 text-end'] as const;

type RowsProps = {
  label: string;
  heads: QueueHeads;
  words?: boolean;
  children: ReactNode;
};

/** Four columns, or two lines of two on a phone, where free text has its own line. */
export function QueueRows({ label, heads, words = false, children }: RowsProps) {
  const classes = words ? HEADS_OF_WORDS : HEADS;
  return (
    <Table className="max-wide:block wide:table-fixed" aria-label={label}>
      <TableHeader className="max-wide:hidden">
        <TableRow>
          {heads.map((head, index) => (
            <TableHead key={head} scope="col" className={classes[index]}>
              {head}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody className="max-wide:block">{children}</TableBody>
    </Table>
  );
}

/** A row that opens the review wherever it is pressed. */
export function QueueRow({ selected, children }: { selected: boolean; children: ReactNode }) {
  return (
    <TableRow
      data-selected={selected || undefined}
      className="group relative data-selected:bg-pen-tint max-wide:grid max-wide:grid-cols-[minmax(0,1fr)_auto] max-wide:border-b max-wide:py-2"
    >
      {children}
    </TableRow>
  );
}

const cell = cva('py-2.5 leading-[1.4] group-data-selected:bg-pen-tint max-wide:border-0 max-wide:px-3 max-wide:py-0.5', {
  variants: {
    column: {
      name: 'px-3 group-data-selected:shadow-[inset_4px_0_0_var(--pen)]',
      // On a phone the second line has its own column widths.
      what: 'max-wide:col-span-full max-wide:row-start-2 max-wide:mr-[40%]',
      sum: 'pr-0 pl-3 text-end',
      state:
        'px-3 text-end max-wide:col-span-full max-wide:row-start-2 max-wide:max-w-[40%] max-wide:self-end max-wide:justify-self-end',
      // On a phone free text has its own line, and the age is beside the name.
      words: 'max-wide:col-span-full max-wide:row-start-2',
      about: 'pr-0 pl-3 text-end max-wide:col-span-full max-wide:row-start-3 max-wide:text-start',
      when: 'px-3 text-end max-wide:col-start-2 max-wide:row-start-1 max-wide:self-start max-wide:justify-self-end',
    },
  },
});

type CellProps = ComponentProps<'td'> & Required<VariantProps<typeof cell>>;

export function QueueCell({ column, className, ...props }: CellProps) {
  return <TableCell className={cn(cell({ column }), className)} {...props} />;
}

export function Age({ since }: { since: string }) {
  const t = useTexts(admin);
  const age = useNow() - Date.parse(since);
  return (
    <span className={cn('lining-nums tabular-nums', age >= LATE_AFTER && 'font-semibold text-destructive')}>
      {ageText(t, age)}
    </span>
  );
}

/** Who works on a row, or did so since `openedAt` and may have sent the money. */
export function OnIt({ claim, openedAt = null }: { claim: Claim | null; openedAt?: string | null | undefined }) {
  const t = useTexts(admin);
  const me = useMe();
  const now = useNow();
  if (!claim) return null;
  const { username: name, _id } = claim.admin;
  const working = Date.parse(claim.until) > now;
  if (_id === me._id ? openedAt === null : !working && openedAt === null) return null;
  return (
    <span className="block text-sm/[1.4] text-muted-foreground">
      {_id !== me._id && working
        ? t('isOnIt', { name })
        : t(_id === me._id ? 'openedByYou' : 'openedBy', { name, time: formatTime(openedAt ?? claim.until, 'moment') })}
    </span>
  );
}
