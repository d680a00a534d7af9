import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { columnRule } from './classes';

const COLUMNS = ['buyer', 'amanat', 'seller'] as const;

export const STRIP_ROW =
  '@container grid h-8 grid-cols-[1fr_1.2fr_1fr] border-y border-border-strong text-sm text-subtle-foreground *:relative *:flex *:min-w-0 *:items-center *:justify-center *:whitespace-nowrap *:tabular-nums';

export const stripRule = (index: number, crossed = false) =>
  index > 0 ? `before:text-subtle-foreground ${columnRule(crossed)}` : '';

/** For empty states and missing pages. It needs a rule above it. */
export function EmptyStrip({ className }: { className?: string }) {
  const t = useTexts(khata);
  return (
    <div
      data-slot="strip"
      className={cn(STRIP_ROW, 'mb-2 h-14 w-full border-t-0 in-data-[slot=section]:border-t', className)}
      aria-hidden="true"
    >
      {COLUMNS.map((column, index) => (
        <span key={column} className={stripRule(index)}>
          {t(column)}
        </span>
      ))}
    </div>
  );
}
