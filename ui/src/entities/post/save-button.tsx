import { useNavigate } from '@tanstack/react-router';
import { Heart } from 'lucide-react';
import type { Post } from '@/api/contract';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { saved as catalogue } from '@/i18n/en/saved';
import { cn } from '@/lib/cn';
import { comingBack } from '@/lib/next-step';
import { useSaved } from './saved';

type Props = {
  post: Pick<Post, '_id' | 'title' | 'createdBy'>;
  /** On the picture of a card, without text. */
  onCard?: boolean;
};

const ON_CARD =
  'absolute top-2.75 left-21 p-0 text-foreground hover:bg-transparent wide:top-0.5 wide:right-0 wide:left-auto ' +
  '[&_svg]:box-content [&_svg]:rounded-full [&_svg]:bg-background [&_svg]:p-1.5';

/** The heart that saves a post. Visitors log in first; sellers have none on their own posts. */
export function SaveButton({ post, onCard = false }: Props) {
  const t = useTexts(catalogue);
  const me = useMaybeMe();
  const navigate = useNavigate();
  const { saved, save } = useSaved(post._id);
  if (me?._id === post.createdBy._id) return null;
  const look = onCard
    ? ({ variant: 'ghost', size: 'icon', className: ON_CARD, 'aria-label': t('saveOf', { title: post.title }) } as const)
    : ({ variant: 'link' } as const);
  const toLogin = () => void navigate({ to: '/login', search: comingBack(`/posts/${post._id}`, 'save') });
  return (
    <Button {...look} aria-pressed={saved} onClick={() => (me ? save(!saved) : toLogin())}>
      <Heart className={cn(saved && 'fill-current')} aria-hidden="true" />
      {onCard ? null : t('save')}
    </Button>
  );
}
