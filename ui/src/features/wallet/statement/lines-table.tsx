import type { ReactNode } from 'react';
import type { StatementLine } from '@/api/contract';
import { CASH } from '@/components/classes';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { amount, centsFromWire } from '@/lib/money';

type Props = {
  lines: readonly StatementLine[];
  className?: string;
  /** What is below the kind of a transaction. */
  children: (line: StatementLine) => ReactNode;
};

function signed(cents: number): string {
  return `${cents > 0 ? '+' : '−'} ${amount(Math.abs(cents))}`;
}

/** Transactions with the balance after each. */
export function LinesTable({ lines, className, children }: Props) {
  const t = useTexts(wallet);
  return (
    <Table className={className}>
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('move.what')}</TableHead>
          <TableHead scope="col" end>
            {t('move.amount')}
          </TableHead>
          <TableHead scope="col" end>
            {t('move.balance')}
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {lines.map((line) => (
          <TableRow key={`${line.subject} ${line.kind}`} className="print:break-inside-avoid">
            <TableCell className="min-w-0 print:py-2">
              <b className="font-semibold">{t(`move.${line.kind}`)}</b>
              <div className="text-sm wrap-anywhere text-muted-foreground">{children(line)}</div>
            </TableCell>
            <TableCell end className={`${CASH} print:py-2`}>
              {signed(centsFromWire(line.amount))}
            </TableCell>
            <TableCell end className="whitespace-nowrap text-muted-foreground lining-nums tabular-nums print:py-2">
              {amount(centsFromWire(line.balanceAfter))}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
