/** The public address of a post, to be copied. */
export const postUrl = (id: string): string => `${window.location.origin}/posts/${id}`;
