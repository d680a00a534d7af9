import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { Conversation } from '@/api/contract';
import { MONEY } from '@/components/classes';
import { Picture } from '@/components/picture';
import { useTexts } from '@/i18n';
import { chat } from '@/i18n/en/chat';
import { centsFromWire, usdShort } from '@/lib/money';

export function PostStrip({ post }: { post: Conversation['post'] }) {
  const t = useTexts(chat);
  if (!post) return null;
  return (
    <Link
      to="/posts/$postId"
      params={{ postId: post._id }}
      data-slot="post-strip"
      className="flex min-h-13 items-center gap-3 border-b px-gutter py-1.5 text-md text-inherit no-underline hover:bg-muted"
    >
      {post.image === '' ? null : (
        <span className="size-10 flex-none overflow-hidden rounded-xs bg-secondary">
          <Picture className="size-full object-cover" url={post.image} alt="" sizes="40px" eager />
        </span>
      )}
      <span className="grid min-w-0 flex-1 leading-[1.3]">
        <span className="text-sm/[1.3] text-muted-foreground">{t('aboutPost')}</span>
        <b className="min-w-0 truncate font-semibold">{post.title}</b>
      </span>
      <b className={`${MONEY} text-lg`}>{usdShort(centsFromWire(post.price))}</b>
      <ChevronRight className="size-4.5 flex-none text-muted-foreground" aria-hidden="true" />
    </Link>
  );
}
