/** The cloud assembly of both stages that synthesize-once.ts has synthesized. */
export const assembly = process.env.CLOUD_ASSEMBLY ?? '';
