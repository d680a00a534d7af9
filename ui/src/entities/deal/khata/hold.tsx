import type { ReactNode } from 'react';
import { columnRule } from '@/components/classes';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { type ColumnState, columnStates, HOLDERS, type Holder, TONES } from './holder';

/** A column. `role` defaults to Buyer, In trust with, Seller. */
export type HoldColumn = { role?: string; name: ReactNode; sum: string; note?: ReactNode };

type HoldProps = {
  buyer: HoldColumn;
  amanat: Omit<HoldColumn, 'name'>;
  seller: HoldColumn;
  holder: Holder;
  /** The money was in trust and went back to the buyer. */
  returned?: boolean;
  cover?: boolean;
};

const LONG_SUM = 8;
const INDEXES = [0, 1, 2] as const;

const WIDTHS: Record<Holder, string> = {
  buyer: 'grid-cols-[1.34fr_1fr_1fr]',
  amanat: 'grid-cols-[1fr_1.34fr_1fr]',
  seller: 'grid-cols-[1fr_1fr_1.34fr]',
};

const QUIET: Record<Holder, string> = {
  buyer: 'text-holder-own-muted-foreground',
  amanat: 'text-seal-muted-foreground',
  seller: 'text-holder-paid-muted-foreground',
};

/** Landing variant: white columns on the coloured background. */
const PAGES = [
  'border-b border-l border-border-strong bg-background',
  '',
  'rounded-r-[12px] border-r border-b border-border-strong bg-background',
] as const;

const SUMS: Record<ColumnState['step'], string> = {
  past: 'font-medium text-subtle-foreground line-through decoration-1',
  now: 'font-title @min-[560px]:tracking-[-0.028em] [:lang(bn)_&]:tracking-normal',
  next: 'font-medium text-muted-foreground',
  still: 'font-semibold',
};

/** A section already has a thick rule on top. */
const HOLD_FRAME =
  'border-t-2 border-b border-border-strong border-t-foreground bg-background in-data-[slot=section]:border-t in-data-[slot=section]:border-t-border-strong';

function sizeOf(now: boolean, long: boolean, cover: boolean): string {
  if (long) return now ? 'text-[20px]' : 'text-[15px]';
  const size = now ? 'text-[24px] @min-[560px]:text-[44px]' : 'text-[18px] @min-[560px]:text-[24px]';
  if (!cover) return size;
  return `${size} ${now ? '@min-[760px]:text-[64px]' : '@min-[760px]:text-[32px]'}`;
}

/** The brand's diagram: buyer, Amanat, seller. The column that holds the money is filled. */
export function Hold({ buyer, amanat, seller, holder, returned = false, cover = false }: HoldProps) {
  const t = useTexts(khata);
  const columns: [HoldColumn, HoldColumn, HoldColumn] = [
    { ...buyer, role: buyer.role ?? t('buyer') },
    { ...amanat, role: amanat.role ?? t('inTrustWith'), name: t('inAmanat') },
    { ...seller, role: seller.role ?? t('seller') },
  ];
  const states = columnStates(holder, returned);
  const held = { buyer, amanat, seller }[holder].sum;
  const label = t(`holds.${holder}`, { sum: held });
  const long = columns.some((column) => column.sum.length > LONG_SUM);
  return (
    <div
      data-slot="hold"
      data-long={long || undefined}
      className={cn(
        '@container grid grid-rows-[auto_auto_1fr_auto] text-foreground',
        WIDTHS[holder],
        cover ? 'min-h-52' : HOLD_FRAME,
      )}
      role="group"
      aria-label={label}
    >
      {INDEXES.map((index) => {
        const { step, crossed } = states[index];
        const now = step === 'now';
        const quiet = now ? QUIET[HOLDERS[index]] : 'text-muted-foreground';
        return (
          <div
            key={index}
            data-now={now || undefined}
            className={cn(
              'relative row-span-full grid min-w-0 grid-rows-subgrid px-2.5 pt-3 pb-3.5 leading-[1.35] @min-[560px]:px-5 @min-[560px]:pt-4 @min-[560px]:pb-4.5 [:lang(bn)_&]:leading-[1.55]',
              cover && `@min-[760px]:min-h-68 @min-[760px]:px-8 @min-[760px]:pt-6 @min-[760px]:pb-7 ${PAGES[index]}`,
              index > 0 && `${columnRule(crossed)} before:text-foreground`,
              now && TONES[HOLDERS[index]],
            )}
          >
            <span className={`text-[13px] @min-[560px]:text-[14px] ${quiet}`}>{columns[index].role}</span>
            <span className="truncate text-[15px] font-semibold @min-[560px]:text-[17px]">{columns[index].name}</span>
            <span
              className={`self-baseline-last pt-5.5 font-display leading-[1.1] tracking-money whitespace-nowrap lining-nums @min-[560px]:pt-10 [:lang(bn)_&]:leading-[1.25] ${SUMS[step]} ${sizeOf(now, long, cover)}`}
            >
              {columns[index].sum}
            </span>
            <span
              className={`mt-1.5 text-[13px] leading-[1.4] @min-[560px]:mt-2 @min-[560px]:text-[14px] [:lang(bn)_&]:leading-[1.55] ${quiet} ${cover ? '@min-[760px]:text-[16px]' : ''}`}
            >
              {columns[index].note}
            </span>
          </div>
        );
      })}
    </div>
  );
}

export function HoldTaka({ children }: { children: ReactNode }) {
  return <span className="block tabular-nums">{children}</span>;
}
