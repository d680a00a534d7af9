import { CONTAINER, HANGING } from '@/components/classes';
import { Toggle } from '@/components/ui/toggle';
import Toaster from '@/features/shell/toaster/toaster';
import { setLanguage, useLanguage } from '@/i18n';
import { cn } from '@/lib/cn';
import { setTheme, useTheme } from '@/lib/theme';
import { buttons } from './groups/buttons';
import { fields } from './groups/fields';
import { khata } from './groups/khata';
import { messages } from './groups/messages';
import { overlays } from './groups/overlays';
import { tables } from './groups/tables';
import type { Group } from './kit';

/** All sections. page.test.tsx fails if a file of components/ui is missing. */
export const GROUPS: readonly Group[] = [buttons, fields, overlays, messages, tables, khata];

const THEMES = { light: 'Light', dark: 'Dark' } as const;
const LANGUAGES = { en: 'English', bn: 'বাংলা' } as const;

function Header() {
  const theme = useTheme();
  const language = useLanguage();
  return (
    <header className="z-20 border-b bg-background md:sticky md:top-0">
      <div className={cn(CONTAINER, 'flex flex-wrap items-center gap-x-4 gap-y-2 py-2 max-md:pt-4')}>
        <h1 className="mr-auto font-display text-display-xs">Components</h1>
        <div className="flex gap-1" role="group" aria-label="Theme">
          {(['light', 'dark'] as const).map((each) => (
            <Toggle key={each} pressed={theme === each} onClick={() => setTheme(each)}>
              {THEMES[each]}
            </Toggle>
          ))}
        </div>
        <div className="flex gap-1" role="group" aria-label="Language">
          {(['en', 'bn'] as const).map((each) => (
            <Toggle
              key={each}
              lang={each}
              data-language-name=""
              pressed={language === each}
              onClick={() => void setLanguage(each)}
            >
              {LANGUAGES[each]}
            </Toggle>
          ))}
        </div>
      </div>
    </header>
  );
}

function Names() {
  return (
    <nav
      aria-label="Components"
      className="columns-2 gap-6 text-sm max-lg:border-b max-lg:pb-4 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-64px)] lg:columns-auto lg:self-start lg:overflow-y-auto lg:py-6"
    >
      {GROUPS.map(({ title, parts }) => (
        <div key={title} className="mb-4">
          <p className="font-semibold">{title}</p>
          <ul>
            {Object.keys(parts).map((name) => (
              <li key={name}>
                <a href={`#${name}`} className="inline-block py-1 text-muted-foreground no-underline hover:underline">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

export function ComponentsPage() {
  return (
    <>
      <Header />
      <div className={cn(CONTAINER, 'grid gap-x-10 gap-y-8 py-6 lg:grid-cols-[176px_minmax(0,1fr)] lg:py-0')}>
        <Names />
        <main className="grid min-w-0 gap-12 lg:py-6">
          {GROUPS.flatMap(({ parts }) =>
            Object.entries(parts).map(([name, Shown]) => (
              <section key={name} id={name} aria-labelledby={`${name}-title`} className={cn(HANGING, 'max-md:scroll-mt-4')}>
                <h2 id={`${name}-title`} className="mb-4 font-display text-display-xs">
                  {name}
                </h2>
                <Shown />
              </section>
            )),
          )}
        </main>
      </div>
      <Toaster />
    </>
  );
}
