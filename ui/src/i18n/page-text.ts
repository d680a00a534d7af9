/** A paragraph or a list. */
export type Block = string | readonly string[];

/** The id is the same in both languages, because links to sections are shared. */
export type PageSection = { readonly id: string; readonly title: string; readonly blocks: readonly Block[] };

/**
 * A static page in one language, in a module of its own, so that each page only loads its own text.
 */
export type PageText = {
  readonly title: string;
  readonly lede: string;
  /** Accepted at the sign-up; the day is its version. */
  readonly versioned?: boolean;
  /** The day of the last change, YYYY-MM-DD. */
  readonly changed?: string;
  /** A remark above everything else. */
  readonly note?: string;
  readonly sections: readonly PageSection[];
};

export type Leader = { readonly name: string; readonly role: string; readonly text: string };

export const PAPERS = ['trade-licence', 'tax-certificate', 'bank-document'] as const;
export type PaperName = (typeof PAPERS)[number];

/** A paper of the company; its picture is public/papers/{name}.svg, described by `alt`. */
export type Paper = { readonly title: string; readonly by: string; readonly alt: string };

/** The operator's own texts; shipped as marked samples. */
export type Company = {
  readonly leaders: PageText;
  readonly people: readonly Leader[];
  readonly papers: PageText;
  readonly scans: Readonly<Record<PaperName, Paper>>;
};
