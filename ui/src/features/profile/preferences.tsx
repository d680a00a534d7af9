import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Field, FieldDescription } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { accountQuery } from '@/entities/user/account';
import { useLanguageChoice } from '@/entities/user/language-choice';
import { translate, useLanguage, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { settings } from '@/i18n/en/settings';
import { api, send } from '@/lib/api';
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

/** Whether notices of money come as mail, too. The box stands as the server has it. */
function MailSetting() {
  const queryClient = useQueryClient();
  const t = useTexts(settings);
  const c = useTexts(common);
  const account = useQuery(accountQuery);
  const choose = useMutation({
    scope: { id: 'mail-notices' },
    mutationFn: (enabled: boolean) => send(api.PUT('/auth/mail-notices', { body: { enabled } })),
    meta: {
      success: (me) => translate(settings, (me as { mailNotices: boolean }).mailNotices ? 'mailsOn' : 'mailsOff'),
      fallback: () => translate(settings, 'mailsFailed'),
    },
    onSuccess: (me) => queryClient.setQueryData(accountQuery.queryKey, me),
  });
  if (!account.data) {
    return account.isError ? (
      <p className="flex min-w-0 flex-wrap items-center gap-3">
        {t('mailsUnknown')}
        <Button variant="link" onClick={() => void account.refetch()}>
          {c('retry')}
        </Button>
      </p>
    ) : (
      <Skeleton className="h-18" />
    );
  }
  return (
    <Field className="max-w-120">
      <Choice
        type="checkbox"
        checked={choose.isPending ? choose.variables : account.data.mailNotices}
        onChange={({ target }) => choose.mutate(target.checked)}
        label={t('mails')}
      />
      <FieldDescription>{t('mailsHelp')}</FieldDescription>
    </Field>
  );
}

/** Language, and which mails come. */
export function Preferences() {
  const t = useTexts(settings);
  return (
    <Section title={t('preferences')}>
      <div className={cn(STACK, 'gap-6 [&>fieldset]:max-w-120')}>
        <LanguageSetting />
        <MailSetting />
      </div>
    </Section>
  );
}
