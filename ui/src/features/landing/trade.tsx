import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { MARKETPLACE, postsWith } from '@/lib/places';

const GROUPS = [
  { group: 'asset', kinds: ['youtube', 'facebook', 'instagram', 'website', 'domain', 'game', 'ebook'] },
  { group: 'product', kinds: ['phone', 'laptop', 'watch', 'shirts', 'books', 'parts', 'decor'] },
  { group: 'service', kinds: ['logo', 'web', 'writing', 'marketing'] },
] as const;

/** The index of what is traded: each kind leads to its posts, which are found by the English name. */
export function Trade() {
  const t = useTexts(landing);
  return (
    <section className="wrap lsec index">
      <h2 className="d40">{t('trade.title')}</h2>
      <div className="index__cols">
        {GROUPS.map(({ group, kinds }) => (
          <div key={group} className="sec">
            <h3 className="b">{t(`trade.${group}`)}</h3>
            <ul>
              {kinds.map((kind) => (
                <li key={kind}>
                  <Link to={MARKETPLACE} search={postsWith(landing.en[`trade.${kind}`])}>
                    {t(`trade.${kind}`)}
                  </Link>
                </li>
              ))}
            </ul>
            {group === 'service' ? (
              <>
                <p className="m t14 index__o">{t('trade.other')}</p>
                <Link className="link" to={MARKETPLACE}>
                  {t('trade.all')} <ArrowRight className="i16" aria-hidden="true" />
                </Link>
              </>
            ) : null}
          </div>
        ))}
      </div>
    </section>
  );
}
