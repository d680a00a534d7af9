import { STRIP_ROW, stripRule } from '@/components/empty-strip';
import { useTexts } from '@/i18n';
import { khata } from '@/i18n/en/khata';
import { cn } from '@/lib/cn';
import { columnStates, HOLDERS, type Holder, TONES } from './holder';

const COLUMNS = [0, 1, 2] as const;

type StripProps = {
  holder: Holder;
  /** The filled cell's text: the amount, perhaps with a word. */
  children: string;
  returned?: boolean;
  /** Names for the columns. With them and enough room, the amount says that it is held. */
  names?: readonly [buyer: string, seller: string];
  className?: string;
};

/** The hold as one row, for lists, cards and dialogs. */
export function Strip({ holder, children, returned = false, names, className }: StripProps) {
  const t = useTexts(khata);
  const states = columnStates(holder, returned);
  const whole = t(`holds.${holder}`, { sum: children });
  const others = [names?.[0], t('amanat'), names?.[1]];
  const sum =
    names && holder === 'amanat' ? (
      <>
        <span className="hidden @min-[380px]:inline">{whole}</span>
        <span className="@min-[380px]:hidden">{children}</span>
      </>
    ) : (
      children
    );
  return (
    <div data-slot="strip" className={cn(STRIP_ROW, className)} role="img" aria-label={whole}>
      {COLUMNS.map((index) => (
        <span
          key={index}
          className={cn(stripRule(index, states[index].crossed), HOLDERS[index] === holder && `font-semibold ${TONES[holder]}`)}
        >
          {HOLDERS[index] === holder ? sum : names ? <span className="min-w-0 truncate px-2">{others[index]}</span> : null}
        </span>
      ))}
    </div>
  );
}

/** The hold as a 31 px icon for a line of text. */
export function Glyph({ holder }: { holder: Holder }) {
  const t = useTexts(khata);
  const states = columnStates(holder);
  return (
    <span
      data-slot="glyph"
      className="inline-grid h-4 flex-none grid-cols-[repeat(3,9px)] gap-0.5 align-[-3px]"
      role="img"
      aria-label={t(`with.${holder}`)}
    >
      {COLUMNS.map((index) => (
        <i
          key={index}
          className={cn(
            'rounded-[1px] border-[1.5px] border-subtle-foreground',
            states[index].step === 'next' && 'border border-dashed',
            states[index].step === 'now' && `border-0 ${TONES[HOLDERS[index]]}`,
          )}
        />
      ))}
    </span>
  );
}
