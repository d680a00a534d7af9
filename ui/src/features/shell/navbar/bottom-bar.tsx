import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Handshake, MessageSquareText, Store, UserRound, Wallet } from 'lucide-react';
import { LazyMenu } from '@/components/lazy-menu';
import { unreadMessagesQuery } from '@/entities/chat/queries';
import { useKeyboardOpen } from '@/hooks/use-keyboard-open';
import { useTexts } from '@/i18n';
import { member } from '@/i18n/en/member';
import { cn } from '@/lib/cn';
import { loadProfileMenu } from './profile-menu';

const ITEM =
  'relative grid min-h-14 w-full content-center justify-items-center gap-0.5 text-xs leading-tight text-muted-foreground no-underline aria-[current=page]:font-semibold aria-[current=page]:text-foreground aria-[current=page]:shadow-[inset_0_3px_0_var(--foreground)]';
const DOT = 'absolute top-1.5 left-[calc(50%+8px)] size-2.25 rounded-full bg-pen ring-2 ring-background';

/** For phones. Hidden by a page's own bar, a conversation or the keyboard. */
export function BottomBar({ balance }: { balance: string }) {
  const t = useTexts(member);
  const { data: unread = false } = useQuery(unreadMessagesQuery);
  const typing = useKeyboardOpen();
  return (
    <nav
      data-slot="bottom-bar"
      className={cn(
        'fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-border-strong bg-background pb-[env(safe-area-inset-bottom)] group-has-[[data-bottom-bar],[data-fill=alone]]/shell:hidden',
        typing && 'hidden',
      )}
      aria-label={t('places')}
    >
      <Link to="/explore" className={ITEM}>
        <Store aria-hidden="true" />
        {t('market')}
      </Link>
      <Link to="/deal" className={ITEM}>
        <Handshake aria-hidden="true" />
        {t('deals')}
      </Link>
      <Link to="/inbox" className={ITEM} aria-label={unread ? t('chatUnread') : undefined}>
        <MessageSquareText aria-hidden="true" />
        {unread ? <span className={DOT} /> : null}
        {t('chat')}
      </Link>
      <Link to="/balance" className={ITEM} aria-label={t('balanceIs', { sum: balance })}>
        <Wallet aria-hidden="true" />
        {t('balance')}
      </Link>
      <LazyMenu load={loadProfileMenu} className={ITEM} aria-label={t('meMenu')}>
        <UserRound aria-hidden="true" />
        {t('me')}
      </LazyMenu>
    </nav>
  );
}
