import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Page } from '@/components/page';
import { otherParticipant } from '@/entities/chat/participants';
import { conversationQuery } from '@/entities/chat/queries';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { ConversationList } from './conversation-list';

export function InboxPage({ conversationId, children }: { conversationId: string | undefined; children: ReactNode }) {
  const t = useTexts(chat);
  const me = useMe()._id;
  const { data: open } = useQuery({ ...conversationQuery(conversationId ?? ''), enabled: false });
  const title = open && conversationId !== undefined ? t('with', { name: otherParticipant(open, me).username }) : t('inbox');
  return (
    <Page
      title={title}
      bare
      fill={conversationId === undefined ? 'window' : 'alone'}
      className="grid min-h-0 flex-1 grid-cols-1 grid-rows-1 min-[769px]:grid-cols-[340px_minmax(0,1fr)]"
    >
      <h1 className="sr-only">{title}</h1>
      <ConversationList open={conversationId} />
      {children}
    </Page>
  );
}
