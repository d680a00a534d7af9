import { DRAFT, storeForTab } from './storage';

type Values = Record<string, string>;

const name = (form: string): string => `${DRAFT}${form}`;

/**
 * What was typed into a form and not sent, kept for this tab: a phone drops the page while its user is in the payment app, and a dialog is
 * closed by mistake. The name of a form holds the id of who types: two people may use one browser one after the other.
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

/** Keeps what was typed; what the form held from the beginning is no draft. */
export function keepDraft<V extends Values>(form: string, values: V, empty: NoInfer<V>): void {
  try {
    if (Object.entries(values).every(([key, value]) => value === empty[key])) sessionStorage.removeItem(name(form));
    else storeForTab(name(form), values);
  } catch {
    // Without storage a closed form is an empty one.
  }
}

export function dropDraft(form: string): void {
  try {
    sessionStorage.removeItem(name(form));
  } catch {
    // Nothing was kept then.
  }
}

/** Where a form keeps its input. Forms with values other than texts have one of their own. */
export type Draft<V> = {
  /** What was typed, on top of what the form holds otherwise. */
  read: (empty: V) => V;
  keep: (values: V, empty: V) => void;
  drop: () => void;
};

/** The draft of a form of texts. */
export function textDraft(form: string) {
  return {
    read: <V extends Values>(empty: V): V => readDraft(form, empty),
    keep: <V extends Values>(values: V, empty: V) => keepDraft(form, values, empty),
    drop: () => dropDraft(form),
  };
}
