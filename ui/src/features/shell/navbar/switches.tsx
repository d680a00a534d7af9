import { Languages, Moon, Sun } from 'lucide-react';
import { useLanguageChoice } from '@/entities/user/language-choice';
import { useLanguage, useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { setTheme, useTheme } from '@/lib/theme';

/** Changes the language of pages, mails and notifications. */
export function useLanguageSwitch() {
  const t = useTexts(shell);
  const other = useLanguage() === 'bn' ? 'en' : 'bn';
  const choose = useLanguageChoice();
  return { other, name: t('otherLanguage'), change: () => choose(other) } as const;
}

/** `short` shows a sign instead of the name on a phone. */
export function LanguageSwitch({
  className,
  icon = false,
  short = false,
}: {
  className?: string;
  icon?: boolean;
  short?: boolean;
}) {
  const { other, name, change } = useLanguageSwitch();
  return (
    <button type="button" lang={other} data-language-name="" className={className} onClick={change}>
      {icon ? <Languages className="size-4" aria-hidden="true" /> : null}
      {short ? <Languages className="min-[441px]:hidden" aria-hidden="true" /> : null}
      <span className={short ? 'max-[440px]:sr-only' : undefined}>{name}</span>
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

export function ThemeSwitch({ className, named = false }: { className?: string; named?: boolean }) {
  const { Icon, name, label, change } = useThemeSwitch();
  return (
    <button type="button" className={className} onClick={change} aria-label={named ? undefined : label}>
      <Icon className={named ? 'size-4' : undefined} aria-hidden="true" />
      {named ? name : null}
    </button>
  );
}

export function SkipLink() {
  const t = useTexts(shell);
  return (
    <a
      data-slot="skip-link"
      className="absolute -top-20 left-4 z-60 bg-foreground px-4 py-3 text-background focus:top-2"
      href="#main"
    >
      {t('skip')}
    </a>
  );
}
