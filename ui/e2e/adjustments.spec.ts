import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { fund, type Person, post, wallet } from './support/people';
import { facts, heading, says, toast } from './support/screen';
import { expect, test } from './support/test';

const WHY = 'A deposit was credited twice.';

async function looksRight(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFits(page);
}

/** Opens the correction in the admins' list and returns its drawer. */
async function review({ page }: Person, id: string, title: string) {
  await page.goto(`/admin/adjustments?review=${id}`);
  const drawer = page.getByRole('dialog', { name: title });
  await says(drawer, WHY);
  return drawer;
}

test.describe('a correction of a balance', () => {
  test('is proposed by one admin, confirmed by another and told to the user', async ({ buyer, admin, signedIn }) => {
    await fund(admin, buyer, 100);
    const second = await signedIn('sadia', { width: 360 });
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
    await looksRight(page);

    await buyer.page.goto('/balance');
    await says(buyer.page, '$100.00');
    const id = new URL(page.url()).searchParams.get('review') ?? '';
    const drawer = await review(second, id, '− $40.00');
    await looksRight(second.page);
    await drawer.getByRole('button', { name: 'Confirm' }).click();
    const question = second.page.getByRole('alertdialog');
    await says(question, `Take $40.00 off the balance of ${buyer.name}?`);
    await looksRight(second.page);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await says(drawer, `The balance of ${buyer.name} has been corrected.`);

    // The user's page is open and hears of it.
    await says(buyer.page, '$60.00');
    await buyer.page.goto('/balance/statement');
    await says(buyer.page, 'Correction');
    await says(buyer.page, WHY);
    await looksRight(buyer.page);
    await buyer.page.getByRole('button', { name: /^Notifications/ }).click();
    await says(buyer.page, `Your balance was corrected: $40.00 was taken off. ${WHY}`);
  });

  test('is withdrawn by its proposer or rejected by another admin, and nothing moves', async ({ seller, admin, signedIn }) => {
    const propose = async () =>
      (
        await post<{ adjustment: { _id: string } }>(admin, '/admin/adjustments', {
          ...{ userId: seller.id, direction: 'credit', amount: 5, reason: WHY },
        })
      ).adjustment._id;
    const drawer = await review(admin, await propose(), '+ $5.00');
    await drawer.getByRole('button', { name: 'Withdraw' }).click();
    await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
    await says(drawer, 'The correction has been withdrawn.');

    const second = await signedIn('sadia', { width: 360, language: 'bn', theme: 'dark' });
    const other = await review(second, await propose(), '+ $৫.০০');
    await other.getByRole('button', { name: 'নাকচ করুন' }).click();
    const question = second.page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'নাকচ করুন' }).click();
    await says(question, 'কেন নাকচ করছেন, তা লিখুন।');
    await question.getByRole('textbox').fill('একবারই জমা হয়েছে।');
    await looksRight(second.page);
    await question.getByRole('button', { name: 'নাকচ করুন' }).click();
    await says(other, 'সংশোধনটি নাকচ করা হয়েছে।');

    await expect(question).toBeHidden();
    await second.page.keyboard.press('Escape');
    await expect(other).toBeHidden();
    await second.page.getByRole('link', { name: 'নাকচ হয়েছে' }).click();
    await expect(heading(second.page, 'ব্যালেন্স সংশোধন')).toBeVisible();
    await says(second.page, seller.name);
    await looksRight(second.page);
    expect(await wallet(seller)).toBe('0.00');
  });
});
