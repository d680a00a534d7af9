import type { Page } from '@playwright/test';
import { offer } from './support/deals';
import { provoke, REFUSED } from './support/faults';
import { attempts, complaintAt, toastOf } from './support/forms';
import { fund } from './support/people';
import { heading } from './support/screen';
import { expect, test } from './support/test';

// Every message word for word, at the real server (docs/rules.md#validation): each wrong input in the order of the rules, and what was typed stays.

/** The dialog of a method on the page of deposits or withdrawals. */
async function method(page: Page, path: string, title: string) {
  await page.goto(path);
  await page.getByRole('button', { name: /^bKash/ }).click();
  return page.getByRole('dialog', { name: title });
}

const FILL_OUT = 'Please fill out all fields.';
const AMOUNT_OR_ID = 'Invalid amount or transaction ID';
const ID_FORMAT = 'Invalid transaction ID format. It should be 8-12 alphanumeric characters.';
const PHONE = "Phone number must start with '01' and be 11 digits.";

test.describe('money', () => {
  test('comes in by a whole report', async ({ buyer }) => {
    const { context, page } = buyer;
    provoke(context, REFUSED);
    const used = `U${Date.now().toString(36).slice(-8)}`.toUpperCase();
    const reported = await context.request.post('/api/auth/deposit', {
      data: { amount: 5, transactionId: used, paymentMethod: 'Bkash' },
    });
    expect(reported.status()).toBe(201);
    const within = await method(page, '/deposit', 'Deposit with bKash');
    await attempts(
      { page, within, submit: /^I have sent/ },
      { says: FILL_OUT },
      { fill: { Amount: '25' }, says: FILL_OUT },
      { fill: { 'Transaction ID': '   ' }, says: AMOUNT_OR_ID },
      { fill: { Amount: '0', 'Transaction ID': 'CKL7QX2M9D' }, says: AMOUNT_OR_ID },
      { fill: { Amount: 'tw2.5.0', 'Transaction ID': 'CKL7' }, shown: { Amount: '2.50' }, says: ID_FORMAT },
      { fill: { 'Transaction ID': 'CKL7QX2M9D123' }, says: ID_FORMAT },
      { fill: { 'Transaction ID': 'CKL7-X2M9D' }, says: ID_FORMAT },
      { fill: { 'Transaction ID': used }, says: /^You already reported this on \d{1,2} \w{3}.* \(\$5\.00, being checked\)\.$/ },
    );
    await within.getByLabel(/^Transaction ID/).fill(`E${Date.now().toString(36).slice(-8)}`);
    const report = within.getByRole('button', { name: /^I have sent/ });
    expect(await toastOf(page, () => report.click())).toBe('Deposit submitted successfully!');
  });

  test('goes out to a number of Bangladesh, and never more than there is', async ({ buyer, admin }) => {
    await fund(admin, buyer, 40);
    const { page } = buyer;
    const within = await method(page, '/withdraw', 'Withdraw to bKash');
    await attempts(
      { page, within, submit: /^Withdraw/ },
      { says: FILL_OUT },
      { fill: { Amount: '10' }, says: FILL_OUT },
      { fill: { Amount: '', 'Phone number': '01712345678' }, says: FILL_OUT },
      { fill: { Amount: '10', 'Phone number': '0171234567' }, says: PHONE },
      { fill: { 'Phone number': '02712345678' }, says: PHONE },
      { fill: { 'Phone number': '017123456789' }, says: PHONE },
    );
    const order = within.getByRole('button', { name: /^Withdraw/ });
    await within.getByLabel(/^Amount/).fill('40.01');
    await expect(within.getByText('Insufficient balance to withdraw')).toBeVisible();
    await expect(order).toBeDisabled();
    await within.getByLabel(/^Amount/).fill('10');
    await within.getByLabel(/^Phone number/).fill('01712345678');
    expect(await toastOf(page, () => order.click())).toBe('Withdrawal submitted successfully!');
  });
});

