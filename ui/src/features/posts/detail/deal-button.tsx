import { Link } from '@tanstack/react-router';
import { Handshake } from 'lucide-react';
import type { Post } from '@/api/contract';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { comingBack } from '@/lib/next-step';

export type DealDialog = { open: () => void; ahead: () => void };

type Props = { post: Post; dialog: DealDialog; className?: string | undefined };

/** "Make a deal" about this post. Visitors sign up first. */
export function DealButton({ post, dialog, className }: Props) {
  const t = useTexts(posts);
  const me = useMaybeMe();
  const face = (
    <>
      <Handshake aria-hidden="true" />
      {t('post.deal')}
    </>
  );
  if (!me) {
    return (
      <Button variant="outline" size="lg" asChild className={className}>
        <Link to="/signup" search={comingBack(`/posts/${post._id}`, 'deal')}>
          {face}
        </Link>
      </Button>
    );
  }
  return (
    <Button
      variant="outline"
      size="lg"
      className={className}
      onPointerEnter={dialog.ahead}
      onFocus={dialog.ahead}
      onClick={dialog.open}
    >
      {face}
    </Button>
  );
}
