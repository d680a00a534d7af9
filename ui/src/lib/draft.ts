type Values = Record<string, string>;

const name = (form: string): string => `draft:${form}`;

/**
 * What was typed into a form and not sent, kept for this tab: a phone drops the page while its user is in the payment app, and a dialog is
 * closed by mistake.
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

export function keepDraft(form: string, values: Values): void {
  try {
    if (Object.values(values).every((value) => value === '')) sessionStorage.removeItem(name(form));
    else sessionStorage.setItem(name(form), JSON.stringify(values));
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
