import { texts } from '../texts';

/** What a conversation warns its reader of (docs/rules.md#first-contact, docs/rules.md#chat-warnings). */
export const chatSafety = texts('chatSafety', {
  first: 'Amanat never asks for a PIN, password, code or payment in a chat. Pay only through a deal here.',
  'risk.phone': 'This message contains a phone number.',
  'risk.link': 'This message links to a payment service.',
  'risk.words': 'This message may be about paying or talking outside Amanat.',
  advice: 'Payments made any other way than a deal here are not protected.',
  dismiss: 'Hide this warning',
});
