/** A paragraph, or the lines of a list. */
export type Block = string | readonly string[];

/** A section of a static page. Its id is the same in both languages: addresses of sections can be sent around. */
export type PageSection = { readonly id: string; readonly title: string; readonly blocks: readonly Block[] };

/** The whole text of a static page in one language, a module of its own: each page loads its own text in one language and nothing else. */
export type PageText = {
  readonly title: string;
  readonly lede: string;
  /** People accept it when they sign up, and the day is its version, too. */
  readonly versioned?: boolean;
  /** The day of the last change, YYYY-MM-DD, where it matters. */
  readonly changed?: string;
  /** What has to be known before anything else on the page. */
  readonly note?: string;
  readonly sections: readonly PageSection[];
};

/** Somebody who leads the company. */
export type Leader = { readonly name: string; readonly role: string; readonly text: string };

export const PAPERS = ['trade-licence', 'tax-certificate', 'bank-document'] as const;
export type PaperName = (typeof PAPERS)[number];

/** A paper of the company; its picture is public/papers/{name}.svg. `alt` says what the picture shows. */
export type Paper = { readonly title: string; readonly by: string; readonly alt: string };

/** What only the operator can say: it ships as a sample that says of itself that it is one. */
export type Company = {
  readonly leaders: PageText;
  readonly people: readonly Leader[];
  readonly papers: PageText;
  readonly scans: Readonly<Record<PaperName, Paper>>;
};
