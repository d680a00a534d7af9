export const PERSON_HEAD = 'mb-8 flex flex-wrap items-center gap-x-5 gap-y-4';

export const PERSON_COLUMNS = 'grid gap-x-12 gap-y-8 lg:grid-cols-[280px_minmax(0,1fr)] lg:items-start';
