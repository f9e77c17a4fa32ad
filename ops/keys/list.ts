import type { Command } from 'commander';
import { print, type Terminal } from '../cli/terminal.ts';
import { apiKeysOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand } from '../stage/stage-command.ts';
import { issuedKeys } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';

const columns = ['id', 'name', 'created', 'expires', 'revoked'] as const;

export const listCommand = (terminal: Terminal): Command =>
  stageCommand('list', 'list every key ever issued, the oldest first', [
    'keys list --local',
    'keys list --stage prod --json',
  ]).action(async (options: StageOptions) => {
    const target = await findStage(terminal, options);
    const keys = (await issuedKeys(apiKeysOf(target))).map(keySummary);
    const rows = [
      columns.map((column) => column.toUpperCase()),
      ...keys.map((key) => columns.map((c) => key[c] ?? '-')),
    ];
    const widths = columns.map((_column, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
    const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
    print(terminal, options, keys, lines.map((line) => line.trimEnd()).join('\n'));
  });
