import { useSuspenseQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { InviteOffer } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { Facts, Section } from '@/components/section';
import { useDealTitle } from '@/entities/deal/use-deal-title';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserLink, UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { invite as catalogue } from '@/i18n/en/invite';
import { profile } from '@/i18n/en/profile';
import { centsFromWire, count, localDigits, usd } from '@/lib/money';
import { MIN_DEALS_FOR_SCORE } from '@/lib/rules';
import { formatTime } from '@/lib/time';
import { wordsOf } from '../deal-view';
import { OfferAct, OfferBar, OfferPrice } from './offer-act';
import { OfferSteps } from './offer-steps';
import { offerQuery } from './queries';

function Maker({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  const tProfile = useTexts(profile);
  const { maker, successScore, completedDeals, finishedDeals, averageRating } = offer;
  const record = [
    finishedDeals === 0 ? t('record.none') : tProfile('ofDeals', { completed: count(completedDeals), count: finishedDeals }),
    successScore !== null && finishedDeals >= MIN_DEALS_FOR_SCORE ? tProfile('percent', { score: successScore }) : null,
    averageRating === null ? null : t('record.rating', { rating: localDigits(averageRating.toFixed(1)) }),
  ].filter((part) => part !== null);
  return (
    <UserLink user={maker} className="flex min-w-0 items-center gap-3 no-underline">
      <UserAvatar name={maker.username} picture={maker.profilePic} size="lg" />
      <span className="min-w-0 flex-1 leading-[1.4]">
        <UserName user={maker} className="text-lg font-semibold" />
        <br />
        <span className="text-sm text-muted-foreground">{record.join(' · ')}</span>
      </span>
    </UserLink>
  );
}

function Sums({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  const tDeals = useTexts(deals);
  const name = offer.maker.username;
  const buying = offer.role === 'Seller';
  return (
    <Section title={t('money')} size="small">
      <Facts
        rows={[
          [buying ? tDeals('money.youPay') : tDeals('money.pays', { name }), usd(centsFromWire(offer.price))],
          [tDeals('money.fee'), usd(-centsFromWire(offer.fee))],
        ]}
        total={[buying ? tDeals('money.gets', { name }) : tDeals('money.youGet'), usd(centsFromWire(offer.payout))]}
      />
    </Section>
  );
}

function Terms({ offer }: { offer: InviteOffer }) {
  const t = useTexts(catalogue);
  return (
    <Section title={t('words')}>
      <p className="mb-4 max-w-measure overflow-clip whitespace-pre-line">{wordsOf(offer.description)}</p>
      <Facts
        rows={[
          [t('delivery'), t('delivery.days', { count: offer.deliveryDuration })],
          [t('check'), t('check.days', { count: offer.inspectionDays })],
          [
            t('until'),
            <time key="until" dateTime={offer.expiresAt}>
              {formatTime(offer.expiresAt, 'moment')}
            </time>,
          ],
        ]}
      />
    </Section>
  );
}

/** /d/{code}: the deal of a link. Once joined, its parties are led to the deal. */
export function OfferPage({ code }: { code: string }) {
  const t = useTexts(catalogue);
  const titleOf = useDealTitle();
  const { data: offer } = useSuspenseQuery(offerQuery(code));
  if (offer.dealId) return <Navigate to="/deal/$dealId" params={{ dealId: offer.dealId }} replace />;
  const name = offer.maker.username;
  return (
    <Page title={t('page', { name })} className="pb-32 wrap-anywhere md:pb-32 lg:pb-24">
      <p className="text-muted-foreground">{t(offer.role === 'Seller' ? 'sells' : 'buys', { name })}</p>
      <h1 className="mt-1 font-display text-display-lg">{titleOf(offer)}</h1>
      <div className="mt-5 mb-8">
        <Maker offer={offer} />
      </div>
      <div className={COLUMNS}>
        <div className="grid min-w-0 content-start gap-10 *:min-w-0">
          <Terms offer={offer} />
          <OfferSteps offer={offer} />
        </div>
        <aside className="grid content-start gap-8 max-lg:-order-1 lg:sticky lg:top-6">
          <OfferPrice offer={offer} code={code}>
            <OfferAct offer={offer} code={code} className="w-full" />
          </OfferPrice>
          <Sums offer={offer} />
        </aside>
      </div>
      <OfferBar offer={offer} code={code} />
    </Page>
  );
}

export function OfferGone({ reason }: { reason: string }) {
  const t = useTexts(catalogue);
  return (
    <MissingPage title={t('gone')} text={reason || t('goneText')}>
      <a href="/">{t('home')}</a>
    </MissingPage>
  );
}
