import type { ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { HOLDERS, type Holder, TONES } from './holder';

export type LedgerLine = {
  key: string;
  when: ReactNode;
  what: ReactNode;
  detail?: ReactNode;
  note?: string;
  pictures?: ReactNode;
  /** The holder from this event on, with the amount ("480.00"). */
  holds?: { holder: Holder; sum: string };
  fee?: string;
  /** Has not happened yet; drawn dashed. */
  future?: boolean;
};

/** The landing page's ledger is larger from the tablet on. */
const SIZES = {
  usual: {
    row: 'md:grid-cols-[116px_minmax(0,1fr)_repeat(3,104px)]',
    line: 'md:min-h-16',
    pad: 'md:py-3.5',
    name: '',
    detail: '',
    cell: 'md:items-start md:text-md',
    held: '',
    fee: 'md:text-caption',
  },
  big: {
    row: 'md:grid-cols-[116px_minmax(0,1fr)_repeat(3,104px)] lg:grid-cols-[148px_minmax(0,1fr)_repeat(3,152px)]',
    line: 'md:min-h-24',
    pad: 'md:py-4.5',
    name: 'md:font-display md:text-xl md:leading-[1.3] md:tracking-[-0.01em]',
    detail: 'md:max-w-[52ch] md:text-md',
    cell: 'md:items-center md:text-lg md:leading-[1.4] md:font-medium md:normal-nums',
    held: 'md:font-display md:text-[22px] md:leading-[1.2] md:font-semibold',
    fee: 'md:text-md',
  },
};
type Size = (typeof SIZES)[keyof typeof SIZES];

const ROW = 'grid grid-cols-[1fr_1.2fr_1fr]';
const CELL =
  'relative flex items-center justify-center px-1 py-1.5 text-sm tabular-nums before:absolute before:inset-y-0 before:left-0 before:w-px before:bg-border max-md:min-h-8 max-md:border-t max-md:nth-3:before:hidden md:justify-end md:px-2.5';
const WILL =
  'text-muted-foreground after:absolute after:inset-x-1 after:inset-y-[3px] after:border-[1.5px] after:border-dashed after:border-border-strong md:after:inset-x-1.5 md:after:inset-y-2';

function Cell({ line, column, size }: { line: LedgerLine; column: Holder; size: Size }) {
  const held = line.holds?.holder === column ? line.holds.sum : null;
  const fee = held === null && column === 'amanat' ? line.fee : undefined;
  const tone = () => {
    if (held !== null) return line.future ? WILL : cn('font-semibold', TONES[column], size.held);
    return fee ? cn('text-caption font-normal text-muted-foreground', size.fee) : '';
  };
  return (
    <span role="cell" className={cn(CELL, size.pad, size.cell, tone())}>
      {held ?? fee}
    </span>
  );
}

export function LedgerLines({ lines, label, big = false }: { lines: readonly LedgerLine[]; label: string; big?: boolean }) {
  const t = useTexts(khata);
  const size = SIZES[big ? 'big' : 'usual'];
  return (
    <div data-slot="ledger" className={cn('grid text-md', big && 'border-t-2 border-foreground')} role="table" aria-label={label}>
      <div role="rowgroup">
        <div
          className={cn(
            ROW,
            size.row,
            'border-b border-border-strong text-caption text-muted-foreground *:px-1 *:py-1.5 *:text-center md:text-sm md:*:px-2.5 md:*:py-2 md:*:text-end',
          )}
          role="row"
        >
          {[t('when'), t('what'), t('buyer'), t('amanat'), t('seller')].map((head) => (
            <span key={head} role="columnheader" className="nth-[-n+2]:pl-0 nth-[-n+2]:text-start max-md:nth-[-n+2]:hidden">
              {head}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {lines.map((line) => (
          <div
            key={line.key}
            data-slot="ledger-line"
            data-future={line.future ? '' : undefined}
            className={cn(ROW, size.row, size.line, 'border-b pt-3.5 md:pt-0')}
            role="row"
          >
            <span
              className={cn('text-sm text-muted-foreground tabular-nums max-md:col-span-full md:pr-2.5', size.pad)}
              role="cell"
            >
              {line.when}
            </span>
            <span
              className={cn('pt-0.5 pb-3 max-md:col-span-full md:pr-6', size.pad, line.future && 'text-muted-foreground')}
              role="cell"
            >
              <b className={cn('font-semibold', size.name)}>{line.what}</b>
              {line.detail ? (
                <small className={cn('mt-0.5 block text-sm text-muted-foreground', size.detail)}>{line.detail}</small>
              ) : null}
              {line.note ? <q className="mt-1 block overflow-clip wrap-anywhere whitespace-pre-line">{line.note}</q> : null}
              {line.pictures}
            </span>
            {HOLDERS.map((column) => (
              <Cell key={column} line={line} column={column} size={size} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
