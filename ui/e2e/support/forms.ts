import { expect, type Locator, type Page } from '@playwright/test';

/** A form under test, by the beginnings of its fields' labels. */
export type Form = { page: Page; within: Locator; submit: string | RegExp };

/** One attempt: what is filled in first, and what the page says then. `shown` is what stands in a field that does not take everything. */
export type Attempt = { fill?: Record<string, string>; shown?: Record<string, string>; says: string | RegExp };

const fieldOf = ({ within }: Form, label: string): Locator => within.getByLabel(new RegExp(`^${label}`)).first();

async function enter(field: Locator, value: string): Promise<void> {
  if (await field.evaluate((element) => element instanceof HTMLSelectElement)) await field.selectOption(value);
  else await field.fill(value);
}

/** Does something, and says what toast it brings: none of those that stand there already. */
export async function toastOf(page: Page, action: () => Promise<unknown>): Promise<string | null | undefined> {
  await page
    .locator('[data-sonner-toast]')
    .evaluateAll((toasts) => toasts.forEach((toast) => toast.setAttribute('data-seen', '')));
  await action();
  const fresh = page.locator('[data-sonner-toast]:not([data-seen]) [data-slot="toast-text"]').first();
  return fresh.evaluate((words) => words.firstChild?.textContent);
}

/** Sends the form again and again; each time it shows the expected message, and what was typed stays. */
export async function attempts(form: Form, ...each: Attempt[]): Promise<void> {
  const standing = new Map<string, string>();
  for (const { fill = {}, shown = {}, says } of each) {
    for (const [label, value] of Object.entries(fill)) {
      await enter(fieldOf(form, label), value);
      standing.set(label, shown[label] ?? value);
    }
    const submit = form.within.getByRole('button', { name: form.submit });
    const said = await toastOf(form.page, () => submit.click());
    if (typeof says === 'string') expect(said, JSON.stringify(fill)).toBe(says);
    else expect(said, JSON.stringify(fill)).toMatch(says);
    for (const [label, value] of standing)
      await expect(fieldOf(form, label), `${label} after “${String(says)}”`).toHaveValue(value);
  }
}

/** What is said at a field that was refused. */
export async function complaintAt(form: Form, label: string): Promise<string | null | undefined> {
  return fieldOf(form, label).evaluate((field) => {
    if (field.getAttribute('aria-invalid') !== 'true') return null;
    return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent;
  });
}
