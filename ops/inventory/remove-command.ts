import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import pMap from 'p-map';
import type { StoredItem } from '../../functions/inventory/stored-item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { CliError, listed } from '../cli/errors.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { writesAtOnce } from '../stage/client-settings.ts';
import {
  addChangingCommand,
  type StageOptions,
  type Work,
  workOn,
} from '../stage/stage-command.ts';
import { petIdArguments } from './arguments.ts';
import { columns } from './read-items.ts';
import { plainItem, removeItem, storedItem } from './table.ts';

const concurrency = { concurrency: writesAtOnce };

export const addRemoveCommand = (inventory: Command, terminal: Terminal): Command =>
  addChangingCommand(inventory, 'remove', 'remove entries')
    .argument('<petId...>', 'their petIds, or - for those on standard input', petIdArguments)
    .action(async (given: (bigint | '-')[], options: StageOptions) => {
      const petIds = await Promise.all(
        given.map((one) => (one === '-' ? readPetIds(terminal) : one)),
      );
      await removeEntries(await workOn(terminal, options), [...new Set(petIds.flat())]);
    });

/** @throws CliError that names what is no petId */
const readPetIds = async ({ stdin }: Terminal): Promise<bigint[]> => {
  const words = (await text(stdin)).split(/\s+/).filter((word) => word !== '');
  const wrong = words.filter((word) => !columns.petId.isValid(word));
  if (wrong.length > 0) {
    const problems = wrong.map((word) => `"${word}" is not ${columns.petId.rule}.`);
    throw new CliError(`${listed(problems)}\nNothing was removed.`);
  }
  return words.map(BigInt);
};

const removeEntries = async (work: Work, petIds: bigint[]): Promise<void> => {
  const { inventory, terminal, confirmOnProd, print } = work;
  const seen = await pMap(petIds, (petId) => storedItem(inventory, petId), concurrency);
  const found = seen.filter((item) => item !== undefined);
  const missing = petIds.filter((_petId, index) => seen[index] === undefined);
  if (missing.length > 0) {
    const problem = listed(missing.map((petId) => `No entry has the petId ${petId}.`));
    if (found.length === 0) {
      throw new CliError(problem);
    }
    tell(terminal, problem);
  }
  // Standard input was empty.
  if (found.length === 0) {
    await print([], 'Nothing was removed.');
    return;
  }
  const entries = found.map(plainItem);
  const number = `${found.length.toLocaleString('en')} ${found.length === 1 ? 'entry' : 'entries'}`;
  await confirmOnProd(`${listed(entries.map(toJson))}\nRemove ${number} from prod?`);
  const changed = await removeAll(work, found);
  if (changed.length > 0) {
    throw new CliError(listed(changed));
  }
  await print(entries, entries.map((entry) => `Removed ${toJson(entry)}.`).join('\n'));
};

/** Removes all but the entries that somebody else has changed, which it returns as problems. */
const removeAll = async ({ terminal, inventory }: Work, items: StoredItem[]): Promise<string[]> => {
  const left = new Set(items.map(({ petId }) => petId.N));
  const changed: string[] = [];
  const remove = async (item: StoredItem): Promise<void> => {
    if (await removeItem(inventory, item)) {
      left.delete(item.petId.N);
    } else {
      changed.push(`Someone else just changed petId ${item.petId.N}, so it was not removed.`);
    }
  };
  await pMap(items, remove, concurrency).catch((error: unknown) => {
    tell(terminal, `The removal stopped. Run the same command again to continue. What is left:`);
    tell(terminal, listed([...left]));
    throw error;
  });
  return changed;
};
