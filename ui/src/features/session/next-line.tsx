import { useQuery } from '@tanstack/react-query';
import { postQuery } from '@/entities/post/post-query';
import { useTexts } from '@/i18n';
import { next } from '@/i18n/en/auth';
import { safeRedirect } from '@/lib/redirect';

const VISITOR = { isAdmin: false };

type Props = {
  redirect: string;
  otherwise: string;
};

function AboutPost({ id, step, otherwise }: { id: string; step: 'chat' | 'deal'; otherwise: string }) {
  const t = useTexts(next);
  const { data: post } = useQuery(postQuery(id));
  return post ? t(step, { seller: post.createdBy.username, title: post.title }) : otherwise;
}

/** Names the next step: the chat or deal the visitor was about to start. */
export default function NextLine({ redirect, otherwise }: Props) {
  const t = useTexts(next);
  if (safeRedirect(redirect, VISITOR) !== redirect) return otherwise;
  const { pathname, searchParams, hash } = new URL(redirect, window.location.origin);
  const [, page, name = ''] = pathname.split('/');
  const step = searchParams.get('next');
  if (page === 'd' && name) return t('offer');
  if (page === 'dashboard' && hash === '#link') return t('link');
  if (page === 'posts' && name === 'create') return t('post');
  if (page === 'profile' && name && step === 'contact') return t('person', { name: decodeURIComponent(name) });
  if (page === 'posts' && name && (step === 'contact' || step === 'deal'))
    return <AboutPost id={name} step={step === 'deal' ? 'deal' : 'chat'} otherwise={otherwise} />;
  return otherwise;
}
