import { texts } from '../texts';

export const disputeBanner = texts('disputeBanner', {
  title: 'In dispute',
  text: 'The money stays with Amanat until the dispute is settled.',
  toDispute: 'Open the dispute',
  over: 'See the dispute',
  releaseText: 'If you have everything after all, you can still release the money. That ends the dispute.',
  paused: 'Deadlines are paused while the dispute is open.',
  say: 'There is a dispute about this deal. Read it, answer, or agree on a split.',
  open: 'Open a dispute',
  openText: 'Tell {name} and Amanat what is wrong. You agree on a split, or an admin decides.',
  toDisputeText: 'What you both said, offers, and the decision.',
});
