import { Link } from '@tanstack/react-router';
import { ChevronRight, Maximize2 } from 'lucide-react';
import type { Post } from '@/api/contract';
import { Picture } from '@/components/picture';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { useCategoryNames } from '@/lib/subcategories';

/** Where it stands in the marketplace. */
export function Crumbs({ post }: { post: Post }) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const { category, subcategory } = post;
  return (
    <nav className="crumbs" aria-label={t('categories')}>
      <Link to="/explore">{t('title')}</Link>
      <ChevronRight className="i16" aria-hidden="true" />
      <Link to="/explore" search={{ category }}>
        {names.category(category)}
      </Link>
      <ChevronRight className="i16" aria-hidden="true" />
      <Link to="/explore" search={{ category, search: subcategory }}>
        {names.subcategory(subcategory)}
      </Link>
    </nav>
  );
}

/** The picture; a click shows it as large as the screen. */
export function HeroPicture({ post }: { post: Post }) {
  const t = useTexts(posts);
  if (post.image === '') return null;
  const alt = t('post.picture', { title: post.title });
  return (
    <Dialog>
      <DialogTrigger className="hero-pic" aria-label={t('post.enlarge')}>
        <Picture url={post.image} alt={alt} sizes="(min-width: 1024px) 808px, 100vw" eager />
        <Maximize2 aria-hidden="true" />
      </DialogTrigger>
      <DialogContent className="bigpic" title={post.title}>
        <img src={post.image} alt={alt} />
      </DialogContent>
    </Dialog>
  );
}

/** Each looks for more of its kind. */
export function Tags({ tags }: { tags: readonly string[] }) {
  const t = useTexts(posts);
  if (tags.length === 0) return null;
  return (
    <ul className="row wrapx g2 mt" aria-label={t('post.tags')}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link className="tag taglink" to="/explore" search={{ search: tag }}>
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
