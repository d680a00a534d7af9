import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTexts } from '@/i18n';
import { categories } from '@/i18n/en/categories';
import { landing } from '@/i18n/en/landing';

/** The index: three columns, a category each (docs/rules.md#categories), the most asked for first. */
const INDEX = [
  {
    category: 'Online Asset',
    kinds: ['YouTube Channel', 'Facebook Page', 'Instagram Page', 'Website', 'Domain Name', 'Game Id', 'Ebook'],
  },
  {
    category: 'Physical Product',
    kinds: ['Mobile Phone', 'Laptop', 'Hand Watch', 'Election Gadget', 'T-Shirts', 'Books', 'Electronic Part', 'Home Decor'],
  },
  { category: 'Freelance Service', kinds: ['Logo Design', 'Web Development', 'Writing', 'Marketing'] },
] as const;

/** What is traded; each kind leads to its posts. */
export function Trade() {
  const t = useTexts(landing);
  const c = useTexts(categories);
  return (
    <section className="wrap lsec index">
      <h2 className="d40">{t('trade.title')}</h2>
      <div className="index__cols">
        {INDEX.map(({ category, kinds }) => (
          <div key={category} className="sec">
            <h3 className="b">{c(`category.${category}`)}</h3>
            <ul>
              {kinds.map((kind) => (
                <li key={kind}>
                  <Link to="/explore" search={{ category, search: kind }}>
                    {c(`sub.${kind}`)}
                  </Link>
                </li>
              ))}
            </ul>
            {category === 'Freelance Service' ? (
              <>
                <p className="m t14 index__o">{t('trade.other')}</p>
                <Link className="link" to="/explore">
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
