import { Link } from '@tanstack/react-router';
import { Maximize2 } from 'lucide-react';
import type { Post } from '@/api/contract';
import { Crumbs } from '@/components/crumbs';
import { Picture } from '@/components/picture';
import { PictureDialog } from '@/components/picture-dialog';
import { Dialog, DialogTrigger } from '@/components/ui/dialog';
import { useCategoryNames } from '@/entities/post/subcategories';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';

export function PostCrumbs({ post }: { post: Post }) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const { category, subcategory } = post;
  return (
    <Crumbs
      label={t('categories')}
      links={[
        <Link key="all" to="/explore">
          {t('title')}
        </Link>,
        <Link key="category" to="/explore" search={{ category }}>
          {names.category(category)}
        </Link>,
        <Link key="subcategory" to="/explore" search={{ category, search: subcategory }}>
          {names.subcategory(subcategory)}
        </Link>,
      ]}
    />
  );
}

export function HeroPicture({ post }: { post: Post }) {
  const t = useTexts(posts);
  if (post.image === '') return null;
  const alt = t('post.picture', { title: post.title });
  return (
    <Dialog>
      <DialogTrigger
        className="relative block aspect-4/3 h-auto w-full cursor-zoom-in overflow-hidden border-t-2 border-foreground bg-secondary"
        aria-label={t('post.enlarge')}
      >
        <Picture className="size-full object-contain" url={post.image} alt={alt} sizes="(min-width: 1024px) 808px, 100vw" eager />
        <Maximize2
          className="absolute right-3 bottom-3 size-9 rounded-md border border-border-strong bg-background p-2"
          aria-hidden="true"
        />
      </DialogTrigger>
      <PictureDialog title={post.title} src={post.image} alt={alt} />
    </Dialog>
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  const t = useTexts(posts);
  if (tags.length === 0) return null;
  return (
    <ul className="mt-4 flex min-w-0 flex-wrap items-center gap-3" aria-label={t('post.tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            className="inline-flex min-h-8 items-center rounded-xs bg-secondary px-2.5 py-1 text-sm no-underline hover:underline"
            to="/explore"
            search={{ search: tag }}
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
