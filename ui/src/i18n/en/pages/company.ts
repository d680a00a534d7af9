import type { Company } from '../../page-text';

/** Samples, marked as such. Whoever runs Amanat replaces them with their own (README.md). */
export const text: Company = {
  leaders: {
    title: 'Our leaders',
    lede: 'Who answers for the money that is held here.',
    note: 'These are samples. The people below do not exist. Whoever runs this site puts the real ones here before the first deal.',
    sections: [],
  },
  people: [
    {
      name: 'Sample Name One',
      role: 'Managing director',
      text: 'Answers for the company: its papers, its accounts and what it promises here.',
    },
    {
      name: 'Sample Name Two',
      role: 'Head of payments',
      text: 'Leads those who check each deposit and send each withdrawal, and closes the books every day.',
    },
    {
      name: 'Sample Name Three',
      role: 'Head of support',
      text: 'Leads those who hear both sides and decide disputes.',
    },
  ],
  papers: {
    title: 'Government papers',
    lede: 'The papers of the company that holds the money. Choose one to see it large.',
    note: 'These are samples. The pictures below are drawings, not documents. Whoever runs this site puts scans of his own papers here before the first deal.',
    sections: [
      {
        id: 'check',
        title: 'How to check a paper',
        blocks: [
          [
            'Trade licence: compare its number and the name of the owner with the office that issued it.',
            'Tax certificate: its number belongs to the same name as the licence.',
            'Bank document: the account is held by the company, not by a person.',
          ],
        ],
      },
    ],
  },
  scans: {
    'trade-licence': {
      title: 'Trade licence',
      by: 'Of the city corporation',
      alt: 'A trade licence with seal, number and signature, marked as a sample',
    },
    'tax-certificate': {
      title: 'Tax certificate',
      by: 'Of the tax office',
      alt: 'A tax certificate with number, table and signature, marked as a sample',
    },
    'bank-document': {
      title: 'Bank document',
      by: 'Of the company’s bank',
      alt: 'A bank’s letter about a company account, marked as a sample',
    },
  },
};
