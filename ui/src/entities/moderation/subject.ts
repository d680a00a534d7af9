import type { Report } from '@/api/contract';

/** What is reported, and whose it is. `title` is that of a post. */
export type Subject = {
  subject: Report['subject'];
  id: string;
  title?: string;
  person: { _id: string; username: string; isStaff: boolean };
};

/** What may be wrong, in the order in which it is offered. */
export const REASONS: readonly Report['reason'][] = [
  'scam',
  'off_platform',
  'abuse',
  'sexual',
  'illegal',
  'impersonation',
  'spam',
  'false_review',
  'other',
];

/** Only a review can be untrue. */
export const reasonsOf = (subject: Report['subject']): readonly Report['reason'][] =>
  REASONS.filter((reason) => (reason === 'false_review' ? subject === 'review' : true));
