import { BadgeCheck, Star } from 'lucide-react';
import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Profile } from '@/api/contract';
import { Facts } from '@/components/section';
import { useTexts } from '@/i18n';
import { profile as catalogue } from '@/i18n/en/profile';
import { count, localDigits } from '@/lib/money';
import { MIN_DEALS_FOR_SCORE } from '@/lib/rules';
import { formatTime } from '@/lib/time';

const HOUR = 60;
const DAY = 24 * HOUR;

type Typical = { unit: 'minutes' | 'hours' | 'days'; count: number };

/** A typical time in its largest unit, rounded up: 90 minutes become 2 hours. */
export function typicalTime(minutes: number): Typical {
  if (minutes < HOUR) return { unit: 'minutes', count: minutes };
  if (minutes < DAY) return { unit: 'hours', count: Math.ceil(minutes / HOUR) };
  return { unit: 'days', count: Math.ceil(minutes / DAY) };
}

export const typicalHours = (hours: number): Typical => typicalTime(hours * HOUR);

/** A finger only enters while it taps, which is a click. */
const byMouse = (event: PointerEvent) => event.pointerType === 'mouse';

/** The open state. Leaving with pointer or focus closes it, as does Escape. */
function useOpen() {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!open) return;
    const onPointer = ({ target }: globalThis.PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);
  return { box, open, setOpen };
}

/**
 * A label with an explanation on hover, keyboard focus or tap. The text is below the surrounding
 * line, which must be `relative`, and as wide. Screen readers read it after the label.
 */
function Explained({ children, text }: { children: ReactNode; text: string }) {
  const id = useId();
  const { box, open, setOpen } = useOpen();
  return (
    <span
      ref={box}
      data-slot="explained"
      onPointerEnter={(event) => {
        if (byMouse(event)) setOpen(true);
      }}
      onPointerLeave={(event) => {
        if (byMouse(event)) setOpen(false);
      }}
    >
      <button
        type="button"
        aria-describedby={id}
        className="-my-2.5 min-h-11 cursor-help py-2.5 text-start whitespace-nowrap underline decoration-dotted underline-offset-4 hover:text-foreground"
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        // Safari does not focus buttons.
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      <span
        id={id}
        role="tooltip"
        hidden={!open}
        className="absolute inset-x-0 top-full z-10 border border-border-strong bg-popover p-3 text-start text-sm text-popover-foreground shadow-overlay"
      >
        {text}
      </span>
    </span>
  );
}

type Figures = Pick<
  Profile,
  | 'successScore'
  | 'completedDeals'
  | 'finishedDeals'
  | 'averageRating'
  | 'ratingCount'
  | 'partners'
  | 'volumeBand'
  | 'typicalDeliveryHours'
  | 'typicalAnswerMinutes'
> & { user: Pick<Profile['user'], 'isVerified' | 'secondFactor' | 'createdAt'> };

const Quiet = ({ children }: { children: ReactNode }) => <span className="text-muted-foreground">{children}</span>;
const Strong = ({ children }: { children: ReactNode }) => <b className="font-semibold">{children}</b>;

const Good = ({ children }: { children: ReactNode }) => (
  <span className="inline-flex items-center gap-1 text-status-done">
    <BadgeCheck className="size-4" aria-hidden="true" />
    {children}
  </span>
);

function Email({ verified }: { verified: boolean }) {
  const t = useTexts(catalogue);
  if (!verified) return <Quiet>{t('email.unverified')}</Quiet>;
  return <Good>{t('email.verified')}</Good>;
}

function Score({ figures }: { figures: Figures }) {
  const t = useTexts(catalogue);
  const { successScore, completedDeals, finishedDeals } = figures;
  if (finishedDeals === 0) return <Quiet>{t('noScore')}</Quiet>;
  const deals = t('ofDeals', { completed: count(completedDeals), count: finishedDeals });
  if (successScore === null || finishedDeals < MIN_DEALS_FOR_SCORE) return <Strong>{deals}</Strong>;
  return (
    <>
      <Strong>{t('percent', { score: successScore })}</Strong> <Quiet>{deals}</Quiet>
    </>
  );
}

function Rating({ figures: { averageRating, ratingCount } }: { figures: Figures }) {
  const t = useTexts(catalogue);
  if (averageRating === null) return <Quiet>{t('noRating')}</Quiet>;
  return (
    <>
      <Star className="size-3.5 fill-star stroke-star align-[-1px]" aria-hidden="true" />{' '}
      <Strong>{localDigits(averageRating.toFixed(1))}</Strong> <Quiet>{t('ofReviews', { count: ratingCount })}</Quiet>
    </>
  );
}

function Within({ time }: { time: Typical | null }) {
  const t = useTexts(catalogue);
  if (time === null) return <Quiet>{t('unknown')}</Quiet>;
  return t(`within.${time.unit}`, { count: time.count });
}

export function PersonFigures({ profile }: { profile: Figures }) {
  const t = useTexts(catalogue);
  const { user, partners, volumeBand, typicalDeliveryHours, typicalAnswerMinutes } = profile;
  const line = (
    name: 'member' | 'email' | 'secondFactor' | 'score' | 'rating' | 'partners' | 'volume' | 'delivers' | 'answers',
    value: ReactNode,
  ) =>
    [
      <Explained key={name} text={t(`${name}.about`)}>
        {t(name)}
      </Explained>,
      value,
    ] as const;
  return (
    <Facts
      rows={[
        line('member', formatTime(user.createdAt, 'month')),
        line('email', <Email verified={user.isVerified} />),
        ...(user.secondFactor ? [line('secondFactor', <Good>{t('secondFactor.on')}</Good>)] : []),
        line('score', <Score figures={profile} />),
        line('rating', <Rating figures={profile} />),
        line(
          'partners',
          partners === 0 ? <Quiet>{t('partners.none')}</Quiet> : <Strong>{t('partners.count', { count: partners })}</Strong>,
        ),
        ...(volumeBand === 'none' ? [] : [line('volume', t(`volume.${volumeBand}`))]),
        line('delivers', <Within time={typicalDeliveryHours === null ? null : typicalHours(typicalDeliveryHours)} />),
        line('answers', <Within time={typicalAnswerMinutes === null ? null : typicalTime(typicalAnswerMinutes)} />),
      ]}
    />
  );
}
