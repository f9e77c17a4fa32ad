/**
 * The names of the stages, of small letters, because a key begins with `petstore_<stage>_`. What
 * stands for a stage elsewhere follows from this list, or is demanded by its type.
 */
export const stageNames = ['staging', 'prod'] as const;

export type StageName = (typeof stageNames)[number];
