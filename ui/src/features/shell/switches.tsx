import { useMutation } from '@tanstack/react-query';
import { Languages, Moon, Sun } from 'lucide-react';
import { type Language, setLanguage, translate, useLanguage, useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { api, send } from '@/lib/api';
import { errorText } from '@/lib/errors';
import { keys, useMaybeMe } from '@/lib/queries';
import { queryClient } from '@/lib/query-client';
import { setTheme, useTheme } from '@/lib/theme';
import { notify } from '@/lib/toast';

/** Tells the server in which language to write to the signed-in user. One call after the other: the last choice is the one that stays. */
function useWritingLanguage() {
  return useMutation({
    scope: { id: 'language' },
    mutationFn: (language: Language) => send(api.PUT('/auth/language', { body: { language } })),
    meta: { fallback: () => translate(shell, 'languageKept') },
    onSuccess: (user) => {
      queryClient.setQueryData(keys.me, user);
      // The server writes them in the user's language.
      void queryClient.invalidateQueries({ queryKey: keys.notifications });
    },
  });
}

/** Changes to the other language, also of mails and notices; says so when its texts cannot be loaded. */
export function useLanguageSwitch() {
  const language = useLanguage();
  const t = useTexts(shell);
  const other = language === 'bn' ? 'en' : 'bn';
  const me = useMaybeMe();
  const writing = useWritingLanguage();
  const change = () =>
    setLanguage(other).then(
      () => (me ? writing.mutate(other) : undefined),
      (error: unknown) => notify.error(errorText(error)),
    );
  return { other, name: t('otherLanguage'), change: () => void change() } as const;
}

export function LanguageSwitch({ className, icon = false }: { className?: string; icon?: boolean }) {
  const { other, name, change } = useLanguageSwitch();
  return (
    <button type="button" lang={other} data-language-name="" className={className} onClick={change}>
      {icon ? <Languages className="i16" aria-hidden="true" /> : null}
      {name}
    </button>
  );
}

export function useThemeSwitch() {
  const theme = useTheme();
  const t = useTexts(shell);
  const dark = theme === 'dark';
  return {
    Icon: dark ? Sun : Moon,
    name: t(dark ? 'themeLight' : 'themeDark'),
    label: t(dark ? 'toLight' : 'toDark'),
    change: () => setTheme(dark ? 'light' : 'dark'),
  };
}

/** `named` shows the word beside the icon. */
export function ThemeSwitch({ className, named = false }: { className?: string; named?: boolean }) {
  const { Icon, name, label, change } = useThemeSwitch();
  return (
    <button type="button" className={className} onClick={change} aria-label={named ? undefined : label}>
      <Icon className={named ? 'i16' : undefined} aria-hidden="true" />
      {named ? name : null}
    </button>
  );
}

export function SkipLink() {
  const t = useTexts(shell);
  return (
    <a className="skip" href="#main">
      {t('skip')}
    </a>
  );
}
