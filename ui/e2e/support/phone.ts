import { expect } from '@playwright/test';
import type { Person } from './people';

type Payer = Pick<Person, 'context'>;
type Payment = { way?: 'in' | 'out'; payer?: string; fault?: '' | 'late' | 'forged'; reference?: string };
type Paid = { id: string; balance: string };

/** Has somebody pay the operator, or the operator pay them, with bKash, or pretend to. */
export async function pay({ context }: Payer, taka: number, payment: Payment = {}): Promise<Paid> {
  const form = { method: 'Bkash', taka: String(taka), way: 'in', payer: '01912345678', reference: '', fault: '', ...payment };
  const answer = await context.request.post('/dev/phone', { form });
  const html = await answer.text();
  expect(answer.ok(), html).toBe(true);
  return { id: /<output>(\w+)<\/output>/.exec(html)?.[1] ?? '', balance: /Bkash ৳([\d.]+)/.exec(html)?.[1] ?? '' };
}

/** The phone counts as silent after a test that has moved the clock, until it says something. */
export async function phoneWorks(person: Payer): Promise<void> {
  await pay(person, 1);
  const bkash = async () => {
    const list = (await (await person.context.request.get('/api/wallet/receivers')).json()) as { automatic: boolean }[];
    return list[0]?.automatic;
  };
  await expect.poll(bkash).toBe(true);
}
