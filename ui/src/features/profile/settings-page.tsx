import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { FormField } from '@/components/form-field';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { settings } from '@/i18n/en/settings';
import { cn } from '@/lib/cn';
import { BlockedList } from './blocked-list';
import { PictureSetting } from './picture-setting';
import { Preferences } from './preferences';

const MASK = '••••••••';

function Account() {
  const t = useTexts(settings);
  const me = useMe();
  return (
    <Section title={t('account')}>
      <div className="grid min-w-0 content-start gap-4 *:max-w-120 *:min-w-0">
        <FormField label={t('username')} help={t('usernameHelp')}>
          {(control) => <Input readOnly {...control} value={me.username} />}
        </FormField>
        <FormField label={t('email')} help={t(me.isVerified ? 'emailVerified' : 'emailUnverified')}>
          {(control) => <Input readOnly {...control} value={me.email} />}
        </FormField>
        <FormField label={t('password')}>{(control) => <Input readOnly {...control} value={MASK} />}</FormField>
      </div>
    </Section>
  );
}

function SecuritySetting() {
  const t = useTexts(settings);
  const me = useMe();
  return (
    <Section title={t('security')}>
      <p>{t(me.secondFactor ? 'securityOn' : 'securityOff')}</p>
      <p className="text-sm text-muted-foreground">{t('securityText')}</p>
      <Link to="/security" className={buttonVariants({ variant: 'outline', className: 'mt-4' })}>
        {t('toSecurity')}
      </Link>
    </Section>
  );
}

export function SettingsPage() {
  const t = useTexts(settings);
  const me = useMe();
  return (
    <Page title={t('own')}>
      <div className="mb-8 flex min-w-0 flex-wrap items-center justify-between gap-3">
        <h1 className="font-display text-display-lg">{t('own')}</h1>
        <Link to="/profile/$username" params={{ username: me.username }} className={buttonVariants({ variant: 'link' })}>
          {t('seeOwn')}
        </Link>
      </div>
      <div className="grid gap-12 lg:grid-cols-2 lg:items-start">
        <div className={cn(STACK, 'gap-12')}>
          <PictureSetting />
          <Account />
        </div>
        <div className={cn(STACK, 'gap-12')}>
          <SecuritySetting />
          <Preferences />
          <BlockedList />
        </div>
      </div>
    </Page>
  );
}
