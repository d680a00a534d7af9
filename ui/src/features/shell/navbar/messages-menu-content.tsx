import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MenuProps } from '@/components/lazy-menu';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu';
import { Spinner } from '@/components/ui/spinner';
import { conversationsOf } from '@/entities/chat/cache';
import { CONVERSATION_ROW, ConversationSummary } from '@/entities/chat/conversation-row';
import { inboxQuery } from '@/entities/chat/queries';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { cn } from '@/lib/cn';
import { useNow } from '@/lib/server-clock';

/** The inbox has the rest. */
const SHOWN = 20;

const NONE = 'grid min-h-17.5 place-items-center text-muted-foreground';

function Rows() {
  const t = useTexts(chat);
  const me = useMe()._id;
  const now = useNow();
  const { data, error } = useInfiniteQuery(inboxQuery);
  if (!data) return <div className={NONE}>{error ? t('failed.conversation') : <Spinner label={t('loading')} />}</div>;
  const conversations = conversationsOf(data).slice(0, SHOWN);
  if (conversations.length === 0) return <p className={NONE}>{t('none')}</p>;
  return conversations.map((conversation) => (
    <DropdownMenuItem key={conversation._id} asChild className={cn(CONVERSATION_ROW, 'text-base font-medium')}>
      <Link to="/inbox/$conversationId" params={{ conversationId: conversation._id }}>
        <ConversationSummary conversation={conversation} me={me} now={now} />
      </Link>
    </DropdownMenuItem>
  ));
}

export default function MessagesMenuContent({ trigger }: MenuProps) {
  const t = useTexts(chat);
  const [open, setOpen] = useState(true);
  return (
    <DropdownMenu open={open} onOpenChange={setOpen}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent className="w-90 pb-0">
        {open ? (
          // Scrollable content must be reachable by the keyboard.
          <div className="max-h-[min(350px,60dvh)] overflow-y-auto" role="group" aria-label={t('conversations')} tabIndex={0}>
            <Rows />
          </div>
        ) : null}
        <DropdownMenuSeparator className="my-0" />
        <DropdownMenuItem asChild className="justify-center font-semibold">
          <Link to="/inbox">{t('seeAll')}</Link>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
