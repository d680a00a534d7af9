import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { HANGING } from '@/components/classes';
import { buttonVariants } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { categories } from '@/i18n/en/categories';
import { landingBelow } from '@/i18n/en/landing-below';
import { LandingSection, SectionTitle } from './sections';

/** One column per category (docs/rules.md#categories), the most popular subcategories first. */
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

export function Trade() {
  const t = useTexts(landingBelow);
  const tCategories = useTexts(categories);
  return (
    <LandingSection>
      <SectionTitle>{t('trade.title')}</SectionTitle>
      <div className="mt-6 grid gap-8 md:grid-cols-3">
        {INDEX.map(({ category, kinds }) => (
          <div key={category} className={HANGING}>
            <h3 className="font-semibold">{tCategories(`category.${category}`)}</h3>
            <ul className="mt-2 max-md:columns-2 max-md:gap-x-4">
              {kinds.map((kind) => (
                <li key={kind} className="max-md:break-inside-avoid">
                  <Link
                    to="/explore"
                    search={{ category, search: kind }}
                    className="flex min-h-11 items-center font-display text-display-xs leading-[1.3] no-underline hover:underline max-md:text-base"
                  >
                    {tCategories(`sub.${kind}`)}
                  </Link>
                </li>
              ))}
            </ul>
            {category === 'Freelance Service' ? (
              <>
                <p className="mt-4 border-t pt-4 text-sm text-muted-foreground">{t('trade.other')}</p>
                <Link className={buttonVariants({ variant: 'link', className: 'mt-3' })} to="/explore">
                  {t('trade.all')} <ArrowRight className="size-4" aria-hidden="true" />
                </Link>
              </>
            ) : null}
          </div>
        ))}
      </div>
    </LandingSection>
  );
}
