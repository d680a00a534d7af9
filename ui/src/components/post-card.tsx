import { BookOpen, BriefcaseBusiness, Gamepad2, Globe, type LucideIcon, Package } from 'lucide-react';
import type { Category, Post } from '@/api/contract';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { aboutBdt, centsFromWire, usdShort } from '@/lib/money';
import { useCategoryNames } from '@/lib/subcategories';
import { useTaka } from '@/lib/use-taka';
import { Picture } from './picture';
import './post-card.css';

const ICONS: Record<Category, LucideIcon> = {
  'Freelance Service': BriefcaseBusiness,
  'Physical Product': Package,
  'Online Asset': Globe,
};

/** Where the category's would not do. */
const OWN_ICONS: Partial<Record<string, LucideIcon>> = { Books: BookOpen, Ebook: BookOpen, 'Game Id': Gamepad2 };

/** What the card's picture measures in each layout of `.posts`. */
const SIZES = '(min-width: 900px) 286px, 128px';

/** In the place of a picture: what it is, on a label. */
function Label({ post }: { post: Pick<Post, 'category' | 'subcategory'> }) {
  const names = useCategoryNames();
  const Icon = OWN_ICONS[post.subcategory] ?? ICONS[post.category];
  return (
    <span className="nocover" aria-hidden="true">
      <span>
        <Icon aria-hidden="true" />
        <span className="nocover__name">{names.subcategory(post.subcategory)}</span>
      </span>
    </span>
  );
}

type Props = {
  post: Post;
  /** On the first screen of its page. */
  eager?: boolean;
  /** Whose it is; not where all are of one person. */
  seller?: boolean;
};

/** The inside of a post's card, for a link: the picture hangs from the matra, the words stand below or beside it. */
export function PostCard({ post, eager = false, seller = true }: Props) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const price = centsFromWire(post.price);
  const taka = useTaka();
  return (
    <>
      <span className="post__pic">
        <Picture url={post.image} alt="" sizes={SIZES} eager={eager} fallback={<Label post={post} />} />
      </span>
      <span className="post__sub">{names.subcategory(post.subcategory)}</span>
      <b data-slot="post-title" className="post__t">
        {post.title}
      </b>
      {seller ? <span className="post__by">{post.createdBy.username}</span> : null}
      <span className="post__price">
        <span className="m t14">{t('from')}</span> <span className="money">{usdShort(price)}</span>{' '}
        {taka ? <span className="bdt">{aboutBdt(taka(price))}</span> : null}
      </span>
    </>
  );
}
