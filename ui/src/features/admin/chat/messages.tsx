import { Link } from '@tanstack/react-router';
import { cva } from 'class-variance-authority';
import { Fragment } from 'react';
import type { DirectMessage } from '@/api/contract';
import { PictureDialog } from '@/components/picture-dialog';
import { Badge } from '@/components/ui/badge';
import { Dialog, DialogTrigger } from '@/components/ui/dialog';
import { logRows } from '@/entities/chat/message-rows';
import { DealPictures } from '@/entities/deal/deal-pictures';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { adminChat } from '@/i18n/en/admin';
import { dealWords } from '@/i18n/en/deal-line';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';

const SHOWN_WIDTH = 640;

const bubble = cva('overflow-clip px-3.5 py-2.5 leading-[1.45] wrap-anywhere whitespace-pre-line', {
  variants: {
    right: {
      true: 'rounded-[12px_2px_2px_12px] bg-holder-own text-holder-own-foreground',
      false: 'rounded-[2px_12px_12px_2px] bg-secondary',
    },
  },
});

function DealLine({ deal: { _id, title, act } }: { deal: NonNullable<DirectMessage['deal']> }) {
  const t = useTexts(dealWords);
  const titleOf = useDealTitle();
  return (
    <Link
      to="/admin/deals"
      search={{ dealId: _id, review: _id }}
      className="inline-flex min-h-11 items-center text-sm font-semibold"
    >
      {t(`said.${act}`, { title: titleOf({ description: title }) })}
    </Link>
  );
}

type BubbleProps = { message: DirectMessage; staff: boolean; right: boolean; first: boolean; marked: boolean };

function Bubble({ message, staff, right, first, marked }: BubbleProps) {
  const t = useTexts(adminChat);
  const { senderName: name, text, image, deal, createdAt, isRead, erased } = message;
  return (
    <li
      className={cn(
        'grid max-w-[min(78%,480px)] gap-0.75',
        right ? 'justify-items-end justify-self-end' : 'justify-items-start',
        first && 'mt-3',
        marked && 'border-l-4 border-destructive pl-2',
      )}
      data-message={message._id}
    >
      <UserName user={{ username: name, isStaff: staff }} className={first ? 'text-sm font-semibold' : 'sr-only'} />
      {marked ? <Badge variant="destructive">{t('reported')}</Badge> : null}
      {deal ? <DealLine deal={deal} /> : null}
      {image ? (
        <Dialog>
          <DialogTrigger className={cn(bubble({ right }), 'cursor-zoom-in p-1')}>
            <img
              className="max-h-80 max-w-full rounded-xs"
              src={`${image}?w=${SHOWN_WIDTH}`}
              alt={t('image', { name })}
              loading="lazy"
            />
          </DialogTrigger>
          <PictureDialog title={t('image', { name })} src={image} alt={t('image', { name })} />
        </Dialog>
      ) : null}
      {text ? <p className={bubble({ right })}>{text}</p> : null}
      {deal && deal.pictures.length > 0 ? (
        <DealPictures pictures={deal.pictures} from={name} className={right ? 'justify-end' : ''} />
      ) : null}
      {erased ? <p className="border px-3.5 py-2.5 text-sm text-muted-foreground">{t('erased')}</p> : null}
      <span className="text-caption text-muted-foreground lining-nums tabular-nums">
        {t(isRead ? 'sentRead' : 'sentUnread', { time: formatTime(createdAt, 'clock') })}
      </span>
    </li>
  );
}

type Props = {
  messages: readonly DirectMessage[];
  right: string;
  staff: readonly string[];
  marked?: string;
};

export function Messages({ messages, right, staff, marked }: Props) {
  return (
    <ol className="grid gap-0.75">
      {logRows(messages).map(({ message, newDay, starts }) => (
        <Fragment key={message._id}>
          {newDay ? (
            <li className="mt-4 mb-1 flex items-center gap-3 text-caption text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
              <span>{formatTime(message.createdAt, 'weekday')}</span>
            </li>
          ) : null}
          <Bubble
            message={message}
            staff={staff.includes(message.senderId)}
            right={message.senderId === right}
            first={starts}
            marked={message._id === marked}
          />
        </Fragment>
      ))}
    </ol>
  );
}
