import { Link } from '@tanstack/react-router';
import { ArrowRight, Handshake, type LucideIcon, Search, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';

const LINE = 'flex min-h-16 w-full items-center gap-4 border-b py-3 text-start no-underline hover:bg-muted hover:text-inherit';

function Words({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <Icon className="size-6 flex-none" aria-hidden="true" />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <b className="font-semibold">{title}</b>
        <span className="text-sm text-muted-foreground">{children}</span>
      </span>
      <ArrowRight className="flex-none" aria-hidden="true" />
    </>
  );
}

/** "What would you like to do?", without any deal: buy, sell, or make an agreed deal. */
export function FirstSteps({ onDeal }: { onDeal: () => void }) {
  const t = useTexts(dashboard);
  return (
    <Section title={t('first.title')} className="mb-10 wide:mb-14">
      <ul>
        <li>
          <Link to="/explore" className={LINE}>
            <Words icon={Search} title={t('first.buy')}>
              {t('first.buyText')}
            </Words>
          </Link>
        </li>
        <li>
          <Link to="/posts/create" className={LINE}>
            <Words icon={Store} title={t('first.sell')}>
              {t('first.sellText')}
            </Words>
          </Link>
        </li>
        <li>
          <button type="button" className={LINE} onClick={onDeal}>
            <Words icon={Handshake} title={t('first.deal')}>
              {t('first.dealText')}
            </Words>
          </button>
        </li>
      </ul>
    </Section>
  );
}
