import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Handshake } from 'lucide-react';
import { useState } from 'react';
import type { Party, Post } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { postQuery } from '@/entities/post/post-query';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { useDealDialog } from './use-deal-dialog';

type Props = {
  other: Party;
  postId: string | undefined;
};

/** "Make a deal" in a conversation, filled in from the post, or else with the partner alone. */
export function ChatDeal({ other, postId }: Props) {
  const t = useTexts(chat);
  const queryClient = useQueryClient();
  const [post, setPost] = useState<Post | null>(null);
  const dialog = useDealDialog({ other, post });
  const opening = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      postId === undefined
        ? Promise.resolve(null)
        : queryClient.query({ ...postQuery(postId), staleTime: 'static' }).catch(() => null),
    onSuccess: (found) => {
      setPost(found);
      dialog.open();
    },
  });
  return (
    <>
      <PendingButton
        variant="outline"
        className="max-[769px]:px-3"
        aria-label={t('makeDeal')}
        pending={opening.isPending}
        pendingText={null}
        onPointerEnter={dialog.ahead}
        onFocus={dialog.ahead}
        onClick={() => opening.mutate()}
      >
        <Handshake aria-hidden="true" />
        <span className="min-[769px]:hidden">{t('makeDealShort')}</span>
        <span className="max-[769px]:hidden">{t('makeDeal')}</span>
      </PendingButton>
      {dialog.element}
    </>
  );
}
