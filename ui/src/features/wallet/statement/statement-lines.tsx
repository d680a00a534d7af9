import { Link } from '@tanstack/react-router';
import type { StatementLine } from '@/api/contract';
import { CASH, CODE } from '@/components/classes';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { statement } from '@/i18n/en/statement';
import { wallet } from '@/i18n/en/wallet';
import { amount, centsFromWire } from '@/lib/money';
import { formatTime } from '@/lib/time';

function About({ line }: { line: StatementLine }) {
  const t = useTexts(statement);
  const tKhata = useTexts(khata);
  const id = line.subject.slice(line.subject.indexOf(':') + 1);
  if (line.with !== null) {
    return (
      <>
        <Link to="/deal/$dealId" params={{ dealId: id }} className="underline decoration-input underline-offset-4">
          {line.title ?? t('deal')}
        </Link>
        {' · '}
        <Link to="/profile/$username" params={{ username: line.with }} className="underline decoration-input underline-offset-4">
          {line.with}
        </Link>
      </>
    );
  }
  if (line.method === 'Bkash' || line.method === 'Nagad') {
    const reference = <span className={CODE}>{line.reference}</span>;
    return (
      <>
        {tKhata(`method.${line.method}`)}
        {' · '}
        {line.subject.startsWith('deposit:') ? (
          <Link
            to="/balance/deposits/$depositId"
            params={{ depositId: id }}
            className="underline decoration-input underline-offset-4"
          >
            {reference}
          </Link>
        ) : (
          reference
        )}
      </>
    );
  }
  return line.reason;
}

export function signed(cents: number): string {
  return `${cents > 0 ? '+' : '−'} ${amount(Math.abs(cents))}`;
}

/** Transactions with the balance after each, the latest first. */
export function StatementLines({ lines }: { lines: readonly StatementLine[] }) {
  const t = useTexts(wallet);
  return (
    <Table>
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
          <TableRow key={`${line.subject} ${line.kind}`}>
            <TableCell className="min-w-0">
              <b className="font-semibold">{t(`move.${line.kind}`)}</b>
              <span className="block text-sm wrap-anywhere text-muted-foreground">
                <About line={line} />
              </span>
              <time className="block text-sm text-muted-foreground" dateTime={line.at}>
                {formatTime(line.at, 'moment')}
              </time>
            </TableCell>
            <TableCell end className={CASH}>
              {signed(centsFromWire(line.amount))}
            </TableCell>
            <TableCell end className="whitespace-nowrap text-muted-foreground lining-nums tabular-nums">
              {amount(centsFromWire(line.balanceAfter))}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
