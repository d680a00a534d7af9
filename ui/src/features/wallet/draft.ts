export { dropDraft, keepDraft, readDraft } from '@/lib/draft';
