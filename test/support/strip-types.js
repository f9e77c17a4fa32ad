import { stripTypeScriptTypes } from 'node:module';

/** Jest's transform: what Node itself does to a .ts file. Positions stay, so no source map is needed. */
export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
