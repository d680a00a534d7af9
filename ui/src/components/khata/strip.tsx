import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { columnClass, columnStates, type Holder } from './holder';

const COLUMNS = [0, 1, 2] as const;
const INDEX_OF: Record<Holder, 0 | 1 | 2> = { buyer: 0, amanat: 1, seller: 2 };

type StripProps = {
  holder: Holder /** What stands in the filled cell: the amount, perhaps with a word. */;
  children: string;
  returned?: boolean;
  /** Who the buyer and the seller are: stands in their columns, and the held amount says that it is held where there is room. */
  names?: readonly [buyer: string, seller: string];
  className?: string;
};

/** One row of the hold, for lists, cards and dialogs. */
export function Strip({ holder, children, returned = false, names, className }: StripProps) {
  const t = useTexts(khata);
  const states = columnStates(holder, returned);
  const whole = t(`holds.${holder}`, { sum: children });
  const others = [names?.[0], t('amanat'), names?.[1]];
  const sum =
    names && holder === 'amanat' ? (
      <>
        <span className="strip__whole">{whole}</span>
        <span className="strip__sum">{children}</span>
      </>
    ) : (
      children
    );
  return (
    <div data-slot="strip" className={cn('strip', className)} role="img" aria-label={whole}>
      {COLUMNS.map((index) => (
        <span key={index} className={columnClass(states[index], index)}>
          {index === INDEX_OF[holder] ? sum : names ? <span className="clip">{others[index]}</span> : null}
        </span>
      ))}
    </div>
  );
}

/** The empty row with the three names: the picture of "nothing here yet". */
export function EmptyStrip() {
  const t = useTexts(khata);
  return (
    <div className="strip" aria-hidden="true">
      <span>{t('buyer')}</span>
      <span>{t('amanat')}</span>
      <span>{t('seller')}</span>
    </div>
  );
}

/** The smallest form, 31 px wide, for a line of text. */
export function Glyph({ holder }: { holder: Holder }) {
  const t = useTexts(khata);
  const states = columnStates(holder);
  return (
    <span data-slot="glyph" className="glyph" role="img" aria-label={t(`with.${holder}`)}>
      {COLUMNS.map((index) => (
        <i key={index} className={columnClass({ ...states[index], crossed: false }, index)} />
      ))}
    </span>
  );
}

const TAGS = ['cash--own', 'cash--held', 'cash--paid'] as const;

/** The three table cells of a deal in a list: the amount is a tag in the column of its holder. */
export function TriCells({ holder, sum }: { holder: Holder; sum: string }) {
  return COLUMNS.map((index) => (
    <td key={index} className="tri">
      {index === INDEX_OF[holder] ? <span className={cn('cash', TAGS[index])}>{sum}</span> : null}
    </td>
  ));
}

/** The three heads over TriCells. */
export function TriHeads() {
  const t = useTexts(khata);
  return (['buyer', 'amanat', 'seller'] as const).map((name) => (
    <th key={name} scope="col" className="tri">
      {t(name)}
    </th>
  ));
}
