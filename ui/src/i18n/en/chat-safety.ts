import { texts } from '../texts';

/** docs/rules.md#first-contact, docs/rules.md#chat-warnings */
export const chatSafety = texts('chatSafety', {
  first: 'Amanat never asks for a PIN, password, code or payment in a chat. Pay only through a deal here.',
  'risk.phone': 'Contains a phone number.',
  'risk.link': 'Links to a payment service.',
  'risk.words': 'May be about paying outside Amanat.',
  advice: 'Only payments in a deal here are protected.',
  dismiss: 'Hide this warning',
});