test.describe('a deal', () => {
  test('asks for everything that a deal needs, in the order of the rules', async ({ buyer, seller }) => {
    const { page } = buyer;
    await page.goto('/deal');
    await page.getByRole('button', { name: 'Create Deal' }).first().click();
    const within = page.getByRole('dialog', { name: 'Create Deal' });
    const form = { page, within, submit: 'Create Deal' };
    const pick = async () => {
      await within.getByRole('combobox', { name: 'Who is the deal with?' }).fill(seller.name);
      await within.getByRole('option', { name: seller.name }).click();
    };
    await attempts(form, { says: 'Select a user.' });
    expect(await complaintAt(form, 'Who is the deal with')).toBe('Select a user.');
    await pick();
    await attempts(
      form,
      { says: 'All fields are required.' },
      { fill: { Price: '1a2.5.0' }, shown: { Price: '12.50' }, says: 'All fields are required.' },
      { fill: { Price: '', Description: 'Ten photos' }, says: 'All fields are required.' },
      { fill: { Price: '12.50', Description: '  ' }, says: 'All fields are required.' },
      { fill: { Description: 'Ten photos' }, says: 'Please select your role.' },
    );
    await within.getByRole('radio', { name: /^Seller/ }).click();
    await attempts(form, { says: 'Please Choose Delivery Duration' });
    const days = await within
      .getByLabel('Delivery Duration')
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    expect(days).toEqual(['', ...Array.from({ length: 99 }, (_, day) => String(day + 1))]);
    await within.getByLabel('Delivery Duration').selectOption('7');
    const submit = within.getByRole('button', { name: 'Create Deal' });
    expect(await toastOf(page, () => submit.click())).toBe('Deal request sent!');
  });

  test('is brought to support with a description', async ({ buyer, seller }) => {
    const { page } = buyer;
    const { id } = await offer(buyer, seller, { price: 12 });
    await page.goto(`/support?dealId=${id}`);
    await expect(heading(page, 'Get support')).toBeVisible();
    const dealId = page.getByLabel('Deal id');
    expect([await dealId.inputValue(), await dealId.isEditable()]).toEqual([id, false]);
    await attempts(
      { page, within: page.getByRole('main'), submit: 'Submit request' },
      { says: 'Please describe the issue.' },
      { fill: { 'Issue description': '   ' }, says: 'Please describe the issue.' },
    );
  });
});

test.describe('a post', () => {
  test('asks for everything that a post needs, has a counted title, and its own word for what is not listed', async ({
    seller,
  }) => {
    const { page } = seller;
    await page.goto('/posts/create');
    await expect(heading(page, 'Create a post')).toBeVisible();
    const form = { page, within: page.getByRole('main'), submit: 'Publish' };
    const long = 'x'.repeat(81);
    await attempts(
      form,
      { says: 'Title is required.' },
      { fill: { Title: long }, says: 'The title must be at most 80 characters.' },
    );
    await expect(page.getByText('81/80 characters')).toBeVisible();
    await attempts(
      form,
      { fill: { Title: 'Cooking channel' }, says: 'Description is required.' },
      { fill: { Description: 'No strikes.' }, says: 'Price is required.' },
      { fill: { Price: '0' }, says: 'Price is required.' },
      { fill: { Price: '480' }, says: 'Category is required.' },
      { fill: { Category: 'Online Asset' }, says: 'Subcategory is required.' },
      { fill: { Subcategory: 'Other' }, says: 'Please enter your own subcategory.' },
      { fill: { 'Your own subcategory': '   ' }, says: 'Please enter your own subcategory.' },
    );
    await expect(page.getByText('15/80 characters')).toBeVisible();
    await page.getByLabel('Your own subcategory').fill('Podcast');
    const submit = page.getByRole('button', { name: 'Publish' });
    expect(await toastOf(page, () => submit.click())).toBe('Post published');
  });
});

test.describe('letters to us', () => {
  test('about a bug have a subject and a description', async ({ page }) => {
    await page.goto('/reportabug');
    await expect(heading(page, 'Report a bug')).toBeVisible();
    await attempts(
      { page, within: page.getByRole('main'), submit: 'Submit report' },
      { says: 'Subject is required.' },
      { fill: { Subject: 'No picture' }, says: 'Description is required.' },
      { fill: { Description: '  ' }, says: 'Description is required.' },
      { fill: { Description: 'It stays white.', Email: 'nobody' }, says: 'Invalid email' },
    );
    await page.getByLabel(/^Email/).fill('');
    const submit = page.getByRole('button', { name: 'Submit report' });
    expect(await toastOf(page, () => submit.click())).toBe('Thank you! Your report has been submitted.');
  });

  test('of the contact form say from whom they are', async ({ page }) => {
    await page.goto('/contactus');
    await expect(heading(page, 'Contact us')).toBeVisible();
    await attempts(
      { page, within: page.getByRole('main'), submit: 'Send message' },
      { says: 'Name is required.' },
      { fill: { Name: 'Anika' }, says: 'Email is required.' },
      { fill: { Email: 'anika' }, says: 'Invalid email' },
      { fill: { Email: 'anika@example.com' }, says: 'Message is required.' },
    );
    await page.getByRole('textbox', { name: 'Message' }).fill('When do you open?');
    const submit = page.getByRole('button', { name: 'Send message' });
    expect(await toastOf(page, () => submit.click())).toBe('Thank you! Your message has been sent.');
  });
});
