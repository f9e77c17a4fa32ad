import { commitOf } from './commit.ts';
import { serviceApp } from './service-app.ts';
import { stages } from './settings/stages.ts';

serviceApp(stages, { commit: commitOf(process.cwd()) });
