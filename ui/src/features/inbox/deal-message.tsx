import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, PackageCheck, RotateCcw } from 'lucide-react';
import type { DirectMessage } from '@/api/contract';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { useTexts } from '@/i18n';
import { dealWords } from '@/i18n/en/deal-words';
import { cn } from '@/lib/cn';
import { type BubbleState, bubbleVariants } from './bubble';
import { useThreadPictures } from './message-picture';

const ICONS = { delivered: PackageCheck, changes: RotateCcw, counteroffer: ArrowLeftRight };

type Props = { deal: NonNullable<DirectMessage['deal']>; text: string; state: BubbleState; name: string };

export function DealMessage({ deal, text, state, name }: Props) {
  const t = useTexts(dealWords);
  const titleOf = useDealTitle();
  const all = useThreadPictures(name);
  const Icon = ICONS[deal.act];
  return (
    <div data-slot="deal-message" className={cn(bubbleVariants({ state }), 'grid gap-1.5')}>
      <Link
        to="/deal/$dealId"
        params={{ dealId: deal._id }}
        className="-my-1.5 flex min-h-11 items-center gap-2 py-1.5 text-sm/snug font-semibold whitespace-normal decoration-current hover:text-inherit"
      >
        <Icon className="size-4.5 flex-none" aria-hidden="true" />
        <span className="min-w-0">{t(`said.${deal.act}`, { title: titleOf({ description: deal.title }) })}</span>
      </Link>
      {text === '' ? null : <div data-slot="message-text">{text}</div>}
      {deal.pictures.length > 0 ? (
        <DealPictures
          pictures={deal.pictures}
          from={state === 'received' ? name : null}
          all={all}
          className="max-w-54 gap-1.5 pb-1 *:size-17 xs:max-w-75 xs:*:size-24"
        />
      ) : null}
    </div>
  );
}
