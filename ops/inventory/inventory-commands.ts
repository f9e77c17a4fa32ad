import { Argument, Command, InvalidArgumentError } from 'commander';
import { isPetId, type PetStatus, petStatuses } from '../../functions/inventory/inventory-item.ts';
import type { StoredEntry } from '../../functions/inventory/stored-entry.ts';
import { toJson } from '../../functions/shared/json.ts';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, type Terminal } from '../cli/terminal.ts';
import { inventoryOf, type Table } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { printable, removeEntry, setStatus, storedEntries } from './entries-table.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { readTable } from './read-table.ts';

export const inventoryCommands = (terminal: Terminal): Command => {
  const inventory = new Command('inventory')
    .description('import, export, check and mend stock')
    .helpCommand(false)
    .addHelpText('after', '\nExample:\n  npx petstore inventory export --format csv --local');
  for (const command of [importCommand, exportCommand, checkCommand, getCommand, setStatusCommand, removeCommand]) {
    inventory.addCommand(command(terminal));
  }
  return inventory;
};

const checkCommand = (terminal: Terminal): Command =>
  stageCommand('check', 'find entries that break the contract of the API', [
    'inventory check --local',
    'inventory check --stage prod --json',
  ]).action(async (options: StageOptions) => {
    const stage = await findStage(terminal, options);
    const { entries, broken, error } = await readTable(terminal, stage);
    const read = entries.length + broken.length;
    const lines = broken.map(({ petId, reason }) => `petId ${petId}: ${reason}.\n`);
    const figures = `${read.toLocaleString('en')} checked, ${broken.length.toLocaleString('en')} invalid.`;
    print(terminal, options, { checked: read, invalid: broken }, lines.join('') + figures);
    if (broken.length > 0) {
      throw error;
    }
  });

const getCommand = (terminal: Terminal): Command =>
  stageCommand('get', 'show one entry', ['inventory get 42 --local', 'inventory get 42 --stage prod --json'])
    .argument('<petId>', 'of the entry', numberArgument)
    .action(async (petId: string, options: StageOptions) => {
      const stored = await existing(inventoryOf(await findStage(terminal, options)), petId);
      print(terminal, { json: true }, printable(stored), '');
    });

const setStatusCommand = (terminal: Terminal): Command =>
  stageCommand('set-status', 'set the status of one entry, which the API cannot', [
    'inventory set-status 42 sold --local',
    'inventory set-status 42 available --stage prod --yes',
  ])
    .argument('<petId>', 'of the entry', petIdArgument)
    .addArgument(new Argument('<status>', 'its new status').choices(petStatuses))
    .addOption(yesOption())
    .action(async (petId: string, status: PetStatus, options: StageOptions) => {
      const stage = await findStage(terminal, options);
      if (stage.isProduction) {
        await confirm(terminal, `Set petId ${petId} of prod to ${status}?`, options.yes);
      }
      const stored = await setStatus(inventoryOf(stage), petId, status);
      if (!stored) {
        throw noSuchEntry(petId);
      }
      print(terminal, { json: true }, printable(stored), '');
    });

const removeCommand = (terminal: Terminal): Command =>
  stageCommand('remove', 'remove one entry, which the API cannot', [
    'inventory remove 42 --local',
    'inventory remove 42 --stage staging --yes',
  ])
    .argument('<petId>', 'of the entry, as check prints it', numberArgument)
    .addOption(yesOption())
    .action(async (petId: string, options: StageOptions) => {
      const stage = await findStage(terminal, options);
      const seen = await existing(inventoryOf(stage), petId);
      const what = toJson(printable(seen));
      await confirm(terminal, `Remove ${what} from ${stage.stageName}?`, options.yes);
      if (!(await removeEntry(inventoryOf(stage), seen))) {
        throw new CliError('conflict', `petId ${petId} was changed just now, and was not removed. Try again.`);
      }
      print(terminal, options, { removed: printable(seen) }, `Removed ${what}.`);
    });

const existing = async (table: Table, petId: string): Promise<StoredEntry> => {
  const [stored] = (await storedEntries(table, [petId])).values();
  if (!stored) {
    throw noSuchEntry(petId);
  }
  return stored;
};

const noSuchEntry = (petId: string): CliError => new CliError('not_found', `No entry has the petId ${petId}.`);

const petIdArgument = (text: string): string => {
  if (!isPetId(text)) {
    const range = 'from -9223372036854775808 to 9223372036854775807';
    throw new InvalidArgumentError(`It must be an integer ${range}, in digits without leading zeros.`);
  }
  return text;
};

/** Any number that DynamoDB could hold. */
const numberArgument = (text: string): string => {
  const magnitude = /^-?\d{1,38}(\.\d{1,38})?(e[+-]?\d{1,3})?$/i.test(text) ? Math.abs(Number(text)) : Number.NaN;
  if (!(magnitude === 0 || (magnitude >= 1e-130 && magnitude < 1e126))) {
    throw new InvalidArgumentError('It must be a number.');
  }
  return text;
};
