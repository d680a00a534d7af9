import { conversation, write } from './support/chat';
import { expectAccessible, expectFits } from './support/checks';
import { NOW } from './support/screen';
import { expect, test } from './support/test';

const t = {
  staff: 'আমানতের কর্মী',
  first: 'আমানত চ্যাটে কখনো পিন, পাসওয়ার্ড, কোড বা টাকা চায় না। টাকা দিন শুধু এখানকার ডিলের মাধ্যমে।',
  phone: 'এতে একটি ফোন নম্বর আছে। শুধু এখানকার ডিলে দেওয়া টাকাই সুরক্ষিত।',
  words: 'এতে আমানতের বাইরে টাকা দেওয়ার কথা থাকতে পারে। শুধু এখানকার ডিলে দেওয়া টাকাই সুরক্ষিত।',
  hide: 'সতর্কতাটি লুকান',
  score: 'সাফল্যের হার',
  about: /^ক্রেতা ও বিক্রেতা হিসেবে শেষ হওয়া সব ডিলের মধ্যে/,
};

test('staff carry a mark, and messages of paying elsewhere a warning, in Bangla', { tag: '@soak' }, async ({
  newcomer,
  admin,
}) => {
  const reader = await newcomer('nusrat', { width: 360, language: 'bn' });
  const stranger = await newcomer('Amanatullah');
  const { page } = reader;
  await write(admin, await conversation(admin, reader), 'Salam');
  const talk = await conversation(stranger, reader);
  await write(stranger, talk, 'বিকাশ করেন ০১৭১২-৩৪৫৬৭৮');
  await write(stranger, talk, 'or send money first');

  await test.step('The mark is beside the name of staff alone', async () => {
    await page.goto('/inbox');
    const mark = page.getByRole('img', { name: t.staff });
    await expect(page.getByRole('link', { name: admin.name }).filter({ has: mark })).toBeVisible();
    await expect(page.getByRole('link', { name: stranger.name }).filter({ has: mark })).toHaveCount(0, NOW);
    await expectAccessible(page);
    await page.goto(`/profile/${admin.name}`);
    await expect(page.getByRole('heading', { level: 1 }).filter({ has: mark })).toBeVisible();
    await expect(page.getByText(t.staff, { exact: true })).toBeVisible();
  });

  await test.step('What a figure means is said after a tap, and at any width', async () => {
    await page.getByRole('button', { name: t.score }).click();
    await expect(page.getByRole('tooltip')).toHaveText(t.about);
    await expectFits(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('tooltip')).toHaveCount(0);
  });

  const warnings = page.getByRole('log').getByRole('note');

  await test.step('A first conversation warns, and below what was received', async () => {
    await page.goto(`/inbox/${talk}`);
    await expect(page.getByText(t.first)).toBeVisible();
    await expect(warnings).toHaveText([t.phone, t.words]);
    await expectFits(page);
    await expectAccessible(page);
  });

  await test.step('A warning that is hidden stays so', async () => {
    await warnings.first().getByRole('button', { name: t.hide }).click();
    await expect(warnings).toHaveText([t.words]);
    await page.reload();
    await expect(warnings).toHaveText([t.words]);
  });

  await test.step('Who answers is told no more, and sees no warning of their own words', async () => {
    await write(reader, talk, 'My number is 01812345678');
    await expect(page.getByRole('log').getByText('My number is 01812345678')).toBeVisible();
    await expect(page.getByText(t.first)).toHaveCount(0);
    await expect(warnings).toHaveText([t.words]);
  });
});
