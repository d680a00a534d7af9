import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { Post } from '@/api/contract';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { useStartChat } from '@/entities/chat/use-start-chat';
import { Hold } from '@/entities/deal/khata/hold';
import { Hidden } from '@/entities/moderation/hidden';
import { ReviewReport } from '@/entities/moderation/review-report';
import { inspectionDays } from '@/entities/post/inspection-days';
import { postQuery } from '@/entities/post/post-query';
import { profileQuery, useMaybeMe } from '@/entities/user/queries';
import { ReviewList } from '@/entities/user/review-list';
import { useNextStep } from '@/hooks/use-next-step';
import { useTexts } from '@/i18n';
import { posts } from '@/i18n/en/posts';
import { centsFromWire, feeOf, usd } from '@/lib/money';
import type { NextStep } from '@/lib/next-step';
import type { DealDialog } from './deal-button';
import { ContactBar, Offer } from './detail-aside';
import { DetailColumns, OfferColumn, PostColumn } from './detail-columns';
import { HeroPicture, PostCrumbs, Tags } from './detail-parts';
import { SellerCard } from './detail-seller';

const SHOWN_REVIEWS = 3;

function Kept({ post }: { post: Post }) {
  const t = useTexts(posts);
  const price = centsFromWire(post.price);
  return (
    <Section title={t('post.kept')}>
      <Hold
        holder="buyer"
        buyer={{ name: t('post.you'), sum: usd(price), note: t('post.agree') }}
        amanat={{ sum: usd(price), note: t('post.check', { count: inspectionDays(post.subcategory) }) }}
        seller={{ name: post.createdBy.username, sum: usd(price - feeOf(price)), note: t('post.yes') }}
      />
      <p className="mt-4 text-sm text-muted-foreground">{t('post.keptText')}</p>
    </Section>
  );
}

function Reviews({ username }: { username: string }) {
  const t = useTexts(posts);
  const { data } = useQuery(profileQuery(username));
  if (!data || data.reviews.length === 0) return null;
  return (
    <Section title={t('post.reviews')}>
      <ReviewList reviews={data.reviews.slice(0, SHOWN_REVIEWS)} act={(review) => <ReviewReport review={review} />} />
    </Section>
  );
}

type Props = {
  id: string;
  dialog: DealDialog;
  next: NextStep | undefined;
};

export function PostPage({ id, dialog, next }: Props) {
  const t = useTexts(posts);
  const { data: post } = useSuspenseQuery(postQuery(id));
  const me = useMaybeMe();
  const own = me?._id === post.createdBy._id;
  const { start } = useStartChat();
  useNextStep(next, (step) => {
    if (!me || own) return;
    if (step === 'deal') dialog.open();
    else start({ receiverId: post.createdBy._id, postId: post._id });
  });
  return (
    <Page title={post.title} className="pb-36 wrap-anywhere md:pb-36 lg:pb-24">
      <PostCrumbs post={post} />
      {post.hidden ? <Hidden decision={own ? post.decisionId : null} /> : null}
      <DetailColumns>
        <PostColumn>
          <h1 className="-my-2 overflow-clip py-2 font-display text-display-lg">{post.title}</h1>
          <HeroPicture post={post} />
          <Section title={t('post.about')}>
            <p className="max-w-measure overflow-clip whitespace-pre-line">{post.description}</p>
            <Tags tags={post.tags} />
          </Section>
          <Kept post={post} />
          <Reviews username={post.createdBy.username} />
        </PostColumn>
        <OfferColumn label={t('post.seller')}>
          <Offer post={post} dialog={dialog} />
          <SellerCard post={post} />
        </OfferColumn>
      </DetailColumns>
      <ContactBar post={post} dialog={dialog} />
    </Page>
  );
}
