import { Link } from '@tanstack/react-router';
import { Handshake, MessageSquareText, Pencil } from 'lucide-react';
import type { Post } from '@/api/contract';
import { HANGING, MONEY, TAKA } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { PageBar } from '@/components/page-bar';
import { PendingButton } from '@/components/pending-button';
import { ShareButton } from '@/components/share-button';
import { Button } from '@/components/ui/button';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { ReportButton } from '@/entities/moderation/report-button';
import { Interest } from '@/entities/post/interest';
import { SaveButton } from '@/entities/post/save-button';
import { useMaybeMe } from '@/entities/user/queries';
import { BuyLimit } from '@/entities/wallet/buy-limit';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { moderation } from '@/i18n/en/moderation';
import { posts } from '@/i18n/en/posts';
import { cn } from '@/lib/cn';
import { aboutBdt, centsFromWire, usdShort } from '@/lib/money';
import { comingBack } from '@/lib/next-step';
import { postUrl } from '../queries';

/** 'Contact Me': opens the chat with the seller about this post. Visitors sign up first. */
function ContactButton({ post, className }: { post: Post; className?: string | undefined }) {
  const t = useTexts(posts);
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
      onClick={() => start({ receiverId: post.createdBy._id, postId: post._id })}
    >
      {face}
    </PendingButton>
  );
}

export type DealDialog = { open: () => void; ahead: () => void };

type DealButtonProps = { post: Post; dialog: DealDialog; className?: string | undefined };

/** "Make a deal" about this post. Visitors sign up first. */
function DealButton({ post, dialog, className }: DealButtonProps) {
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

type Props = { post: Post; dialog: DealDialog };

function Act({ post, dialog, className }: Props & { className: string }) {
  const t = useTexts(posts);
  const me = useMaybeMe();
  if (me?._id !== post.createdBy._id) {
    return (
      <>
        <ContactButton post={post} className={className} />
        <DealButton post={post} dialog={dialog} className={className} />
      </>
    );
  }
  return (
    <Button size="lg" asChild className={className}>
      <Link to="/posts/edit/$postId" params={{ postId: post._id }}>
        <Pencil aria-hidden="true" />
        {t('post.edit')}
      </Link>
    </Button>
  );
}

export function Offer({ post, dialog }: Props) {
  const t = useTexts(posts);
  const tModeration = useTexts(moderation);
  const me = useMaybeMe();
  const price = centsFromWire(post.price);
  const taka = useTaka('pays');
  const shown = usdShort(price);
  const own = me?._id === post.createdBy._id;
  return (
    <section className={HANGING} aria-label={`${t('from')} ${shown}`}>
      <p className="text-muted-foreground">{t('from')}</p>
      <p className={`${MONEY} ${shown.length > 9 ? 'text-[36px]' : 'text-[48px]'}`}>{shown}</p>
      <p className={cn(TAKA, 'mt-1')}>{taka ? aboutBdt(taka(price)) : null}</p>
      <BuyLimit price={own ? null : price} className="mt-4" />
      <div className="mt-5 mb-3 grid gap-2 max-lg:hidden">
        <Act post={post} dialog={dialog} className="w-full" />
      </div>
      <p className="mt-3 text-sm text-muted-foreground">{t(own ? 'post.own' : 'post.contactText')}</p>
      <Interest post={post} />
      <div className="flex flex-wrap items-center gap-x-4 [&_svg]:-order-1 [&_svg]:size-4">
        <SaveButton post={post} />
        <CopyButton value={postUrl(post._id)} label={t('post.copyOf')} variant="link">
          {t('post.copy')}
        </CopyButton>
        <ShareButton variant="link" url={postUrl(post._id)} title={post.title} text={post.title} />
        <ReportButton about={{ subject: 'post', id: post._id, title: post.title, person: post.createdBy }}>
          {tModeration('report.short')}
        </ReportButton>
      </div>
    </section>
  );
}

/** On a phone, price and buttons in a bar at the bottom. */
export function ContactBar({ post, dialog }: Props) {
  const t = useTexts(posts);
  return (
    <PageBar>
      <p className="-mt-0.5 mb-2 flex items-baseline justify-between gap-3 leading-[1.3]">
        <span className="text-sm/[1.3] text-muted-foreground">{t('from')}</span>
        <b className={`${MONEY} text-[24px]`}>{usdShort(centsFromWire(post.price))}</b>
      </p>
      <div className="flex gap-2 *:data-[slot=button]:px-2 *:data-[slot=button]:whitespace-nowrap">
        <Act post={post} dialog={dialog} className="min-w-0 flex-1" />
      </div>
    </PageBar>
  );
}
