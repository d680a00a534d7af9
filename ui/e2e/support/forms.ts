import type { Page } from '@playwright/test';

/** Runs an action and returns the text of its new toast. */
export async function toastOf(page: Page, action: () => Promise<unknown>): Promise<string | null | undefined> {
  await page
    .locator('[data-sonner-toast]')
    .evaluateAll((toasts) => toasts.forEach((toast) => toast.setAttribute('data-seen', '')));
  await action();
  const fresh = page.locator('[data-sonner-toast]:not([data-seen]) [data-slot="toast-text"]').first();
  return fresh.evaluate((words) => words.firstChild?.textContent);
}
