import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { Post } from '@/api/contract';
import { HANGING, MONEY, TAKA } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { Button } from '@/components/ui/button';
import { ReportButton } from '@/entities/moderation/report-button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { posts } from '@/i18n/en/posts';
import { cn } from '@/lib/cn';
import { aboutBdt, centsFromWire, usdShort } from '@/lib/money';
import { postUrl } from '../post-url';
import { ContactButton } from './contact-button';

/** What can be done with the post: write to its seller, or edit it where it is one's own. */
function Act({ post, className }: { post: Post; className?: string }) {
  const t = useTexts(posts);
  const me = useMaybeMe();
  if (me?._id !== post.createdBy._id) return <ContactButton post={post} className={className} />;
  return (
    <Button size="lg" asChild className={className}>
      <Link to="/posts/edit/$postId" params={{ postId: post._id }}>
        <Pencil aria-hidden="true" />
        {t('post.edit')}
      </Link>
    </Button>
  );
}

/** The price and the way to the seller. */
export function Offer({ post }: { post: Post }) {
  const t = useTexts(posts);
  const m = useTexts(moderation);
  const me = useMaybeMe();
  const price = centsFromWire(post.price);
  const taka = useTaka();
  const shown = usdShort(price);
  return (
    <section className={HANGING} aria-label={`${t('from')} ${shown}`}>
      <p className="text-muted-foreground">{t('from')}</p>
      <p className={`${MONEY} ${shown.length > 9 ? 'text-[36px]' : 'text-[48px]'}`}>{shown}</p>
      <p className={cn(TAKA, 'mt-1')}>{taka ? aboutBdt(taka(price)) : null}</p>
      <div className="mt-5 mb-3 grid gap-2 max-lg:hidden">
        <Act post={post} className="w-full" />
      </div>
      <p className="mt-3 text-sm text-muted-foreground">{t(me?._id === post.createdBy._id ? 'post.own' : 'post.contactText')}</p>
      <CopyButton value={postUrl(post._id)} label={t('post.copyOf')} variant="link">
        {t('post.copy')}
      </CopyButton>
      <ReportButton className="ml-4" about={{ subject: 'post', id: post._id, title: post.title, person: post.createdBy }}>
        {m('report.short')}
      </ReportButton>
    </section>
  );
}

/** On a phone: the price and the button at the bottom of the screen, always in reach. */
export function ContactBar({ post }: { post: Post }) {
  const t = useTexts(posts);
  return (
    <div className="fixed inset-x-0 bottom-0 z-35 border-t-2 border-foreground bg-background px-gutter pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] lg:hidden">
      <div className="flex items-center justify-between gap-3 *:data-[slot=button]:pr-4.5 *:data-[slot=button]:pl-4 *:data-[slot=button]:whitespace-nowrap">
        <p className="grid min-w-0 leading-[1.3]">
          <span className="text-sm leading-[1.3] text-muted-foreground">{t('from')}</span>
          <b className={`${MONEY} text-[24px]`}>{usdShort(centsFromWire(post.price))}</b>
        </p>
        <Act post={post} />
      </div>
    </div>
  );
}
