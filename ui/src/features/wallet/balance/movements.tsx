import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WalletMovement } from '@/api/contract';
import { CASH } from '@/components/classes';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { amount, centsFromWire } from '@/lib/money';
import { formatTime } from '@/lib/time';

function What({ movement }: { movement: WalletMovement }) {
  const t = useTexts(wallet);
  const words = t(`move.${movement.kind}`);
  const [noun, id] = movement.subject.split(':');
  if (noun === 'deposit' && id) {
    return (
      <Link to="/balance/deposits/$depositId" params={{ depositId: id }} className="font-semibold">
        {words}
      </Link>
    );
  }
  if (noun !== 'deal' || !id) return <b className="font-semibold">{words}</b>;
  return (
    <Link to="/deal/$dealId" params={{ dealId: id }} className="font-semibold">
      {words}
    </Link>
  );
}

export function Movements({ movements }: { movements: readonly WalletMovement[] }) {
  const t = useTexts(wallet);
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-1" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-md font-semibold underline decoration-input underline-offset-4 hover:decoration-current">
        {t('chart.all', { count: movements.length })}
      </summary>
      {open ? (
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
            {movements.toReversed().map((movement) => {
              const cents = centsFromWire(movement.amount);
              return (
                <TableRow key={`${movement.subject} ${movement.kind}`}>
                  <TableCell>
                    <What movement={movement} />
                    {movement.reason === null ? null : (
                      <span className="block text-sm wrap-anywhere text-muted-foreground">{movement.reason}</span>
                    )}
                    <time className="block text-sm text-muted-foreground" dateTime={movement.at}>
                      {formatTime(movement.at, 'moment')}
                    </time>
                  </TableCell>
                  <TableCell end className={CASH}>{`${cents > 0 ? '+' : '−'} ${amount(Math.abs(cents))}`}</TableCell>
                  <TableCell end className="whitespace-nowrap text-muted-foreground lining-nums tabular-nums">
                    {amount(centsFromWire(movement.balanceAfter))}
                  </TableCell>
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      ) : null}
    </details>
  );
}
