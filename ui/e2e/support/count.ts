import type { Locator, Page } from '@playwright/test';

/** Counts interactions: every tap, field and choice is one. */
export function counting() {
  const done: string[] = [];
  const note = async (what: string, act: Promise<unknown>) => {
    done.push(what);
    await act;
  };
  return {
    tap: (what: string, target: Locator) => note(`tap ${what}`, target.click()),
    type: (what: string, target: Locator, text: string) => note(`type ${what}`, target.fill(text)),
    /** Types unless the field is filled in already. */
    complete: async (what: string, target: Locator, text: string) => {
      if ((await target.inputValue()) === '') await note(`type ${what}`, target.fill(text));
    },
    back: (page: Page) => note('Back', page.goBack()),
    table: () => done.map((what, index) => `${String(index + 1).padStart(2)}  ${what}`).join('\n'),
    count: () => done.length,
  };
}
