import { CircleCheckBig, CircleSlash, Gavel, type LucideIcon, Scale } from 'lucide-react';
import type { DealDispute, DisputeEntry, DisputeStatus, Party } from '@/api/contract';
import { Section } from '@/components/section';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { type Key, useTexts } from '@/i18n';
import { disputeRoom } from '@/i18n/en/disputes';
import { formatTime } from '@/lib/time';
import { DealPictures } from '../deal-pictures';
import { type Names, SplitFacts, splitFromWire } from './split';

const LOOKS: Record<DisputeStatus, [BadgeVariant, LucideIcon]> = {
  open: ['pending', Scale],
  decided: ['active', Gavel],
  appealed: ['late', Scale],
  settled: ['completed', CircleCheckBig],
  closed: ['cancelled', CircleSlash],
};

export function DisputeBadge({ status }: { status: DisputeStatus }) {
  const t = useTexts(disputeRoom);
  const [variant, Icon] = LOOKS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {t(`status.${status}`)}
    </Badge>
  );
}

type Text = Key<typeof disputeRoom>;

const known = (key: string): Text | null => (key in disputeRoom.en ? (key as Text) : null);

type Whose = 'you' | 'kind' | 'system';

/** The heading of an entry; "" for a kind this version does not know. */
function useEntryText(): (entry: DisputeEntry, whose: Whose) => string {
  const t = useTexts(disputeRoom) as (key: Text) => string;
  return ({ kind }, whose) => {
    const key = known(`${whose}.${kind}`);
    return key === null ? '' : t(key);
  };
}

function Links({ links }: { links: readonly string[] }) {
  const t = useTexts(disputeRoom);
  if (links.length === 0) return null;
  return (
    <ul className="mt-2 grid" aria-label={t('links')}>
      {links.map((link) => (
        <li key={link}>
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            aria-label={t('newTab', { link })}
            className="inline-flex min-h-11 items-center break-all underline"
          >
            {link}
          </a>
        </li>
      ))}
    </ul>
  );
}

type LineProps = { entry: DisputeEntry; mine: boolean; names: Names };

function SystemLine({ entry }: { entry: DisputeEntry }) {
  const what = useEntryText()(entry, 'system');
  return (
    <p className="text-sm text-muted-foreground">
      <b className="font-semibold text-foreground">{what || entry.text}</b>{' '}
      <time dateTime={entry.at}>{formatTime(entry.at, 'moment')}</time>
      {what !== '' && entry.text !== '' ? (
        <span className="mt-1 block overflow-clip whitespace-pre-line">{entry.text}</span>
      ) : null}
    </p>
  );
}

function Head({ entry, author, mine }: { entry: DisputeEntry; author: Party; mine: boolean }) {
  const t = useTexts(disputeRoom);
  const what = useEntryText()(entry, mine ? 'you' : 'kind');
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span>
        {mine ? null : <UserName user={author} className="font-semibold" />}{' '}
        <span className={mine ? 'font-semibold' : undefined}>{what}</span>
      </span>
      <Badge variant={entry.role === 'admin' ? 'pending' : 'outline'}>{t(`role.${entry.role}`)}</Badge>
      <time dateTime={entry.at} className="text-muted-foreground">
        {formatTime(entry.at, 'moment')}
      </time>
    </p>
  );
}

function Line({ entry, mine, names }: LineProps) {
  const { author, pictures, offer } = entry;
  if (author === null || entry.role === 'system') return <SystemLine entry={entry} />;
  return (
    <div className="flex gap-3">
      <UserAvatar name={author.username} picture={author.profilePic} size="sm" />
      <div className="min-w-0 flex-1">
        <Head entry={entry} author={author} mine={mine} />
        {entry.text === '' ? null : (
          <p className="mt-1 max-w-measure overflow-clip wrap-anywhere whitespace-pre-line">{entry.text}</p>
        )}
        <Links links={entry.links} />
        {pictures.length === 0 ? null : (
          <DealPictures pictures={pictures} from={mine ? null : author.username} className="mt-2" />
        )}
        {offer ? (
          <div className="mt-2 max-w-100">
            <SplitFacts split={splitFromWire(offer)} names={names} />
          </div>
        ) : null}
      </div>
    </div>
  );
}

type Props = {
  dispute: DealDispute;
  names: Names;
  /** The reader's id, if they are a party. */
  me?: string;
  size?: 'large' | 'small';
};

export function DisputeThread({ dispute, names, me, size = 'large' }: Props) {
  const t = useTexts(disputeRoom);
  return (
    <Section title={t('thread')} size={size}>
      <ol className="grid" data-slot="dispute-thread">
        {dispute.thread.map((entry) => (
          <li key={entry._id} className="border-b py-3.5 last:border-b-0">
            <Line entry={entry} mine={me !== undefined && entry.author?._id === me} names={names} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
