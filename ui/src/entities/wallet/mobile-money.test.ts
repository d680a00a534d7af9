import { describe, expect, it } from 'vitest';
import { cleanPhone, groupedPhone, isPhone, isTransactionId, plainTaka, transactionIdIn, transactionIdOf } from './mobile-money';

describe('transaction ids', () => {
  it('are sent in capital Latin letters and digits', () => {
    expect(transactionIdOf('  ckj৮t২wv৫c ')).toBe('CKJ8T2WV5C');
  });

  it.each([
    ['1234567', false],
    ['12345678', true],
    ['ABCDEF123456', true],
    ['ABCDEF1234567', false],
    ['ABCD-12345', false],
    ['কখগঘঙচছজ', false],
  ])('%s has 8 to 12 letters or digits: %s', (id, valid) => {
    expect(isTransactionId(id)).toBe(valid);
  });

  it.each([
    ['You have sent Tk 12,300.00 to 01711482390. Fee Tk 5. TrxID CKJ8T2WV5C at 19/11/2026 10:54', 'CKJ8T2WV5C'],
    ['Send Money Successful. Amount: Tk 9840. TxnID: 75LQ02XR', '75LQ02XR'],
    ['Trx ID: ckj8t2wv5c', 'CKJ8T2WV5C'],
    [' 75lq02xr\n', '75LQ02XR'],
    ['hello', 'hello'],
  ])('is found in "%s"', (pasted, id) => {
    expect(transactionIdIn(pasted)).toBe(id);
  });
});

describe('phone numbers', () => {
  it.each([
    ['০১৭১২-৪৪৮৮৪০', '01712448840'],
    ['+880 1712 448840', '01712448840'],
    ['8801712448840', '01712448840'],
    ['01712448840', '01712448840'],
    ['abc', ''],
  ])('%s is read as %s', (typed, number) => {
    expect(cleanPhone(typed)).toBe(number);
  });

  it('start with 01 and have 11 digits', () => {
    expect(['01712448840', '0171244884', '017124488401', '11712448840'].map(isPhone)).toEqual([true, false, false, false]);
  });

  it('are shown in two groups', () => {
    expect(groupedPhone('01712448840')).toBe('01712-448840');
    expect(groupedPhone('0171')).toBe('0171');
  });
});

it('taka are copied as a payment app takes them', () => {
  expect([plainTaka(1_230_000), plainTaka(738_150)]).toEqual(['12300', '7381.50']);
});
