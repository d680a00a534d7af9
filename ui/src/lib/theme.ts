import { useHydrated } from '@tanstack/react-router';
import { createStore, useSelector } from '@tanstack/react-store';

export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'theme';

/** public/theme.js has put the class on the page before the first paint. */
function shown(): Theme {
  return !import.meta.env.SSR && document.documentElement.classList.contains('dark') ? 'dark' : 'light';
}

const theme = createStore(shown());

export function setTheme(chosen: Theme): void {
  document.documentElement.classList.toggle('dark', chosen === 'dark');
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // The choice then lasts until the page is left.
  }
  theme.setState(() => chosen);
}

/** For tests: the theme is the page's again, whatever was chosen. */
export function resetTheme(): void {
  theme.setState(shown);
}

export function useTheme(): Theme {
  const chosen = useSelector(theme);
  // Pages are prerendered in the light theme, and hydrated as they were prerendered.
  return useHydrated() ? chosen : 'light';
}
