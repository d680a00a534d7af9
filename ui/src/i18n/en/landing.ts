import { texts } from '../texts';

export const landing = texts('landing', {
  page: 'Amanat: sell your YouTube channel safely',
  'hero.1': 'Sell your YouTube channel.',
  'hero.2': 'The money is already here.',
  'hero.lede':
    'The buyer pays Amanat first. You hand over. The buyer checks, and we pay you. 0% risk for both of you, and one fee: 2%, only when the deal is done.',
  'hero.link': 'Found something on Facebook? Send the seller a link.',
  'hero.who': 'The filled column holds the money.',
  'hero.example': 'Example: a cooking channel with 41,200 subscribers',
  nusrat: 'Nusrat',
  tanvir: 'Tanvir',
  'hero.paid': 'Paid 8 Nov, 10:14',
  'hero.held': 'Held for 11 days',
  'hero.whenYes': 'When Nusrat releases it',
  'proof.usd': 'USD Processed',
  'proof.users': 'Customers Trust Escrow',
  'proof.fee': 'Service fee',
  'proof.feeValue': '2%',
  'proof.silent': 'If the seller never delivers',
  'proof.back': '100% back',
});
