import type { ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import type { Holder } from './holder';

/** One event. `cells` says what stands in the three columns; usually only the holder's. */
export type LedgerLine = {
  key: string;
  when: ReactNode;
  what: ReactNode;
  detail?: ReactNode;
  /** What somebody wrote with it. */
  note?: string;
  /** The column that holds the money from this event on, with the amount ("480.00"). */
  holds?: { holder: Holder; sum: string };
  /** A small note in Amanat's column: the fee it kept. */
  fee?: string;
  /** Has not happened yet: the cell is stitched. */
  future?: boolean;
};

const HOLDERS: readonly Holder[] = ['buyer', 'amanat', 'seller'];
const TONE: Record<Holder, string> = { buyer: 'now now--own', amanat: 'now', seller: 'now now--paid' };

function Cell({ line, column }: { line: LedgerLine; column: Holder }) {
  if (line.holds?.holder === column) {
    return (
      <span role="cell" className={cn('ledger__c', line.future ? 'will' : TONE[column])}>
        {line.holds.sum}
      </span>
    );
  }
  const fee = column === 'amanat' ? line.fee : undefined;
  return (
    <span role="cell" className={cn('ledger__c', fee && 'fee')}>
      {fee}
    </span>
  );
}

/** The life of a deal, a line an event; the money's column is filled. */
export function LedgerLines({ lines, label, big = false }: { lines: readonly LedgerLine[]; label: string; big?: boolean }) {
  const t = useTexts(khata);
  return (
    <div data-slot="ledger" className={cn('ledger', big && 'ledger--big')} role="table" aria-label={label}>
      <div role="rowgroup">
        <div className="ledger__head" role="row">
          {[t('when'), t('what'), t('buyer'), t('amanat'), t('seller')].map((head) => (
            <span key={head} role="columnheader">
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
            className={cn('ledger__line', line.future && 'future')}
            role="row"
          >
            <span className="ledger__when" role="cell">
              {line.when}
            </span>
            <span className="ledger__what" role="cell">
              <b className="b">{line.what}</b>
              {line.detail ? <small>{line.detail}</small> : null}
              {line.note ? <q className="ledger__note">{line.note}</q> : null}
            </span>
            {HOLDERS.map((column) => (
              <Cell key={column} line={line} column={column} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
