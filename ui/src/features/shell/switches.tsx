import { Languages, Moon, Sun } from 'lucide-react';
import { setLanguage, useLanguage, useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { errorText } from '@/lib/errors';
import { setTheme, useTheme } from '@/lib/theme';
import { notify } from '@/lib/toast';

/** Changes to the other language; says so when its texts cannot be loaded. */
export function useLanguageSwitch() {
  const language = useLanguage();
  const t = useTexts(shell);
  const other = language === 'bn' ? 'en' : 'bn';
  const change = () => setLanguage(other).catch((error: unknown) => notify.error(errorText(error)));
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
