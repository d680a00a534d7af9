import { DRAFT, storeForTab } from './storage';

type Values = Record<string, string>;

const name = (form: string): string => `${DRAFT}${form}`;

/**
 * Unsent form input, kept for this tab: a phone drops the page while its user is in the payment
 * app, and dialogs are closed by mistake. The name of a form contains the user's id, because two
 * people may use one browser in turn.
 */
export function readDraft<V extends Values>(form: string, empty: V): V {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(name(form)) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return empty;
    const kept = Object.entries(stored).filter(([key, value]) => key in empty && typeof value === 'string');
    return { ...empty, ...Object.fromEntries(kept) };
  } catch {
    return empty;
  }
}

/** Keeps the input, unless it equals the initial values. */
export function keepDraft<V extends Values>(form: string, values: V, empty: NoInfer<V>): void {
  try {
    if (Object.entries(values).every(([key, value]) => value === empty[key])) sessionStorage.removeItem(name(form));
    else storeForTab(name(form), values);
  } catch {
    // Without storage, input is lost when the form closes.
  }
}

export function dropDraft(form: string): void {
  try {
    sessionStorage.removeItem(name(form));
  } catch {
    // Nothing was kept.
  }
}

/** Stores the input of a form. Forms with values other than strings bring their own. */
export type Draft<V> = {
  read: (empty: V) => V;
  keep: (values: V, empty: V) => void;
  drop: () => void;
};

export function textDraft(form: string) {
  return {
    read: <V extends Values>(empty: V): V => readDraft(form, empty),
    keep: <V extends Values>(values: V, empty: V) => keepDraft(form, values, empty),
    drop: () => dropDraft(form),
  };
}
