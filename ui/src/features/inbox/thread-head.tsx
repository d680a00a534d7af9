import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { Deal, Party } from '@/api/contract';
import { Avatar } from '@/components/ui/avatar';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { usePresence } from '@/lib/realtime/live';

/** With whom: picture, name, whether he is online, and the way to his profile; on a phone also the way back to the list. */
export function ThreadHead({ other, deal }: { other: Party; deal: Deal | undefined }) {
  const t = useTexts(chat);
  const online = usePresence(other._id) === true;
  const { username: name } = other;
  return (
    <header className="chat__head">
      <Link to="/inbox" className="btn btn--quiet btn--icon only-chat" aria-label={t('back')}>
        <ArrowLeft aria-hidden="true" />
      </Link>
      <Link className="chat__who" to="/profile/$username" params={{ username: name }}>
        <span className={cn('conv__who', online && 'avatar__on')}>
          <Avatar name={name} picture={other.profilePic} />
        </span>
        <span className="chat__names">
          <b className="b clip">{name}</b>
          <span className="m t14 clip">{t(online ? 'online' : 'seeProfile')}</span>
        </span>
      </Link>
      {deal ? (
        <Link
          to="/deal/$dealId"
          params={{ dealId: deal._id }}
          className={cn(buttonVariants({ variant: 'line' }), 'ml only-wide-chat')}
        >
          {t('openDeal')}
        </Link>
      ) : null}
    </header>
  );
}
