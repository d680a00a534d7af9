import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Deal, Party } from '@/api/contract';
import { buttonVariants } from '@/components/ui/button';
import { PresenceAvatar } from '@/entities/chat/presence-avatar';
import { MoreMenu } from '@/entities/moderation/more-menu';
import { UserLink } from '@/entities/user/user-link';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { user } from '@/i18n/en/user';
import { usePresence } from '@/lib/realtime/live';

type Props = {
  other: Party;
  deal: Deal | undefined;
  children: ReactNode;
};

export function ThreadHead({ other, deal, children }: Props) {
  const t = useTexts(chat);
  const tUser = useTexts(user);
  const online = usePresence(other._id) === true;
  return (
    <header className="flex min-h-16 items-center gap-2 border-b px-gutter py-2 max-[769px]:pl-1">
      <Link
        to="/inbox"
        className={buttonVariants({ variant: 'ghost', size: 'icon', className: 'min-[769px]:hidden' })}
        aria-label={t('back')}
      >
        <ArrowLeft aria-hidden="true" />
      </Link>
      <UserLink user={other} className="flex min-h-12 min-w-0 items-center gap-3 leading-[1.3] no-underline">
        <PresenceAvatar person={other} online={online} />
        <span className="grid min-w-0">
          <UserName user={other} truncate className="font-semibold" />
          <span className="min-w-0 truncate text-sm/[1.3] text-muted-foreground">
            {other.closed ? tUser('closed') : t(online ? 'online' : 'seeProfile')}
          </span>
        </span>
      </UserLink>
      <div className="ml-auto flex flex-none items-center gap-2 max-[769px]:gap-0">
        {deal ? (
          <Link
            to="/deal/$dealId"
            params={{ dealId: deal._id }}
            className={buttonVariants({ variant: 'outline', className: 'max-[769px]:hidden' })}
          >
            {t('openDeal')}
          </Link>
        ) : null}
        {children}
        {other.closed ? null : <MoreMenu person={other} />}
      </div>
    </header>
  );
}
