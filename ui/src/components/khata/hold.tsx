import type { ReactNode } from 'react';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { columnClass, columnStates, type Holder } from './holder';

/** What stands in a column. `role` is only to be given where it is not Buyer, In trust with, Seller. */
export type HoldColumn = { role?: string; name: ReactNode; sum: string; note?: ReactNode };

type HoldProps = {
  buyer: HoldColumn;
  amanat: Omit<HoldColumn, 'name'>;
  seller: HoldColumn;
  holder: Holder;
  /** The money was in trust and came back to the buyer. */
  returned?: boolean;
  /** On the landing page's cover only. */
  cover?: boolean;
};

const LONG_SUM = 8;
const INDEXES = [0, 1, 2] as const;

/** The brand's diagram: buyer, Amanat, seller; the money is in exactly one, and that column is filled. */
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
    <div data-slot="hold" className={cn('hold', cover && 'hold--cover', long && 'hold--long')} role="group" aria-label={label}>
      {INDEXES.map((index) => (
        <div key={index} className={cn('hold__col', columnClass(states[index], index))}>
          <span className="hold__role">{columns[index].role}</span>
          <span className="hold__name">{columns[index].name}</span>
          <span className="hold__sum">{columns[index].sum}</span>
          <span className="hold__note">{columns[index].note}</span>
        </div>
      ))}
    </div>
  );
}

/** The taka line inside a hold's note. */
export function HoldTaka({ children }: { children: ReactNode }) {
  return <span className="hold__bdt">{children}</span>;
}
