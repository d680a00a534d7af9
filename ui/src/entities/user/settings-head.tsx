import { Link } from '@tanstack/react-router';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { useTexts } from '@/i18n';
import { member } from '@/i18n/en/user';

const PARTS = [
  ['/profile', 'profile'],
  ['/security', 'security'],
  ['/notifications', 'notifications'],
] as const;

/** The head of the pages that together are the settings. */
export function SettingsHead() {
  const t = useTexts(member);
  return (
    <>
      <h1 className="font-display text-display-lg">{t('settings')}</h1>
      <TabsNav className="mt-2 mb-8" aria-label={t('settings')}>
        {PARTS.map(([to, name]) => (
          <Link key={to} to={to} activeOptions={{ exact: true }} className={TAB_LINK}>
            {t(name)}
          </Link>
        ))}
      </TabsNav>
    </>
  );
}
