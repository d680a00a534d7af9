import { chunkOf } from './support/chunks';
import { holdAnswer } from './support/network';
import { heading } from './support/screen';
import { expect, test } from './support/test';

test('the dashboard moves nothing when the reminder to verify comes late', { tag: '@soak' }, async ({ newcomer }) => {
  const { page, name } = await newcomer('user', { width: 360 });
  const reminder = await holdAnswer(page, `**${chunkOf('src/features/shell/banners/verify-reminder.tsx')}`);
  await page.goto('/dashboard');
  const place = () => heading(page, name).evaluate((element) => element.getBoundingClientRect().top);
  await expect(heading(page, name)).toBeVisible();
  await reminder.done;
  const before = await place();
  reminder.letThrough();
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();
  expect(await place()).toBe(before);
});
