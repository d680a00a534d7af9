import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, it } from 'vitest';
import { noLiteralText } from './no-literal-text.js';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.afterAll = afterAll;

/** Code whose literal texts are these. */
const says = (code, ...texts) => ({ code, errors: texts.map((text) => ({ messageId: 'literal', data: { text } })) });

const languageOptions = { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } };
new RuleTester({ languageOptions }).run('no-literal-text', noLiteralText, {
  valid: [
    "<p>{t('send')}</p>",
    '<p>{`${amount} · ${rate}%`}</p>',
    "<p className={wide ? 'wide' : 'narrow'}>{b ? t('sending') : t('send')}</p>",
    "<p>{status === 'Paid' && <Seal />}</p>",
    "<p>{(kind === 'Paid' ? first : second) ?? '—'}</p>",
    "<ul>{rows.map((row) => row.of('Paid'))}</ul>",
    "notify.success(t('sent'), b ? t('one') : undefined);",
    "notify.message({ conversationId: 'c-1', name, picture, text });",
    "notifyFailure(t('failed'), new Error('boom'));",
    "other.success('Sent');",
  ],
  invalid: [
    says('<p>Send</p>', 'Send'),
    says("<p>{'Send'}</p>", 'Send'),
    says('<p>{`Send ${amount}`}</p>', 'Send'),
    says('<><b />{`পাঠান`}</>', 'পাঠান'),
    says("<p>{b ? 'Sending now' : 'Send'}</p>", 'Sending now', 'Send'),
    says("<p>{b ? t('sending') : c ? 'Sent' : null}</p>", 'Sent'),
    says("<p>{b && 'Text'}</p>", 'Text'),
    says("<p>{name ?? 'Nobody'}</p>", 'Nobody'),
    says("<p>{'Somebody' || name}</p>", 'Somebody'),
    says("<p>{'Send ' + amount}</p>", 'Send'),
    says("<p>{`${amount} ${b ? 'days' : 'day'}`}</p>", 'days', 'day'),
    says("<p>{('Send' as string)!}</p>", 'Send'),
    says('<a title="Open" />', 'Open'),
    says("<a title={b ? 'One' : 'Two'} />", 'One', 'Two'),
    says("<a aria-label={b && 'Text'} />", 'Text'),
    says("notify.success('Sent');", 'Sent'),
    says('notify.error(`Not sent: ${reason}`);', 'Not sent:'),
    says("notify.info(t('sent'), b ? 'Now' : undefined);", 'Now'),
    says("notifyFailure('Not sent', error);", 'Not sent'),
  ],
});
