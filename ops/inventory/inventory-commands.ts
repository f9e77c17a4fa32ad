import { Argument } from 'commander';
import { isPetId, type PetStatus, petStatuses } from '../../functions/inventory/item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { invalidValue } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { printable, removeEntry, setStatus, storedEntries } from './entries-table.ts';
import { exportCommand, readTable } from './export.ts';
import { importCommand } from './import.ts';

export const inventoryCommands = (terminal: Terminal): PetstoreCommand => {
  const inventory = new PetstoreCommand('inventory').description(
    'import, export and check stock; show or change one entry',
  );
  const commands = [
    importCommand,
    exportCommand,
    checkCommand,
    getCommand,
    setStatusCommand,
    removeCommand,
  ];
  return commands.reduce((group, command) => group.addCommand(command(terminal)), inventory);
};

const checkCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('check', 'find entries that break the contract of the API')
    .examples('inventory check --stage prod')
    .action(async (options: StageOptions) => {
      const {
        read: checked,
        broken,
        error,
      } = await readTable(terminal, await findStage(terminal, options));
      const lines = broken.map(({ petId, reason }) => `petId ${petId}: ${reason}.\n`);
      print(
        terminal,
        options,
        { checked, broken },
        `${lines.join('')}${checked.toLocaleString('en')} checked.`,
      );
      if (broken.length > 0) {
        throw error;
      }
    });

const getCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('get', 'show one entry')
    .examples('inventory get 42 --local')
    .argument('<petId>', 'the petId of the entry', parseNumber)
    .action(async (petId: string, options: StageOptions) => {
      const { inventory } = await findStage(terminal, options);
      const [stored = notFound(petId)] = await storedEntries(inventory, [petId]);
      print(terminal, { json: true }, printable(stored), '');
    });

const setStatusCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('set-status', 'set the status of one entry')
    .examples('inventory set-status 42 sold --local')
    .argument('<petId>', 'the petId of the entry', parsePetId)
    .addArgument(new Argument('<status>', 'its new status').choices(petStatuses))
    .addOption(yesOption())
    .action(async (petId: string, status: PetStatus, options: StageOptions) => {
      const { isProduction, inventory } = await findStage(terminal, options);
      await confirm(terminal, {
        question: `Set petId ${petId} of prod to ${status}?`,
        isConfirmed: options.yes || !isProduction,
      });
      const stored = await setStatus(inventory, petId, status);
      print(terminal, { json: true }, printable(stored ?? notFound(petId)), '');
    });

const removeCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('remove', 'remove one entry')
    .examples('inventory remove 42 --stage staging --yes')
    .argument('<petId>', 'the petId of the entry, as check prints it', parseNumber)
    .addOption(yesOption())
    .action(async (petId: string, options: StageOptions) => {
      const { stageName, inventory } = await findStage(terminal, options);
      const [seen = notFound(petId)] = await storedEntries(inventory, [petId]);
      const removed = printable(seen);
      const question = `Remove ${toJson(removed)} from ${stageName}?`;
      await confirm(terminal, { question, isConfirmed: options.yes });
      if (!(await removeEntry(inventory, seen))) {
        throw new CliError('conflict', `petId ${petId} was changed just now, and was not removed.`);
      }
      print(terminal, options, { removed }, `Removed ${toJson(removed)}.`);
    });

const notFound = (petId: string): never => {
  throw new CliError('not_found', `No entry has the petId ${petId}.`);
};

const parsePetId = (text: string): string =>
  isPetId(text) ? text : invalidValue('It must be an int64, in digits without leading zeros.');

/**
 * Accepts every number that DynamoDB may print, since the petId of a broken entry need not be an
 * int64.
 */
const parseNumber = (text: string): string =>
  /^-?\d{1,130}(\.\d{1,130})?(e[+-]?\d{1,3})?$/i.test(text)
    ? text
    : invalidValue('It must be a number.');
