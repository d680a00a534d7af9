import { useHydrated } from '@tanstack/react-router';
import { createStore, useSelector } from '@tanstack/react-store';

export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'theme';

/** public/theme.js sets the class before the first paint. */
function shown(): Theme {
  return !import.meta.env.SSR && document.documentElement.classList.contains('dark') ? 'dark' : 'light';
}

const theme = createStore(shown());

export function setTheme(chosen: Theme): void {
  document.documentElement.classList.toggle('dark', chosen === 'dark');
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
  theme.setState(() => chosen);
}

export function resetTheme(): void {
  theme.setState(shown);
}

export function useTheme(): Theme {
  const chosen = useSelector(theme);
  // Pages are prerendered and hydrated in the light theme.
  return useHydrated() ? chosen : 'light';
}
