import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { otherOf } from '@/lib/chat/people';
import { conversationQuery } from '@/lib/chat/queries';
import { cn } from '@/lib/cn';
import { useMe } from '@/lib/queries';
import { ConversationList } from './conversation-list';
import './inbox.css';

/** List and chat; on narrow windows one of the two: the chat when a conversation is open. */
export function InboxPage({ conversationId, children }: { conversationId: string | undefined; children: ReactNode }) {
  const t = useTexts(chat);
  const me = useMe()._id;
  const { data: open } = useQuery({ ...conversationQuery(conversationId ?? ''), enabled: false });
  const title = open && conversationId !== undefined ? t('with', { name: otherOf(open, me).username }) : t('inbox');
  return (
    <Page title={title} bare className={cn('inbox', conversationId !== undefined && 'inbox--chat')}>
      <h1 className="sr">{title}</h1>
      <ConversationList open={conversationId} />
      {children}
    </Page>
  );
}
