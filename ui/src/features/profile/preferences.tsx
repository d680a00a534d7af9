import { Link } from '@tanstack/react-router';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { Section } from '@/components/section';
import { buttonVariants } from '@/components/ui/button';
import { FieldDescription } from '@/components/ui/field';
import { useLanguageChoice } from '@/entities/user/language-choice';
import { useLanguage, useTexts } from '@/i18n';
import { settings } from '@/i18n/en/settings';
import { cn } from '@/lib/cn';

const LANGUAGES = [
  ['en', 'english'],
  ['bn', 'bangla'],
] as const;

function LanguageSetting() {
  const t = useTexts(settings);
  const language = useLanguage();
  const choose = useLanguageChoice();
  return (
    <ChoiceGroup legend={t('language')}>
      {LANGUAGES.map(([code, name]) => (
        <Choice
          key={code}
          name="language"
          checked={language === code}
          onChange={() => choose(code)}
          label={
            <span lang={code} data-language-name="">
              {t(name)}
            </span>
          }
        />
      ))}
      <FieldDescription>{t('languageHelp')}</FieldDescription>
    </ChoiceGroup>
  );
}

function NotificationSetting() {
  const t = useTexts(settings);
  return (
    <div>
      <p>{t('notifications')}</p>
      <Link to="/notifications" className={buttonVariants({ variant: 'outline', className: 'mt-4' })}>
        {t('toNotifications')}
      </Link>
    </div>
  );
}

export function Preferences() {
  const t = useTexts(settings);
  return (
    <Section title={t('preferences')}>
      <div className={cn(STACK, 'gap-6 [&>fieldset]:max-w-120')}>
        <LanguageSetting />
        <NotificationSetting />
      </div>
    </Section>
  );
}
