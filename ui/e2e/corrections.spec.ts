import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { fund } from './support/people';
import { facts, says, toast } from './support/screen';
import { expect, test } from './support/test';

const WHY = 'A deposit was credited twice.';

async function looksRight(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFits(page);
}

test.describe('a correction of a balance', () => {
  test('is proposed by one admin, confirmed by another and told to the user', async ({ buyer, admin, signedIn }) => {
    await fund(admin, buyer, 100);
    const second = await signedIn('sadia', { width: 360 });

    const address = await test.step('An admin proposes it, and cannot confirm it', async () => {
      const { page } = admin;
      await page.goto(`/admin/users?review=${buyer.id}`);
      await page.getByRole('link', { name: 'Correct the balance' }).click();
      const form = page.getByRole('dialog', { name: 'Propose a correction' });
      await form.getByRole('radio', { name: 'Take money off' }).check();
      await form.getByRole('button', { name: 'Propose' }).click();
      await says(form, 'Write a reason.');
      await form.getByLabel('Amount').fill('100.01');
      await says(form, 'The balance would fall below zero.');
      await form.getByLabel('Amount').fill('40');
      expect(await facts(form)).toEqual(['Balance now: $100.00', 'Balance after: $60.00']);
      await form.getByLabel(/^Reason/).fill(WHY);
      await looksRight(page);
      await form.getByRole('button', { name: 'Propose' }).click();
      await expect(toast(page, 'The correction has been proposed.')).toBeVisible();
      await expect(form).toBeHidden();
      await page.getByRole('row', { name: buyer.name }).getByRole('link').click();
      const own = page.getByRole('dialog', { name: '− $40.00' });
      await says(own, 'You proposed this. Another admin has to confirm it.');
      await expect(own.getByRole('button', { name: 'Confirm' })).toBeHidden();
      return page.url();
    });

    await test.step('Another one confirms it, which the open page of the user shows', async () => {
      await buyer.page.goto('/balance');
      await says(buyer.page, '$100.00');
      const { page } = second;
      await page.goto(address);
      const drawer = page.getByRole('dialog', { name: '− $40.00' });
      await says(drawer, WHY);
      await looksRight(page);
      await drawer.getByRole('button', { name: 'Confirm' }).click();
      const question = page.getByRole('alertdialog');
      await says(question, `Take $40.00 off the balance of ${buyer.name}?`);
      await looksRight(page);
      await question.getByRole('button', { name: 'Confirm' }).click();
      await says(drawer, `The balance of ${buyer.name} has been corrected.`);
      await says(buyer.page, '$60.00');
    });

    await test.step('The user reads why', async () => {
      const { page } = buyer;
      await says(page, 'Correction');
      await says(page, WHY);
      await looksRight(page);
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await says(page, `Your balance was corrected: $40.00 was taken off. ${WHY}`);
    });
  });
});
