import { styleText } from 'node:util';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { hasColors, print, type Terminal, write } from '../cli/terminal.ts';
import { textTable } from '../cli/text-table.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { issuedKeys } from './issued-keys.ts';
import { type KeySummary, keySummary } from './key-summary.ts';

interface ListOptions extends StageOptions {
  active?: boolean;
}

export const listCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('list', 'list every key ever issued, the oldest first')
    .permissions('dynamodb:Scan')
    .examples('keys list --local', 'keys list --active --stage prod --json')
    .option('--active', 'only the keys that work')
    .action(async (options: ListOptions) => {
      const stage = await findStage(terminal, options);
      const all = (await issuedKeys(stage.apiKeys)).map(keySummary);
      const keys = options.active ? all.filter(({ state }) => state === 'active') : all;
      if (options.json) {
        print(terminal, options, keys, '');
      } else {
        write(terminal, `${keyTable(keys, hasColors(terminal, terminal.stdout))}\n`);
      }
    });

const head = ['ID', 'NAME', 'ACCESS', 'STATE', 'CREATED', 'ENDS'];
const flexible = head.indexOf('NAME');
const width = 100;

/** Returns a table of keys, at most 100 columns wide. Colors set off those that do not work. */
const keyTable = (keys: KeySummary[], isColored: boolean): string => {
  const [first, ...lines] = textTable({ head, rows: keys.map(cellsOf), width, flexible });
  const colored = lines.map((line, index) => {
    const isPlain = !isColored || keys[index]?.state === 'active';
    return isPlain ? line : styleText('gray', line, { validateStream: false });
  });
  return [first, ...colored].join('\n');
};

const cellsOf = (key: KeySummary): string[] => {
  const { id, name, access, state, created, expires, revoked } = key;
  const end = state === 'revoked' ? revoked : expires;
  const createdOn = created?.replace(/T.*/, '');
  return [id, name, access, state, createdOn, end].map((cell) => cell ?? '-');
};
