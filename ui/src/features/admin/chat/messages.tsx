import { Fragment } from 'react';
import type { DirectMessage } from '@/api/contract';
import { useTexts } from '@/i18n';
import { adminChat } from '@/i18n/en/admin-chat';
import { cn } from '@/lib/cn';
import { dhakaDay, formatTime, startOfDay } from '@/lib/time';

/** Within this time the messages of one person stand together under one name. */
const TOGETHER = 5 * 60_000;
const SHOWN_WIDTH = 640;

const dayOf = ({ createdAt }: DirectMessage): string => dhakaDay(Date.parse(createdAt));

/** Whether a message goes on where the one before it ended: same person, same day, soon after. */
function goesOn(message: DirectMessage, before: DirectMessage | undefined): boolean {
  if (before?.senderId !== message.senderId || dayOf(before) !== dayOf(message)) return false;
  return Date.parse(message.createdAt) - Date.parse(before.createdAt) <= TOGETHER;
}

function Bubble({ message, right, first }: { message: DirectMessage; right: boolean; first: boolean }) {
  const t = useTexts(adminChat);
  const { senderName: name, text, image, createdAt, isRead } = message;
  return (
    <li className={cn('seen', right && 'seen--right', first && 'seen--first')} data-message={message._id}>
      {first ? <b className="b t14">{name}</b> : <span className="sr">{name}</span>}
      {image ? (
        <a className="seen__bubble seen__image" href={image} target="_blank" rel="noreferrer">
          <img src={`${image}?w=${SHOWN_WIDTH}`} alt={t('image', { name })} loading="lazy" />
        </a>
      ) : null}
      {text ? <p className="seen__bubble">{text}</p> : null}
      <span className="m seen__meta num">{t(isRead ? 'sentRead' : 'sentUnread', { time: formatTime(createdAt, 'clock') })}</span>
    </li>
  );
}

/** The messages of two people, a line before each day. The second of the two stands at the right. */
export function Messages({ messages, right }: { messages: readonly DirectMessage[]; right: string }) {
  return (
    <ol className="seenlist">
      {messages.map((message, index) => {
        const before = messages[index - 1];
        const newDay = before === undefined || dayOf(before) !== dayOf(message);
        return (
          <Fragment key={message._id}>
            {newDay ? (
              <li className="seenday">
                <span>{formatTime(startOfDay(dayOf(message)), 'weekday')}</span>
              </li>
            ) : null}
            <Bubble message={message} right={message.senderId === right} first={!goesOn(message, before)} />
          </Fragment>
        );
      })}
    </ol>
  );
}
