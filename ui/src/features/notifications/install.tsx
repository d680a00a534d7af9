import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { isIos } from '@/entities/notification/push';
import { useTexts } from '@/i18n';
import { notificationSettings } from '@/i18n/en/notification-settings';
import { isInstalled, useInstall } from './install-offer';

export function Install() {
  const t = useTexts(notificationSettings);
  const install = useInstall();
  if (isInstalled()) {
    return (
      <Section title={t('install')}>
        <p className="text-muted-foreground">{t('installed')}</p>
      </Section>
    );
  }
  return (
    <Section title={t('install')}>
      <p className="text-muted-foreground">{t('installText')}</p>
      {install ? (
        <Button variant="outline" className="mt-4" onClick={install}>
          {t('installNow')}
        </Button>
      ) : (
        <p className="mt-2 text-sm text-muted-foreground">{t(isIos() ? 'installIos' : 'installMenu')}</p>
      )}
    </Section>
  );
}
