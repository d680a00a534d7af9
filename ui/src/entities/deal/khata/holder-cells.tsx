import type { ReactNode } from 'react';
import { CARD_CELL, CASH, TOTAL } from '@/components/classes';
import { TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { amount, type Cents, usd } from '@/lib/money';
import { HOLDERS, type Holder, TONES } from './holder';
import { Strip } from './strip';

const COLUMNS = [0, 1, 2] as const;
const TRI = 'relative w-(--tri,116px) px-2.5 text-end';
const LINE = 'before:absolute before:inset-y-0 before:left-0 before:w-px before:bg-border';
const TAG = `-mr-2.5 inline-block px-2.5 py-1.5 ${CASH}`;

type CellsProps = { holder: Holder; sum: Cents; returned?: boolean };

/** A deal's cells in a table, with the amount in the holder's column; on a phone, a strip. */
export function HolderCells({ holder, sum, returned = false }: CellsProps) {
  return (
    <>
      {COLUMNS.map((index) => (
        <TableCell key={index} className={cn(TRI, 'max-wide:hidden', index > 0 && LINE)}>
          {HOLDERS[index] === holder ? (
            <span className={`rounded-[1px_6px_6px_1px] ${TAG} ${TONES[holder]}`}>{amount(sum)}</span>
          ) : null}
        </TableCell>
      ))}
      <TableCell className={cn(CARD_CELL, 'max-wide:order-last max-wide:col-span-full max-wide:mt-2.5 wide:hidden')}>
        <Strip holder={holder} returned={returned}>
          {usd(sum)}
        </Strip>
      </TableCell>
    </>
  );
}

/** The header of such a table. On a phone it stays above the strips of the cards. */
export function HolderHeader({ children }: { children: ReactNode }) {
  const t = useTexts(khata);
  return (
    <TableHeader className="max-wide:sticky max-wide:top-0 max-wide:z-2 max-wide:block max-wide:bg-background">
      <TableRow className="max-wide:grid max-wide:grid-cols-[1fr_1.2fr_1fr] max-wide:border-b">
        {children}
        {COLUMNS.map((index) => (
          <TableHead
            key={index}
            scope="col"
            className={cn(
              TRI,
              'max-wide:w-auto max-wide:border-0 max-wide:px-0 max-wide:py-1.5 max-wide:text-center max-wide:text-caption max-wide:font-normal',
              index > 0 && `${LINE} max-wide:before:hidden`,
            )}
          >
            {t(HOLDERS[index])}
          </TableHead>
        ))}
      </TableRow>
    </TableHeader>
  );
}

export function HolderSums({ sumOf }: { sumOf: (holder: Holder) => string | null }) {
  return COLUMNS.map((index) => {
    const sum = sumOf(HOLDERS[index]);
    return (
      <TableCell key={index} className={cn(TRI, index > 0 && LINE)}>
        {sum === null ? null : (
          <span className={TAG}>
            <span className={TOTAL}>{sum}</span>
          </span>
        )}
      </TableCell>
    );
  });
}
