import { Link } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import type { Post } from '@/api/contract';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { posts } from '@/i18n/en/posts';
import { comingBack } from '@/lib/next-step';

/** 'Contact Me': opens the chat with the seller about this post. Visitors sign up first. */
export function ContactButton({ post, className }: { post: Post; className?: string | undefined }) {
  const t = useTexts(posts);
  const tCommon = useTexts(common);
  const me = useMaybeMe();
  const { start, pending } = useStartChat();
  const face = (
    <>
      <MessageSquareText aria-hidden="true" />
      {t('post.contact')}
    </>
  );
  if (!me) {
    return (
      <Button size="lg" asChild className={className}>
        <Link to="/signup" search={comingBack(`/posts/${post._id}`, 'contact')}>
          {face}
        </Link>
      </Button>
    );
  }
  return (
    <PendingButton
      size="lg"
      className={className}
      pending={pending}
      pendingText={tCommon('sending')}
      onClick={() => start({ receiverId: post.createdBy._id, postId: post._id })}
    >
      {face}
    </PendingButton>
  );
}
