import type { Post } from '@/api/contract';
import { useTexts } from '@/i18n';
import { saved } from '@/i18n/en/saved';
import { count } from '@/lib/money';

/** What others did with a post, for its seller; nothing while nobody did anything. */
export function Interest({ post: { seen, saves, asked } }: { post: Post }) {
  const t = useTexts(saved);
  if (seen + saves + asked === 0) return null;
  return (
    <p className="mt-1 text-sm text-muted-foreground">
      {t('interest', { seen: count(seen), saves: count(saves), asked: count(asked) })}
    </p>
  );
}
