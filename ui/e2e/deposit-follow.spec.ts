import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from './support/checks';
import { offer } from './support/deals';
import { leaveUnasked } from './support/live';
import { lettersTo, post, verifyAddress, wallet } from './support/people';
import { heading, says } from './support/screen';
import { expect, test } from './support/test';

/** Shorter than the page's polling interval with a connection. */
const AT_ONCE = { timeout: 12_000 };

const CHECKING = /^আমরা ৳.* যাচাই করছি/;

/** The id of the open deposit. */
const idAt = (page: Page) => new URL(page.url()).pathname.split('/').pop() ?? '';

test('a deposit is followed until it is credited, on a phone in Bangla', async ({ newcomer, admin }) => {
  const person = await newcomer('nusrat', { width: 360, language: 'bn' });
  const { page } = person;
  const id = `F${Date.now().toString(36).slice(-9)}`.toUpperCase();
  await leaveUnasked(page);

  await test.step('The dialog turns into a receipt', async () => {
    await page.goto('/deposit');
    await page.getByRole('button', { name: /^বিকাশ/ }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('যত যোগ করতে চান').fill('100');
    await form.getByRole('textbox', { name: /^ট্রানজেকশন আইডি/ }).fill(id);
    await form.getByRole('button', { name: /পাঠিয়েছি/ }).click();
    const receipt = page.getByRole('dialog', { name: CHECKING });
    await says(receipt, id);
    // An SMS is enough, unless a test has moved the clock and the phone counts as silent.
    await says(receipt, /এসএমএসের অপেক্ষায়|পর্যন্ত আমরা টাকা মিলিয়ে দেখি|আবার শুরু হবে|সাধারণত .+ মধ্যে/);
    await expectAccessible(page);
    await expectFits(page);
    await receipt.getByRole('link', { name: 'অবস্থা দেখুন' }).click();
  });

  await test.step('Its page says what is going on, and Back leads to the deposits', async () => {
    await expect(heading(page, CHECKING)).toBeVisible();
    const steps = page.getByRole('region', { name: 'অবস্থা' });
    await expect(steps.locator('[aria-current="step"]')).toContainText('যাচাই চলছে');
    await expectAccessible(page);
    await expectFits(page);
    await page.goBack();
    await expect(page).not.toHaveURL(/\/balance\/deposits/);
    await page.goForward();
    await expect(heading(page, CHECKING)).toBeVisible();
  });

  await test.step('It turns by itself when an admin approves', async () => {
    await post(admin, `/admin/deposit/approve/${idAt(page)}`, { amount: 100, userId: person.id });
    await expect(heading(page, '$১০০.০০ আপনার ব্যালেন্সে এসেছে')).toBeVisible(AT_ONCE);
    await expectAccessible(page);
    expect(await wallet(person)).toBe('100.00');
  });
});

const WORDS = {
  en: {
    ...{ deposit: 'Add $130.00', id: /^Transaction ID/, sent: /^I have sent/ },
    ...{ checked: '$130.00 is being checked', line: '$130.00 being checked', pay: 'Pay & Activate $130.00' },
    ...{ notice: /Your \$130\.00 is here\. Pay for the deal “Cooking channel”\./, bell: /^Notifications/ },
    ...{ mail: 'Your $130.00 is here. Pay for the deal.', bar: 'Next step and amounts' },
  },
  bn: {
    ...{ deposit: '$১৩০.০০ যোগ করুন', id: /^ট্রানজেকশন আইডি/, sent: /পাঠিয়েছি/ },
    ...{ checked: '$১৩০.০০ যাচাই হচ্ছে', line: '$১৩০.০০ যাচাই হচ্ছে', pay: /\$১৩০\.০০/ },
    ...{ notice: /আপনার \$১৩০\.০০ ব্যালেন্সে এসেছে। এখন “Cooking channel” ডিলের পেমেন্ট করুন।/, bell: /^নোটিফিকেশন/ },
    ...{ mail: 'আপনার $১৩০.০০ ব্যালেন্সে এসেছে। এখন ডিলের পেমেন্ট করুন।', bar: 'পরের ধাপ আর হিসাব' },
  },
} as const;

/** Of an element that has just appeared: a tap that was meant for what was there before is lost. */
function pointerEventsAtFirst(element: HTMLElement | SVGElement): string {
  element.style.animation = 'none';
  element.getBoundingClientRect();
  element.style.animation = '';
  return getComputedStyle(element).pointerEvents;
}

for (const language of ['en', 'bn'] as const)
  test(`nobody is asked twice for the money of a deal, on a phone in ${language}`, async ({ newcomer, seller, admin }) => {
    const words = WORDS[language];
    const person = await newcomer('nusrat', { width: 360, language });
    const { page } = person;
    // The server writes the notice in the language of the account.
    await person.context.request.put('/api/auth/language', { data: { language } });
    await verifyAddress(person);
    const deal = await offer(person, seller, { price: 130, description: 'Cooking channel' });
    const bar = page.getByRole('group', { name: words.bar });
    const deposits = () => page.getByRole('main').getByRole('link', { name: words.deposit }).filter({ visible: true });

    await test.step('The offer leads to the deposit before the seller has accepted', async () => {
      await page.goto(deal.path);
      // By its address, not from the page of the deal: the buyer pays with a press.
      await page.goto((await bar.getByRole('link', { name: words.deposit }).getAttribute('href')) ?? '');
      const form = page.getByRole('dialog');
      await form.getByRole('textbox', { name: words.id }).fill(`D${Date.now().toString(36).slice(-9)}`);
      await form.getByRole('button', { name: words.sent }).click();
      await page.waitForURL(`**${deal.path}`);
    });

    await test.step('The deal and the dashboard say that it is being checked, and ask for nothing', async () => {
      await says(bar, words.checked);
      await expect(deposits()).toHaveCount(0);
      await expect(bar.getByRole('button')).toHaveCount(0);
      await expectAccessible(page);
      await expectFits(page);
      await page.goto('/dashboard');
      await expect(page.getByRole('link', { name: words.line, exact: true })).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: words.deposit })).toHaveCount(0);
    });

    await test.step('The open page pays with one press once the money is there, and the notice leads to it', async () => {
      await page.goto(deal.path);
      await says(bar, words.checked);
      await leaveUnasked(page);
      const [pending] = (
        (await (await person.context.request.get('/api/deposits/pending')).json()) as { deposits: { _id: string }[] }
      ).deposits;
      await post(admin, `/admin/deposit/approve/${pending?._id ?? ''}`, { amount: 130, userId: person.id });
      const pay = bar.getByRole('button', { name: words.pay });
      await expect(pay).toBeVisible(AT_ONCE);
      await expectAccessible(page);
      expect(await pay.evaluate(pointerEventsAtFirst)).toBe('none');
      await expect.poll(() => lettersTo(person)).toContain(words.mail);
      await page.goto('/dashboard');
      await page.getByRole('button', { name: words.bell }).filter({ visible: true }).first().click();
      await page.getByRole('link', { name: words.notice }).click();
      await page.waitForURL(`**${deal.path}`);
      await pay.click();
      await expect(bar).toHaveCount(0);
      expect(await wallet(person)).toBe('0.00');
    });
  });
