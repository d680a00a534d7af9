import { testRule } from './test-rule.js';

/** Code, and its literal texts. */
const CASES = [
  ["<p>{t('send')}</p>"],
  ['<p>{`${amount} · ${rate}%`}</p>'],
  ["<p className={wide ? 'wide' : 'narrow'}>{b ? t('sending') : t('send')}</p>"],
  ["<p>{status === 'Paid' && <Seal />}</p>"],
  ["<p>{(kind === 'Paid' ? first : second) ?? '—'}</p>"],
  ["<ul>{rows.map((row) => row.of('Paid'))}</ul>"],
  ["notify.success(t('sent'), b ? t('one') : undefined);"],
  ["notify.message({ conversationId: 'c-1', name, picture, text });"],
  ["notifyFailure(t('failed'), new Error('boom'));"],
  ["other.success('Sent');"],
  ['<p>Send</p>', 'Send'],
  ["<p>{'Send'}</p>", 'Send'],
  ['<p>{`Send ${amount}`}</p>', 'Send'],
  ['<><b />{`পাঠান`}</>', 'পাঠান'],
  ["<p>{b ? 'Sending now' : 'Send'}</p>", 'Sending now', 'Send'],
  ["<p>{b ? t('sending') : c ? 'Sent' : null}</p>", 'Sent'],
  ["<p>{b && 'Text'}</p>", 'Text'],
  ["<p>{name ?? 'Nobody'}</p>", 'Nobody'],
  ["<p>{'Somebody' || name}</p>", 'Somebody'],
  ["<p>{'Send ' + amount}</p>", 'Send'],
  ["<p>{`${amount} ${b ? 'days' : 'day'}`}</p>", 'days', 'day'],
  ["<p>{('Send' as string)!}</p>", 'Send'],
  ['<a title="Open" />', 'Open'],
  ["<a title={b ? 'One' : 'Two'} />", 'One', 'Two'],
  ["<a aria-label={b && 'Text'} />", 'Text'],
  ["notify.success('Sent');", 'Sent'],
  ['notify.error(`Not sent: ${reason}`);', 'Not sent:'],
  ["notify.info(t('sent'), b ? 'Now' : undefined);", 'Now'],
  ["notifyFailure('Not sent', error);", 'Not sent'],
];

testRule(
  'no-literal-text',
  CASES.map(([code, ...texts]) => ({ path: 'src/page.tsx', code, says: texts.map((text) => `"${text}"`) })),
);
