import { CASH, TOTAL } from '@/components/classes';
import { TableCell, TableHead } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { HOLDERS, type Holder, TONES } from './holder';

const COLUMNS = [0, 1, 2] as const;
const TRI = 'relative w-(--tri,116px) px-2.5 text-end';
const LINE = 'before:absolute before:inset-y-0 before:left-0 before:w-px before:bg-border';
const TAG = `-mr-2.5 inline-block px-2.5 py-1.5 ${CASH}`;

/** A deal's three cells in a table, with the amount in the holder's column. */
export function HolderCells({ holder, sum }: { holder: Holder; sum: string }) {
  return COLUMNS.map((index) => (
    <TableCell key={index} className={cn(TRI, index > 0 && LINE)}>
      {HOLDERS[index] === holder ? <span className={`rounded-[1px_6px_6px_1px] ${TAG} ${TONES[holder]}`}>{sum}</span> : null}
    </TableCell>
  ));
}

export function HolderHeads() {
  const t = useTexts(khata);
  return COLUMNS.map((index) => (
    <TableHead key={index} scope="col" className={cn(TRI, index > 0 && LINE)}>
      {t(HOLDERS[index])}
    </TableHead>
  ));
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
